"""A game that was opened by mistake: withdrawn, restored, moved to where it belongs."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from scoring.models import AuditEntry, Game, Hand, League, Tally
from scoring.models.permissions import PermissionDenied
from scoring.operations.csv import write_hands
from scoring.operations.verify import verify
from scoring.operations.whatif import what_if
from scoring.queries.evenings import evenings
from scoring.queries.standings import standings
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.seats import change_seats, move_game
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
    make_ruleset_version,
)

pytestmark = pytest.mark.django_db

WHY = "Opened twice"


@pytest.fixture
def game(organiser):
    """Two hands and a penalty; it is over, and another game of the same four followed."""
    game = make_game(by=organiser)
    make_hand(game, winner=1, by=organiser)
    make_hand(game, winner=2, by=organiser)
    book_at_table(game, penalty(game, game.players[3], 10), by=organiser, reason="Late")
    finish_game(game, by=organiser)
    other = make_game(league=game.league, players=game.players, by=organiser)
    make_hand(other, winner=0, by=organiser)
    finish_game(other, by=organiser)
    return game


def tallies(league):
    rows = Tally.objects.filter(league=league).order_by("player").values()
    return [{**row, "id": None} for row in rows]


class TestWithdrawing:
    def test_withdrawing_a_game_takes_it_out_of_everything_that_counts(self, game, player):
        withdraw_game(game, by=player, reason=WHY)
        rows = standings(game.league)
        assert {(row.games, row.hands) for row in rows} == {(1, 1)}
        tomorrow = game.evening + timedelta(days=1)
        assert standings(game.league, as_of=tomorrow) == rows
        assert evenings(game.league).get()["games"] == 1
        assert what_if(game.league, game.ruleset_version.table_rules).hands == 1
        assert list(verify()) == []

    def test_withdrawing_a_game_leaves_the_hands_as_they_are(self, game, player):
        withdraw_game(game, by=player, reason=WHY)
        assert [hand.status for hand in game.hands.all()] == ["live", "live"]

    def test_withdrawing_a_game_writes_no_sheet_of_its_hands(self, game, player, tmp_path):
        withdraw_game(game, by=player, reason=WHY)
        with (tmp_path / "hands.csv").open("w") as out:
            assert write_hands(out, lambda rows: lambda more: None) == 1

    def test_withdrawing_a_game_lets_nobody_change_it_until_it_is_restored(
        self, game, player, organiser
    ):
        withdraw_game(game, by=player, reason=WHY)
        with pytest.raises(PermissionDenied, match="can restore it"):
            book_at_table(game, penalty(game, game.players[3], 10), by=organiser, reason="Late")

    def test_withdrawing_a_game_happens_once(self, game, player):
        withdraw_game(game, by=player, reason=WHY)
        with pytest.raises(Conflict, match="withdrawn already"):
            withdraw_game(game, by=player, reason=WHY)

    def test_withdrawing_a_game_that_an_organiser_settled_is_for_organisers(
        self, game, player, organiser
    ):
        hand = game.hands.current().first()
        dispute_hand(hand, by=organiser, player=game.players[3], reason="Wrong tiles")
        settle_hand(hand, by=organiser, reason="I saw it")
        with pytest.raises(PermissionDenied, match="An organiser settled a hand of this game"):
            withdraw_game(game, by=player, reason=WHY)
        assert withdraw_game(game, by=organiser, reason=WHY).withdrawn

    def test_withdrawing_a_game_needs_a_reason(self, game, player):
        with pytest.raises(ValidationError, match="Say why"):
            withdraw_game(game, by=player, reason="")

    def test_withdrawing_a_game_is_for_the_table_until_the_evening_is_closed(
        self, game, player, organiser
    ):
        with pytest.raises(PermissionDenied):
            withdraw_game(game, by=make_member(), reason=WHY)
        close_evening(game.league, game.evening, by=organiser)
        with pytest.raises(PermissionDenied):
            withdraw_game(game, by=player, reason=WHY)
        assert withdraw_game(game, by=organiser, reason=WHY).withdrawn

    def test_withdrawing_an_open_game_lets_its_players_sit_down_elsewhere(self, organiser):
        game = make_game(by=organiser)
        make_hand(game, winner=1, by=organiser)
        withdraw_game(game, by=organiser, reason=WHY)
        assert not Game.objects.open().exists()
        assert list(verify()) == []


class TestAGameWithoutHands:
    def test_a_withdrawn_game_without_hands_stays_but_closes_the_tallies_that_only_it_opened(
        self, organiser
    ):
        game = make_game(by=organiser)
        other = make_game(league=game.league, players=[game.players[0], *_three()], by=organiser)
        assert withdraw_game(game, by=organiser, reason=WHY).withdrawn
        assert Game.objects.played().get() == other
        players = set(Tally.objects.values_list("player", flat=True))
        assert players == {player.pk for player in other.players}
        assert AuditEntry.objects.get(action="withdraw_game").details["reason"] == WHY
        assert list(verify()) == []

    def test_a_withdrawn_game_without_hands_is_restored_and_takes_hands(self, organiser):
        game = make_game(by=organiser)
        withdraw_game(game, by=organiser, reason=WHY)
        restore_game(game, by=organiser, reason="A phone had its hands")
        make_hand(game, winner=1, by=organiser)
        assert Tally.objects.filter(hands=1).count() == 4
        assert list(verify()) == []

    @pytest.mark.parametrize("act", [record_hand, ask_for_late_hand])
    def test_a_withdrawn_game_without_hands_refuses_a_hand_of_a_phone_and_says_who_can_restore_it(
        self, organiser, act
    ):
        game = make_game(by=organiser)
        member = make_member(player=game.players[0])
        withdraw_game(game, by=organiser, reason=WHY)
        with pytest.raises(PermissionDenied, match="four players or an organiser") as refusal:
            act(game, HandEntry(number=1, outcome="draw"), by=member, key="a")
        assert refusal.value.code == "withdrawn"

    def test_a_withdrawn_game_without_hands_of_a_closed_evening_is_restored_by_an_organiser(
        self, organiser
    ):
        game = make_game(by=organiser)
        make_game(league=game.league, by=organiser)
        member = make_member(player=game.players[0])
        withdraw_game(game, by=organiser, reason=WHY)
        close_evening(game.league, game.evening, by=organiser)
        with pytest.raises(PermissionDenied, match="an organiser can restore it") as refusal:
            record_hand(game, HandEntry(number=1, outcome="draw"), by=member)
        assert "players" not in str(refusal.value)


class TestRestoring:
    def test_a_game_that_an_organiser_opened_in_a_closed_evening_goes_on_when_it_is_restored(
        self, game, organiser
    ):
        close_evening(game.league, game.evening, by=organiser)
        opened = make_game(league=game.league, by=organiser)
        withdraw_game(opened, by=organiser, reason=WHY)
        assert not restore_game(opened, by=organiser, reason="It was real").finished

    def test_restoring_a_game_counts_it_again_as_it_was(self, game, player):
        before = tallies(game.league)
        withdraw_game(game, by=player, reason=WHY)
        assert tallies(game.league) != before
        restore_game(game, by=player, reason="It was real")
        assert tallies(game.league) == before
        assert [event.kind for event in game.events.all()] == ["withdrawn", "restored"]
        assert list(verify()) == []

    def test_restoring_a_game_that_counts_is_refused(self, game, player):
        with pytest.raises(Conflict, match="not withdrawn"):
            restore_game(game, by=player, reason=WHY)

    def test_restoring_a_game_after_the_evening_was_closed_ends_the_game(self, organiser):
        game = make_game(by=organiser)
        make_hand(game, winner=1, by=organiser)
        make_game(league=game.league, players=game.players, by=organiser)
        withdraw_game(game, by=organiser, reason=WHY)
        close_evening(game.league, game.evening, by=organiser)
        assert restore_game(game, by=organiser, reason="It was real").finished
        reopen_evening(game.league, game.evening, by=organiser, reason="A slip", anyway=True)
        game.refresh_from_db()
        assert not game.finished
        assert list(verify()) == []

    def test_restoring_a_game_after_the_evening_was_opened_again_lets_the_game_go_on(
        self, organiser
    ):
        game = make_game(by=organiser)
        make_hand(game, winner=1, by=organiser)
        make_game(league=game.league, players=game.players, by=organiser)
        close_evening(game.league, game.evening, by=organiser)
        withdraw_game(game, by=organiser, reason=WHY)
        reopen_evening(game.league, game.evening, by=organiser, reason="A slip")
        restored = restore_game(game, by=organiser, reason="It was real", anyway=True)
        assert not restored.finished
        assert list(verify()) == []


class TestMoving:
    def test_moving_a_game_to_another_league_counts_it_there(self, game, player):
        league = make_league()
        total = {row.player: row.points for row in standings(game.league)}
        move_game(game, league=league, day=game.evening, by=player, reason=WHY)
        here = {row.player: row.points for row in standings(league)}
        there = {row.player: row.points for row in standings(game.league)}
        assert {player: here[player] + there[player] for player in total} == total
        assert list(verify()) == []

    def test_moving_a_game_closes_the_tallies_that_only_it_had_opened(self, organiser):
        game, league = make_game(by=organiser), make_league()
        make_hand(game, winner=1, by=organiser)
        before = game.league
        move_game(game, league=league, day=game.evening, by=organiser, reason=WHY)
        assert not Tally.objects.filter(league=before).exists()
        assert list(verify()) == []

    def test_moving_a_game_scores_it_by_the_rules_of_that_league(self, game, player):
        league = make_league(ruleset_version=make_ruleset_version(limit=40))
        move_game(game, league=league, day=game.evening, by=player, reason=WHY)
        assert {hand.final for hand in game.hands.current()} == {40}
        assert {hand.version for hand in game.hands.current()} == {2}
        assert list(verify()) == []

    def test_moving_a_game_to_another_day_says_that_it_was_played_then(self, game, player):
        day = game.evening - timedelta(days=2)
        league = game.league
        league.starts_on = day
        league.save()
        move_game(game, league=league, day=day, by=player, reason=WHY)
        then = standings(league, as_of=day)
        assert {row.hands for row in then} == {2}
        assert list(verify()) == []

    def test_moving_a_game_to_another_league_takes_along_what_was_booked_to_who_was_replaced(
        self, game, organiser
    ):
        """Their penalty and its way back."""
        east, south, west, north = game.players
        change_seats(game, [east, south, west, make_player()], by=organiser, reason=WHY)
        league = make_league()
        move_game(game, league=league, day=game.evening, by=organiser, reason=WHY)
        assert Tally.objects.get(league=league, player=north).points == 0
        assert list(verify()) == []

    def test_moving_a_game_to_another_day_takes_its_penalties_along(self, organiser):
        game = make_game(by=organiser)
        make_hand(game, winner=1, by=organiser)
        book_at_table(game, penalty(game, game.players[3], 10), by=organiser, reason="Late")
        now = standings(game.league)
        day = game.evening - timedelta(days=2)
        League.objects.filter(pk=game.league_id).update(starts_on=day)
        game = Game.objects.get(pk=game.pk)
        move_game(game, league=game.league, day=day, by=organiser, reason=WHY)
        then = standings(game.league, as_of=day)
        assert [(row.player, row.points) for row in then] == [
            (row.player, row.points) for row in now
        ]

    def test_moving_a_game_to_another_day_keeps_when_its_penalties_were_entered(self, organiser):
        game = make_game(by=organiser)
        lines = penalty(game, game.players[3], 10)
        entered = book_at_table(game, lines, by=organiser, reason="Late").made_at
        day = game.evening - timedelta(days=2)
        League.objects.filter(pk=game.league_id).update(starts_on=day)
        game = Game.objects.get(pk=game.pk)
        move_game(game, league=game.league, day=day, by=organiser, reason=WHY)
        assert game.adjustments.get().made_at == entered

    @pytest.mark.parametrize(
        ("days", "code"), [(0, "nothing_changed"), (1, "future"), (-1, "not_running")]
    )
    def test_moving_a_game_is_refused_where_it_cannot_be(self, game, player, days, code):
        day = game.evening + timedelta(days=days)
        with pytest.raises(ValidationError) as refusal:
            move_game(game, league=game.league, day=day, by=player, reason=WHY)
        [[error]] = refusal.value.error_dict.values()
        assert error.code == code
        assert Hand.objects.filter(version=2).count() == 0

    def test_moving_a_game_into_a_closed_evening_is_for_organisers(self, game, player, organiser):
        league = make_league()
        elsewhere = make_game(league=league, by=organiser)
        close_evening(league, elsewhere.evening, by=organiser)
        with pytest.raises(ValidationError, match="is closed"):
            move_game(game, league=league, day=game.evening, by=player, reason=WHY)
        move_game(game, league=league, day=game.evening, by=organiser, reason=WHY)
        assert list(verify()) == []

    def test_a_game_that_an_organiser_moves_into_a_closed_evening_goes_on_as_one_opened_there(
        self, organiser
    ):
        closed = make_game(by=organiser)
        close_evening(closed.league, closed.evening, by=organiser)
        game = make_game(by=organiser)
        move_game(game, league=closed.league, day=closed.evening, by=organiser, reason=WHY)
        game = Game.objects.get(pk=game.pk)
        assert (game.evening_closed, game.finished) == (True, False)


def _three():
    return [make_player() for _place in range(3)]
