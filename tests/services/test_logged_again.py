"""What was disputed at a position is disputed again, though the hand was declared void in between."""

import pytest

from scoring.models import Confirmations, Hand, Notice
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.queries.standings import standings
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import ask_for_late_hand, take_in_late_hand
from scoring.services.withdrawals import withdraw_game
from tests.factories import BOOK_HAND, make_hand

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "Looked again"
OTHER = "SSS 345B 55B 222D GGG"


@pytest.fixture
def hand(table, four):
    """A hand of 50, whose score South disputes."""
    hand = make_hand(table, winner=0, tiles="", claimed_final=50, by=four[0].user)
    return dispute_hand(hand, by=four[1].user, about="score")


def scored(four, final, *, winner=0):
    win = {"outcome": "win", "winner": four[winner].pk, "self_drawn": True}
    return HandEntry.from_json({"number": 1, **win, "claimed_final": final})


def corrected(hand, four, final, by):
    return correct_hand(hand, scored(four, final), by=by, reason=WHY).hand


def void(hand, by):
    return void_hand(hand, by=by, reason=WHY).hand


def logged(table, four, final, by):
    return record_hand(table, scored(four, final), by=by).hand


@pytest.mark.parametrize("who", [0, 2])
def test_a_void_hand_logged_again_is_disputed_again(table, hand, four, organiser, who):
    by = four[who].user
    void(corrected(hand, four, 60, by), by)
    again = logged(table, four, 50, by)
    assert again.status == Hand.Status.DISPUTED
    [dispute] = Confirmations(again, again.events.all()).disputes
    assert (dispute.player, dispute.by, dispute.about) == (four[1], four[1].user, "score")
    assert Notice.objects.filter(kind="dispute", recipient=organiser, params__hand=again.pk)
    assert [row.points for row in standings(table.league)] == []
    assert list(verify()) == []
    assert confirm_hand(again, by=four[1].user).status == Hand.Status.COUNTED


@pytest.mark.parametrize("tiles", [BOOK_HAND, " ".join(reversed(BOOK_HAND.split())), OTHER])
def test_a_void_hand_logged_again_as_the_next_one_is_disputed_again(table, four, tiles):
    by = four[0].user
    hand = make_hand(table, winner=0, tiles=BOOK_HAND, by=by)
    dispute_hand(hand, by=four[1].user, about="score")
    make_hand(table, by=by)
    void(corrected(hand, four, 60, by), by)
    again = make_hand(table, winner=0, tiles=tiles, by=by)
    assert again.number == 3
    assert again.disputed == (tiles != OTHER)
    make_hand(table, winner=2, tiles=BOOK_HAND, by=by)
    assert table.hands.get(number=4).undisputed


def test_a_void_hand_brought_back_by_a_correction_is_disputed_again(table, hand, four):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    other = logged(table, four, 70, four[0].user)
    assert other.status == Hand.Status.COUNTED
    assert corrected(other, four, 50, four[0].user).status == Hand.Status.DISPUTED


def test_a_hand_declared_void_twice_is_disputed_again(table, hand, four):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    void(logged(table, four, 70, four[2].user), four[2].user)
    assert logged(table, four, 50, four[0].user).status == Hand.Status.DISPUTED


def test_another_hand_at_the_place_of_a_void_one_counts(table, hand, four):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    assert logged(table, four, 60, four[0].user).status == Hand.Status.COUNTED


def test_what_its_disputer_declares_void_is_disputed_no_more(table, hand, four):
    void(hand, four[1].user)
    assert logged(table, four, 50, four[0].user).status == Hand.Status.COUNTED


def test_what_its_disputer_logs_again_is_disputed_no_more(table, hand, four):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    assert logged(table, four, 50, four[1].user).status == Hand.Status.COUNTED


def test_what_an_organiser_declares_void_is_disputed_no_more(table, hand, four, organiser):
    void(corrected(hand, four, 60, four[0].user), organiser)
    assert logged(table, four, 50, four[0].user).status == Hand.Status.COUNTED


def test_what_an_organiser_settled_once_logged_again_is_disputed_no_more(
    table, hand, four, organiser
):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    again = settle_hand(logged(table, four, 50, four[0].user), by=organiser, reason=WHY)
    dearer = corrected(again, four, 60, organiser)
    assert corrected(dearer, four, 50, organiser).status == Hand.Status.COUNTED


def test_a_late_hand_at_the_place_of_a_void_one_is_disputed_again(table, hand, four, organiser):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    close_evening(table.league, table.evening, by=organiser)
    ask_for_late_hand(table, scored(four, 50), by=four[0].user, key="late")
    again = take_in_late_hand(table.late_hands.get(), by=organiser)
    assert again.status == Hand.Status.DISPUTED
    assert list(verify()) == []


def test_a_finished_game_counts_what_was_logged_again_once_it_is_settled(
    table, hand, four, organiser
):
    void(corrected(hand, four, 60, four[0].user), four[0].user)
    again = logged(table, four, 50, four[0].user)
    finish_game(table, by=four[0].user)
    settle_hand(again, by=organiser, reason=WHY)
    assert [row.hands for row in standings(table.league)] == [1] * 4
    reopen_game(table, by=organiser, reason=WHY)
    assert list(verify()) == []


@pytest.mark.parametrize("who", [0, 2])
def test_nobody_withdraws_a_game_over_the_head_of_who_disputes(table, hand, four, organiser, who):
    with pytest.raises(PermissionDenied) as refused:
        withdraw_game(table, by=four[who].user, reason=WHY)
    assert f"{four[1]} disputes hand 1" in str(refused.value)
    assert withdraw_game(table, by=(four[1].user, organiser)[who // 2], reason=WHY).withdrawn
