"""A league that plays riichi: counters and sticks that lie on the table from hand to hand."""

from random import Random

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils.translation import override

from scoring.evaluator.books.loader import load
from scoring.evaluator.table import Calls
from scoring.models import Adjustment, Game, Hand, LateHand, Payment, Tally
from scoring.operations.verify import repair, verify
from scoring.operations.whatif import what_if
from scoring.services.adjustments import reverse
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import preview_hand, record_hand
from scoring.services.hands.restore import restore_hand
from scoring.services.late_hands import ask_for_late_hand, take_in_late_hand
from scoring.services.merging import merge_players
from scoring.services.rulesets import shipped_version
from scoring.services.seats import change_seats
from scoring.services.withdrawals import restore_game, withdraw_game
from scoring.variants.book_rules import BookTableRules
from tests.factories import make_game, make_league, make_member, make_player
from tests.support.effort import tries
from tests.support.sheets import logged_from_its_sheet

pytest.importorskip("mahjong")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

E, S, W, N = range(4)
RIICHI_ONLY = "123B 456C 99D 234D 678B"  # no yaku but riichi: by West, off a discard


@pytest.fixture
def game(organiser):
    league = make_league(ruleset_version=shipped_version("riichi", by=organiser))
    return make_game(league=league, by=organiser)


@pytest.fixture
def log(game, organiser):
    """Logs the next hand of the game; people are named by their places."""

    def log(**entered):
        return record_hand(game, entry_of(game, **entered), by=organiser).hand

    return log


DRAGONS = "RRR* GGG* WhWhWh* 345B 55C"


def test_somebody_pays_for_everybody_only_with_the_hands_that_the_book_lists(game, log, organiser):
    listed = entry_of(game, winner=S, tiles=DRAGONS, winning_tile="5C", liable=N, self_drawn=True)
    assert [paid for _player, paid in preview_hand(game, listed).payments] == [
        0,
        32_000,
        0,
        -32_000,
    ]
    other = entry_of(
        game,
        winner=W,
        tiles=RIICHI_ONLY,
        winning_tile="8B",
        flags=["riichi"],
        discarder=S,
        liable=N,
    )
    with pytest.raises(ValidationError) as refused:
        record_hand(game, other, by=organiser)
    [(field, [sentence])] = refused.value.message_dict.items()
    assert field == "liable"
    assert "Big three dragons" in sentence
    with override("nl"), pytest.raises(ValidationError) as refused:
        record_hand(game, other, by=organiser)
    [sentence] = refused.value.messages
    assert sentence.startswith("Volgens deze regels betaalt alleen bij sommige handen (")
    assert "Big three dragons" not in sentence
    claimed = entry_of(game, winner=S, tiles="", claimed_final=32_000, liable=N, self_drawn=True)
    assert preview_hand(game, claimed).hand.final == 32_000


def entry_of(game, winner=None, **entered):
    game.refresh_from_db()
    seats = [player.pk for player in game.players]
    people = {name: seats[entered.pop(name)] for name in ("discarder", "liable") if name in entered}
    for name in ("staked", "calling"):
        if name in entered:
            entered[name] = [seats[place] for place in entered[name]]
    won = {} if winner is None else {"winner": seats[winner]}
    outcome = "draw" if winner is None else "win"
    if winner is not None and "tiles" not in entered:
        entered = {"claimed_final": 1000, **entered}
    values = {"number": game.next_number, "outcome": outcome, **won, **people, **entered}
    return HandEntry.from_json(values)


def amounts(hand):
    paid = {payment.player_id: payment.amount for payment in hand.payments.all()}
    return [paid[player.pk] for player in hand.game.players]


def lies(game):
    game.refresh_from_db()
    return game.counters, game.sticks


def points(game):
    return [Tally.objects.get(league=game.league, player=player).points for player in game.players]


def refusals(game, **entered):
    with pytest.raises(ValidationError) as error:
        preview_hand(game, entry_of(game, **entered))
    return {(field, one.code) for field, errors in error.value.error_dict.items() for one in errors}


