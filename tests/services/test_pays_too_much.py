"""A change by which a later hand would pay more than can be kept is refused as a whole, and its preview, too.

The limit is 1,000 points here. Who wins 200 gets 800 in all, and 1,200 as the dealer.
"""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import Payment
from scoring.operations.verify import verify
from scoring.services.hands.correct import (
    correct_hand,
    preview_correction,
    preview_void,
    void_hand,
)
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.restore import preview_restore, restore_hand
from scoring.services.seats import change_seats, move_game, preview_move, preview_seats
from tests.factories import make_game, make_hand, make_league, make_ruleset_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "A slip"
SECOND = (
    "Hand 2 would then pay more than 1,000 points: nobody can keep that. Correct it first, or declare "
    "it void."
)


@pytest.fixture
def game(organiser):
    return make_game(by=organiser)


@pytest.fixture
def log(game, organiser, monkeypatch):
    monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 1_000)

    def log(winner, final):
        return make_hand(game, winner=winner, by=organiser, tiles="", claimed_final=final)

    return log


def stored(game):
    """Every version of its hands, what each pays, and what happened to the game."""
    game.refresh_from_db()
    payments = Payment.objects.filter(hand__game=game).order_by("pk")
    return (
        list(game.hands.order_by("pk").values_list("pk", "status", "final")),
        list(payments.values_list("hand", "player", "amount")),
        game.events.count(),
        game.league_id,
    )


def refused(game, *calls):
    """The one sentence with which all ``calls`` are refused; nothing is stored."""
    before, sentences = stored(game), set()
    for call in calls:
        with pytest.raises(ValidationError) as error:
            call()
        sentences.update(error.value.messages)
    assert stored(game) == before
    [sentence] = sentences
    return sentence


def test_a_correction_by_which_a_later_hand_pays_too_much_is_refused(game, log, organiser):
    first = log(0, 20)
    log(1, 200)
    entry = HandEntry(number=1, outcome="win", winner=game.players[2].pk, claimed_final=20)
    assert (
        refused(
            game,
            lambda: preview_correction(first, entry, by=organiser),
            lambda: correct_hand(first, entry, by=organiser, reason=WHY),
        )
        == SECOND
    )


def test_a_void_hand_after_which_a_later_one_pays_too_much_is_refused(game, log, organiser):
    """Without the win of South, East deals still."""
    first = log(1, 20)
    log(0, 200)
    assert (
        refused(
            game,
            lambda: preview_void(first, by=organiser),
            lambda: void_hand(first, by=organiser, reason=WHY),
        )
        == SECOND
    )


def test_a_restored_hand_after_which_a_later_one_pays_too_much_is_refused(game, log, organiser):
    first, second, _third = log(2, 20), log(1, 20), log(1, 20)
    void_hand(second, by=organiser, reason=WHY)
    void_hand(first, by=organiser, reason=WHY)
    third = game.hands.current().get()
    entry = HandEntry(number=3, outcome="win", winner=game.players[1].pk, claimed_final=200)
    correct_hand(third, entry, by=organiser, reason=WHY)
    sentence = refused(
        game,
        lambda: preview_restore(first, by=organiser),
        lambda: restore_hand(first, by=organiser, reason=WHY),
    )
    assert sentence == SECOND.replace("Hand 2", "Hand 3")


def test_a_restored_hand_that_pays_too_much_itself_is_refused(game, log, organiser, monkeypatch):
    hand = log(1, 200)
    void_hand(hand, by=organiser, reason=WHY)
    monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 700)
    sentence = refused(
        game,
        lambda: preview_restore(hand, by=organiser),
        lambda: restore_hand(hand, by=organiser, reason=WHY),
    )
    assert sentence == (
        "Hand 1 cannot be restored as it was: By these rules this hand pays more than 700 points: nobody "
        "can keep that. Change the rules."
    )


def test_a_change_of_seats_by_which_a_hand_pays_too_much_is_refused(game, log, organiser):
    log(1, 200)
    south, east, west, north = game.players[1], game.players[0], *game.players[2:]
    sentence = refused(
        game,
        lambda: preview_seats(game, [south, east, west, north], by=organiser),
        lambda: change_seats(game, [south, east, west, north], by=organiser, reason=WHY),
    )
    assert sentence == SECOND.replace("Hand 2", "Hand 1")


def test_a_move_to_rules_by_which_a_hand_pays_too_much_is_refused(game, organiser, monkeypatch):
    make_hand(game, winner=1, by=organiser, tiles="EEE SSS WWW NNN GG")
    [amount] = Payment.objects.filter(player=game.players[1]).values_list("amount", flat=True)
    monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", amount)
    rich = make_league(ruleset_version=make_ruleset_version(limit=5_000))
    day = game.evening
    sentence = refused(
        game,
        lambda: preview_move(game, league=rich, day=day, by=organiser),
        lambda: move_game(game, league=rich, day=day, by=organiser, reason=WHY),
    )
    assert sentence.startswith("Hand 1 would then pay more than ")


def test_a_hand_that_comes_out_as_it_was_moves_with_its_game(game, log, organiser, monkeypatch):
    """It was stored before there was a limit."""
    log(1, 200)
    monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 700)
    other = make_league(ruleset_version=game.ruleset_version)
    move_game(game, league=other, day=game.evening, by=organiser, reason=WHY)
    game.refresh_from_db()
    assert game.league == other
    assert list(verify()) == []
