"""Who logged a hand is its scorer, whoever corrects it or changes the seats; a change confirms nothing else."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import Confirmations, Hand
from scoring.models.permissions import PermissionDenied
from scoring.services.confirmations import confirm_hand, dispute_hand
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.seats import change_seats
from tests.factories import BOOK_HAND, make_hand

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "Looked again"


@pytest.fixture
def hands(table, four):
    """West wins both, which East logs."""
    return [make_hand(table, winner=2, discarder=four[1].pk, by=four[0].user) for _n in range(2)]


def standing(table, number):
    return table.hands.current().get(number=number)


def by_correcting(table, four):
    entry = {"number": 1, "outcome": "win", "winner": four[2].pk, "discarder": four[0].pk}
    entry = HandEntry.from_json({**entry, "tiles": BOOK_HAND})
    correct_hand(standing(table, 1), entry, by=four[2].user, reason=WHY)


def by_swapping_seats(table, four):
    seats = [four[1], four[0], *four[2:]]
    change_seats(table, seats, by=four[2].user, reason=WHY)


def by_a_draw(table, four):
    entry = HandEntry(number=1, outcome="draw")
    correct_hand(standing(table, 1), entry, by=four[2].user, reason=WHY)


CHANGES = pytest.mark.parametrize("change", [by_correcting, by_swapping_seats])


@CHANGES
def test_whoever_changes_a_hand_does_not_answer_for_a_guest(table, hands, four, change):
    dispute_hand(hands[0], by=four[0].user, player=four[3], about="winner")
    change(table, four)
    hand = standing(table, 1)
    with pytest.raises(PermissionDenied):
        confirm_hand(hand, by=four[2].user, player=four[3])
    with pytest.raises(ValidationError, match=str(four[3])):
        void_hand(hand, by=four[2].user, reason=WHY)
    assert standing(table, 1).status == Hand.Status.DISPUTED
    assert confirm_hand(hand, by=four[0].user, player=four[3]).status == Hand.Status.COUNTED


def test_whoever_logs_a_hand_again_does_not_answer_for_a_guest_who_disputed_it(table, four):
    first = make_hand(table, winner=2, discarder=four[1].pk, by=four[0].user)
    dispute_hand(first, by=four[0].user, player=four[3], about="score")
    entry = HandEntry(
        number=1, outcome="win", winner=four[2].pk, discarder=four[1].pk, claimed_final=60
    )
    void_hand(
        correct_hand(first, entry, by=four[2].user, reason=WHY).hand, by=four[2].user, reason=WHY
    )
    again = make_hand(table, winner=2, discarder=four[1].pk, by=four[2].user)
    assert again.status == Hand.Status.DISPUTED
    with pytest.raises(PermissionDenied):
        confirm_hand(again, by=four[2].user, player=four[3])
    with pytest.raises(ValidationError, match=str(four[3])):
        void_hand(again, by=four[2].user, reason=WHY)
    assert confirm_hand(again, by=four[0].user, player=four[3]).status == Hand.Status.COUNTED


@pytest.mark.parametrize(
    "changes", [[by_a_draw], [by_swapping_seats], [by_swapping_seats, by_a_draw]]
)
def test_whoever_changes_something_else_has_not_confirmed_a_hand(table, hands, four, changes):
    for change in changes:
        change(table, four)
    hand = standing(table, 2)
    assert hand.follows is not None
    assert four[2] in Confirmations(hand, hand.events.all()).asked
    assert dispute_hand(hand, by=four[2].user, about="score").status == Hand.Status.DISPUTED


def test_whoever_corrects_a_hand_has_confirmed_what_they_entered(table, hands, four):
    by_correcting(table, four)
    with pytest.raises(PermissionDenied, match="the others are asked"):
        confirm_hand(standing(table, 1), by=four[2].user)
    confirm_hand(standing(table, 1), by=four[0].user)


def test_the_scorer_is_not_asked_about_what_follows_from_their_own_correction(table, hands, four):
    entry = HandEntry(number=1, outcome="draw")
    correct_hand(standing(table, 1), entry, by=four[0].user, reason=WHY)
    hand = standing(table, 2)
    assert hand.follows == 1
    with pytest.raises(PermissionDenied, match="the others are asked"):
        confirm_hand(hand, by=four[0].user)