def test_sticks_and_counters_lie_there_until_somebody_wins(game, log):
    first = log(staked=[S], calling=[E])
    assert amounts(first) == [1500, 500, -1500, -1500]
    assert (first.counters, first.sticks, first.on_table) == (0, 0, 1000)
    assert first.calls == {
        "staked": [game.players[1].pk],
        "calling": [p.pk for p in game.players[:2]],
    }
    assert lies(game) == (1, 1)
    broken_off = log(staked=[W], abortive=True)
    assert amounts(broken_off) == [0, 0, -1000, 0]
    assert (lies(game), game.dealer_place) == ((2, 2), E)
    won = log(winner=N, discarder=W, claimed_final=3900, staked=[E])
    assert amounts(won) == [-1000, 0, -4500, 7500]
    assert (won.counters, won.sticks, won.on_table) == (2, 2, -2000)
    assert (lies(game), game.dealer_place) == ((0, 0), S)


def test_who_wins_with_a_stick_there_has_declared_riichi(game, log):
    tiles = {"tiles": RIICHI_ONLY, "winner": W, "discarder": N, "winning_tile": "5C"}
    assert refusals(game, **tiles) == {("tiles", "does_not_win")}
    hand = log(**tiles, staked=[W])
    assert (hand.flags, hand.final) == ("riichi", 1300)
    assert amounts(hand) == [0, 0, 1300, -1300]


def test_dora_add_han_and_have_to_be_tiles_that_a_wall_can_have(game, log):
    tiles = {"tiles": RIICHI_ONLY, "winner": W, "discarder": N, "winning_tile": "5C"}
    hand = log(**tiles, staked=[W], dora_indicators="8D")
    assert (hand.final, hand.dora_indicators) == (5200, "8D")
    other = {**tiles, "staked": [W], "dora_indicators": "8X"}
    assert refusals(game, **other) == {("dora_indicators", "unknown_tile")}
    many = {**tiles, "staked": [W], "dora_indicators": "9999D"}
    assert refusals(game, **many) == {("dora_indicators", "too_many_copies")}


@pytest.mark.parametrize(
    ("entered", "refusal"),
    [
        ({"winner": W}, ("discarder", "required")),
        (
            {"winner": W, "claimed_final": 1300, "self_drawn": True},
            ("claimed_final", "not_a_score"),
        ),
        ({"winner": W, "claimed_final": 1050, "discarder": E}, ("claimed_final", "not_a_score")),
        ({"winner": W, "discarder": E, "calling": [W]}, ("calling", "not_in_a_win")),
        ({"winner": W, "discarder": E, "abortive": True}, ("abortive", "not_in_a_win")),
        ({"abortive": True, "calling": [W]}, ("calling", "broken_off")),
        ({"dora_indicators": "5B"}, ("dora_indicators", "not_in_a_draw")),
    ],
)
def test_a_riichi_hand_with_impossible_calls_is_refused_at_its_field(game, entered, refusal):
    assert refusals(game, **entered) == {refusal}


def test_who_does_not_sit_there_stakes_nothing(game):
    entry = HandEntry(1, "draw", calls=Calls(staked=(make_player().pk,)))
    with pytest.raises(ValidationError) as error:
        preview_hand(game, entry)
    assert error.value.error_dict["staked"][0].code == "not_at_the_table"


def test_a_league_without_sticks_asks_nobody(organiser):
    game = make_game(league=make_league())
    assert refusals(game, staked=[S]) == {("staked", "not_in_book")}


def test_a_correction_moves_the_sticks_of_later_hands(game, log, organiser):
    first, _second = log(staked=[S]), log(calling=[W])
    won = log(winner=W, discarder=E)
    assert amounts(won) == [-1600, 0, 2600, 0]
    correct_hand(first, entry_of(game, staked=[S, N]), by=organiser, reason="Two of them")
    assert [hand.sticks for hand in game.hands.current().order_by("number")] == [0, 2, 2]
    won = game.hands.current().get(number=3)
    assert amounts(won) == [-1600, 0, 3600, 0]
    assert (won.on_table, won.version) == (-2000, 2)
    # A draw becomes a win of the dealer: the sticks are gone, and one counter is left.
    second = game.hands.current().get(number=2)
    entry = entry_of(game, winner=second.state_before.dealer, discarder=N)
    correct_hand(second, entry, by=organiser, reason="South won")
    won = game.hands.current().get(number=3)
    assert (won.counters, won.sticks) == (2, 0)
    assert lies(game) == (0, 0)


