"""The table of a league under other rules: the same tiles, dealt, scored and paid by them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.evaluator.books.loader import load
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import CLUB, RuleSet
from scoring.models import AuditEntry, Hand, Seat
from scoring.operations.verify import verify
from scoring.operations.whatif import what_if
from scoring.queries.standings import standings
from scoring.services.adjustments import book_in_league, penalty
from scoring.services.confirmations import dispute_hand
from scoring.variants.book_rules import BookTableRules
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)
from tests.operations.storied import make_storied_club

pytestmark = pytest.mark.django_db

# 20 for winning and 8 for the winds; one double for South where South is lucky, one for no chow.
SOUTH = "SSS 222B 444C 666D 88D"


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    players = [make_player(name) for name in ("Ann", "Bob", "Cy", "Di")]
    return make_game(league=make_league(), players=players, by=by)


def other(**options):
    """Club rules but for these options."""
    return OptionTableRules(
        RuleSet.from_options({**CLUB.options(), **options}, slug="other", name="Other", version=1)
    )


def points(trial):
    return {row.player.name: row.points_by_rules for row in trial.rows}


def test_under_its_own_rules_a_league_has_its_own_table():
    league = make_storied_club()
    trial = what_if(league, league.ruleset_version.table_rules)
    assert [(row.rank, row.player, row.points) for row in standings(league)] == [
        (row.rank_by_rules, row.player, row.points_by_rules) for row in trial.rows
    ]
    assert all(row.rank == row.rank_by_rules and row.difference == 0 for row in trial.rows)
    assert trial.hands == Hand.objects.counted().filter(game__league=league).count()
    assert (trial.changed, trial.not_played) == ([], 0)


def test_whatif_changes_scores_payments_and_ranks(game, by):
    make_hand(game, winner=1, tiles="222B 333B 444B 555B 66B", by=by)  # the limit
    make_hand(game, winner=2, by=by)  # 70, from West: South deals
    make_hand(game, winner=2, by=by)
    trial = what_if(game.league, other(limit=50))
    assert points(trial) == {"Ann": -250, "Bob": 0, "Cy": 450, "Di": -200}
    assert [(line.hand.number, line.hand.final, line.final) for line in trial.changed] == [
        (1, 500, 50),
        (2, 70, 50),
        (3, 70, 50),
    ]
    ranks = {row.player.name: (row.rank, row.rank_by_rules) for row in trial.rows}
    assert ranks["Bob"][0] == 1
    assert ranks["Cy"] == (2, 1)


def test_whatif_changes_payments_where_no_score_changes(game, by):
    make_hand(game, winner=1, discarder=game.players[3].pk, by=by)
    trial = what_if(game.league, other(discarder="pays_for_all", dealer_doubles=False))
    assert points(trial) == {"Bob": 210, "Ann": 0, "Cy": 0, "Di": -210}
    assert trial.changed == []


def test_the_deal_moves_on_by_the_other_rules(game, by):
    """Ann wins as the dealer. She deals again, and Bob is South; or Bob deals, and is East."""
    make_hand(game, winner=0, by=by)
    hand = make_hand(game, winner=1, tiles=SOUTH, by=by)
    trial = what_if(game.league, other(dealer_stays_on_win=False))
    [changed] = trial.changed
    assert changed.hand.pk == hand.pk
    assert changed.final < hand.final
    assert changed.amounts == {
        player.pk: amount * changed.final
        for player, amount in zip(game.players, (-2, 6, -2, -2), strict=True)
    }


def test_hands_after_the_end_of_their_game_are_told_and_count_for_nothing(game, by):
    for _hand in range(17):
        make_hand(game, winner=0, tiles="", claimed_final=20, by=by)
    trial = what_if(game.league, other(dealer_stays_on_win=False, dealer_doubles=False))
    assert (trial.hands, trial.not_played) == (17, 1)
    assert [(line.hand.number, line.amounts) for line in trial.changed] == [(17, None)]
    assert points(trial)["Ann"] == 16 * 60


def test_a_score_without_tiles_stays_what_the_table_said(game, by):
    make_hand(game, winner=1, tiles="", claimed_final=400, by=by)
    trial = what_if(game.league, other(limit=100, dealer_doubles=False))
    assert points(trial)["Bob"] == 1200
    assert trial.changed == []


def test_a_disputed_hand_waits_but_the_deal_goes_on_from_it(game, by):
    member = make_member(player=game.players[3])
    dispute_hand(make_hand(game, winner=0, by=by), by=member)
    make_hand(game, winner=1, tiles=SOUTH, by=by)
    assert points(what_if(game.league, OptionTableRules(CLUB))) == {
        row.player.name: row.points for row in standings(game.league)
    }
    [changed] = what_if(game.league, other(dealer_stays_on_win=False)).changed
    assert changed.hand.number == 2


def test_whatif_keeps_adjustments(game, by):
    make_hand(game, winner=1, tiles="", claimed_final=20, by=by)
    book_in_league(game.league, penalty(game, game.players[1], 50), by=by, reason="Late")
    trial = what_if(game.league, other(dealer_doubles=False))
    assert points(trial) == {"Ann": 30, "Cy": 30, "Di": 30, "Bob": -90}
    assert {row.player.name: row.difference for row in trial.rows}["Ann"] == 20


def test_whatif_changes_nothing_in_the_database(game, by):
    make_hand(game, winner=1, by=by)
    before = AuditEntry.objects.count()
    with CaptureQueriesContext(connection) as queries:
        what_if(game.league, other(limit=50))
    reading = ("SELECT", "DECLARE")
    assert not [query for query in queries if not query["sql"].startswith(reading)]
    assert AuditEntry.objects.count() == before
    assert list(verify()) == []


def test_whatif_costs_no_queries_for_more_games(game, by):
    league = game.league
    make_hand(game, winner=1, by=by)
    with CaptureQueriesContext(connection) as one:
        what_if(league, OptionTableRules(CLUB))
    for _game in range(3):
        make_hand(make_game(league=league, players=game.players, by=by), winner=2, by=by)
    with CaptureQueriesContext(connection) as four:
        what_if(league, OptionTableRules(CLUB))
    assert len(four) == len(one)


def test_whatif_leaves_a_hand_that_cannot_be_scored_as_it_is(game, by):
    hand = make_hand(game, winner=1, by=by)
    before = points(what_if(game.league, other(limit=50)))
    Hand.objects.filter(pk=hand.pk).update(tiles="1B 2B")
    trial = what_if(game.league, other(limit=50))
    assert (trial.changed, points(trial) == before) == ([], False)
    Seat.objects.filter(game=game, place=1).update(player=make_player("Eve"))
    assert points(what_if(game.league, other(limit=50)))["Bob"] == 280


def test_a_league_without_hands_has_an_empty_table():
    trial = what_if(make_league(), OptionTableRules(CLUB))
    assert (trial.rows, trial.hands, trial.changed) == ([], 0, [])


def test_a_hand_that_does_not_win_pays_nothing_and_is_told(game, by):
    make_hand(game, winner=1, tiles="222B 333B 444B 555B 66B", by=by)
    make_hand(game, winner=2, by=by)  # 70, by three suits
    trial = what_if(game.league, BookTableRules(load("hk")))
    assert [(line.hand.number, line.won) for line in trial.changed] == [(1, True), (2, False)]
    assert (trial.hands, trial.rescored, trial.not_won, trial.not_read) == (2, 1, 1, 0)
    [lost] = [line for line in trial.changed if not line.won]
    assert (lost.final, set(lost.amounts.values())) == (None, {0})
    assert points(trial)["Cy"] < 0


def test_a_score_without_tiles_is_counted_as_not_worked_out(game, by):
    make_hand(game, winner=1, tiles="", claimed_final=100, by=by)
    trial = what_if(game.league, BookTableRules(load("hk")))
    assert (trial.changed, trial.not_read) == ([], 1)


def test_rules_by_which_tiles_tell_nothing_are_not_answered(game):
    with pytest.raises(HandError, match="the tiles of a hand tell nothing"):
        what_if(game.league, BookTableRules(load("card")))


@pytest.mark.parametrize("slug", ["riichi", "american-1922", "zung-jung"])
def test_limit_hand_without_tiles_that_other_rules_do_not_have_stays_as_it_was(by, game, slug):
    """It was once worth a million under rules without a highest score."""
    hand = make_hand(game, winner=1, tiles="", claimed_limit="nine_gates", by=by)
    trial = what_if(game.league, BookTableRules(load(slug)))
    assert (trial.not_read, trial.changed) == (1, [])
    assert hand.final == 500