def test_a_void_hand_takes_its_sticks_along(game, log, organiser):
    first = log(staked=[S])
    log(winner=W, discarder=E)
    won = amounts(game.hands.get(number=2))
    void = void_hand(first, by=organiser, reason="Never played").hand
    assert amounts(game.hands.current().get()) == [-1000, 0, 1000, 0]
    assert lies(game) == (0, 0)
    restore_hand(void, by=organiser, reason="It was played")
    assert amounts(game.hands.current().get(number=2)) == won
    assert lies(game) == (0, 0)


def test_undoing_a_win_puts_the_sticks_back(game, log, organiser):
    log(staked=[S])
    undo_hand(log(winner=W, discarder=E), by=organiser)
    assert lies(game) == (1, 1)


def test_a_game_has_two_rounds(game, log):
    for dealer in (E, S, W, N, E, S, W, N):
        assert (game.dealer_place, game.finished) == (dealer, False)
        log(winner=(dealer + 1) % 4, discarder=dealer)
        game.refresh_from_db()
    assert game.finished


def test_what_is_left_goes_to_the_first(game, log, organiser):
    log(winner=S, discarder=E, claimed_final=2000)
    drawn = log(staked=[S, W])
    assert sum(points(game)) == -2000
    finish_game(game, by=organiser)
    # Both who declared riichi were calling: 1,500 for each of them.
    assert points(game) == [-3500, 4500, 500, -1500]
    assert Adjustment.objects.get().amounts() == {game.players[S].pk: 2000}
    with pytest.raises(ValidationError, match="correct the hands"):
        reverse(Adjustment.objects.get(), by=organiser, reason="No")
    # Another one is first after a correction, and gets them instead.
    correct_hand(drawn, entry_of(game, staked=[N]), by=organiser, reason="North")
    assert points(game) == [-3000, 1000, -1000, 3000]
    assert sum(points(game)) == 0
    reopen_game(game, by=organiser, reason="Too early")
    assert points(game) == [-3000, 1000, -1000, 2000]
    log(winner=N, discarder=E)
    finish_game(game, by=organiser)
    assert sum(points(game)) == 0
    assert lies(game) == (0, 0)


def test_the_nearer_to_the_first_dealer_of_equal_players_gets_what_is_left(game, log, organiser):
    log(staked=[E, S, W, N], abortive=True)
    finish_game(game, by=organiser)
    assert points(game) == [3000, -1000, -1000, -1000]
    withdraw_game(game, by=organiser, reason="Opened by mistake")
    restore_game(game, by=organiser, reason="It was played")
    assert points(game) == [3000, -1000, -1000, -1000]


def test_a_dispute_moves_who_is_first(game, log, organiser):
    won = log(winner=S, discarder=E, claimed_final=4000)
    log(staked=[W])
    finish_game(game, by=organiser)
    assert points(game) == [-5000, 4000, 2000, -1000]
    east = make_member(player=game.players[E])
    dispute_hand(won, by=east, reason="It was less")
    assert points(game) == [-1000, -1000, 3000, -1000]
    settle_hand(won, by=organiser, reason="It was right")
    assert points(game) == [-5000, 4000, 2000, -1000]


def test_who_changes_places_keeps_the_sticks(game, log, organiser):
    log(staked=[S])
    log(winner=W, discarder=E)
    east, south, west, north = game.players
    change_seats(game, [south, east, west, north], by=organiser, reason="Wrong way round")
    first, second = game.hands.current().order_by("number")
    assert first.calls["staked"] == [south.pk]
    assert second.sticks == 1
    guest = make_player()
    change_seats(game, [guest, east, west, north], by=organiser, reason="It was somebody else")
    assert game.hands.current().order_by("number")[0].calls["staked"] == [guest.pk]


def test_merged_players_keep_what_they_staked(game, log, organiser):
    log(staked=[S])
    kept = make_player()
    gone = game.players[S]
    merge_players(kept, gone, by=organiser)
    assert Hand.objects.get().calls == {"staked": [kept.pk], "calling": [kept.pk]}


def test_verify_finds_and_repairs_what_lies_on_the_table(game, log, organiser):
    drawn = log(staked=[S])
    finish_game(game, by=organiser)
    Hand.objects.filter(pk=drawn.pk).update(on_table=0)
    Game.objects.filter(pk=game.pk).update(sticks=0, counters=3)
    Adjustment.objects.get().transfers.update(amount=5000)
    assert {one.field for one in verify()} == {
        *("on_table", "sticks", "counters", "left", "tally.points"),
    }
    repair.repair_game(game.pk)
    repair.repair_league(game.league.slug)


@pytest.mark.each_database
def test_sticks_that_somebody_wrote_into_a_hand_are_found(game, log):
    drawn = log(staked=[S])
    Hand.objects.filter(pk=drawn.pk).update(calls={"staked": ["nobody"]})
    assert {one.field for one in verify()} >= {"calls", "payment"}
    Hand.objects.filter(pk=drawn.pk).update(calls=drawn.calls)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(sticks=-1)


def test_what_if_keeps_the_table_of_each_rules(game, log, organiser):
    log(staked=[S])
    log(winner=W, discarder=E, staked=[N])
    log(staked=[E, W])
    finish_game(game, by=organiser)
    again = what_if(game.league, game.league.ruleset_version.table_rules)
    assert [row.difference for row in again.rows] == [0, 0, 0, 0]
    rows = what_if(game.league, BookTableRules(load("zung-jung"))).rows
    assert sum(row.points_by_rules for row in rows) == 0
    other = make_game(league=make_league(), players=game.players, by=organiser)
    record_hand(other, entry_of(other, winner=S, discarder=E, claimed_final=80), by=organiser)
    rows = what_if(other.league, game.ruleset_version.table_rules).rows
    assert {row.points_by_rules for row in rows} == {-80, 0, 80}


def test_a_riichi_league_goes_out_and_comes_in_as_csv(game, log, organiser):
    log(staked=[S], calling=[E])
    log(staked=[W], abortive=True)
    log(
        tiles=RIICHI_ONLY,
        winner=W,
        discarder=N,
        winning_tile="5C",
        staked=[W, E],
        dora_indicators="8D",
    )
    other = logged_from_its_sheet(game, by=organiser)
    for hand in game.hands.all():
        after = Hand.objects.get(game__league=other, number=hand.number)
        for name in (
            "calls",
            "counters",
            "sticks",
            "on_table",
            "dora_indicators",
            "final",
            "flags",
        ):
            assert getattr(after, name) == getattr(hand, name), name


def test_a_late_hand_keeps_its_sticks(game, log, organiser):
    log(staked=[S])
    finish_game(game, by=organiser)
    ask_for_late_hand(game, entry_of(game, staked=[W]), by=organiser, key="late")
    late = LateHand.objects.get()
    assert late.entry["staked"] == [game.players[W].pk]
    take_in_late_hand(late, by=organiser)
    assert Hand.objects.current().order_by("-number").first().sticks == 1
    assert sum(points(game)) == 0


def test_random_games_are_stored_as_they_replay(organiser):
    version = shipped_version("riichi", by=organiser)
    rng = Random(21)
    for _game in range(tries(2, 20)):
        game = make_game(league=make_league(ruleset_version=version), by=organiser)
        while game.hands.count() < 12 and not game.finished:
            winner = rng.choice([None, E, S, W, N])
            entered = {"staked": [place for place in range(4) if rng.random() < 0.4]}
            if winner is None:
                entered["abortive"] = rng.random() < 0.2
            else:
                entered["discarder"] = (winner + rng.randrange(1, 4)) % 4
            record_hand(game, entry_of(game, winner, **entered), by=organiser)
            game.refresh_from_db()
        hand = rng.choice(list(game.hands.current()))
        void_hand(hand, by=organiser, reason="Never played")
        game.refresh_from_db()
        paid = Payment.objects.undisputed().filter(hand__game=game).aggregate(all=Sum("amount"))
        assert (paid["all"] or 0) + 1000 * game.sticks == 0
