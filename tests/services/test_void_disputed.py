"""A disputed hand is void when who disputes it, or an organiser, says so: nobody else makes it go away."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import Hand, Notice
from scoring.models.permissions import PermissionDenied
from scoring.services.confirmations import confirm_hand, dispute_hand
from scoring.services.hands.correct import correct_hand, preview_void, void_hand
from scoring.services.hands.entry import HandEntry
from tests.factories import make_hand, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "This never happened"


@pytest.fixture
def hand(table, four):
    """East wins on South's discard, and logs it; two hands follow."""
    first = make_hand(table, winner=0, discarder=four[1].pk, by=four[0].user)
    for winner in (2, 1):
        make_hand(table, winner=winner, by=four[0].user)
    return first


@pytest.mark.parametrize("about", ["", "winner", "discarder", "tiles", "score", "other"])
@pytest.mark.parametrize("who", [0, 2])
def test_nobody_else_at_the_table_declares_a_disputed_hand_void(hand, four, about, who):
    dispute_hand(hand, by=four[1].user, about=about)
    for declare in (preview_void, lambda *args, **by: void_hand(*args, **by, reason=WHY)):
        with pytest.raises(ValidationError) as refused:
            declare(hand, by=four[who].user)
        [sentence] = refused.value.messages
        assert f"{four[1]} or an organiser declares it void" in sentence
        assert refused.value.error_dict["__all__"][0].code == "disputed"
    hand.refresh_from_db()
    assert hand.status == Hand.Status.DISPUTED


def test_who_disputes_a_hand_declares_it_void_and_the_others_hear_of_it(hand, four, organiser):
    dispute_hand(hand, by=four[1].user, reason=WHY)
    assert Notice.objects.filter(kind="dispute", recipient=organiser).exists()
    void_hand(hand, by=four[1].user, reason=WHY)
    notices = Notice.objects.filter(kind="corrected", params__void=True)
    assert {notice.recipient_id for notice in notices} == {four[0].user_id, four[2].user_id}
    assert not Notice.objects.filter(kind="dispute").exists()


def test_an_organiser_declares_a_disputed_hand_void(hand, four, organiser):
    dispute_hand(hand, by=four[1].user, reason=WHY)
    assert void_hand(hand, by=organiser, reason=WHY).hand.status == Hand.Status.VOID


def test_of_two_disputes_one_is_enough_to_keep_the_hand(hand, four):
    dispute_hand(hand, by=four[1].user)
    dispute_hand(hand, by=four[2].user)
    with pytest.raises(ValidationError, match=str(four[2])):
        void_hand(hand, by=four[1].user, reason=WHY)
    confirm_hand(hand, by=four[2].user)
    assert void_hand(hand, by=four[1].user, reason=WHY).hand.status == Hand.Status.VOID


def test_the_phone_that_answers_for_a_guest_declares_what_the_guest_disputes_void(hand, four):
    dispute_hand(hand, by=four[0].user, player=four[3])
    with pytest.raises(ValidationError, match=str(four[3])):
        void_hand(hand, by=four[1].user, reason=WHY)
    assert void_hand(hand, by=four[0].user, reason=WHY).hand.status == Hand.Status.VOID


def test_a_dispute_that_was_taken_back_keeps_no_hand(hand, four):
    dispute_hand(hand, by=four[1].user)
    confirm_hand(hand, by=four[1].user)
    assert void_hand(hand, by=four[0].user, reason=WHY).hand.status == Hand.Status.VOID


def test_a_disputed_hand_that_follows_another_one_is_kept_as_it_was(hand, four):
    second = hand.game.hands.get(number=2)
    dispute_hand(second, by=four[1].user, about="score")
    correct_hand(hand, HandEntry(number=1, outcome="draw"), by=four[0].user, reason="A slip")
    with pytest.raises(ValidationError, match=str(four[1])):
        void_hand(hand.game.hands.current().get(number=2), by=four[0].user, reason=WHY)


def test_a_stranger_reads_that_it_is_for_the_table(hand, four):
    dispute_hand(hand, by=four[1].user)
    with pytest.raises(PermissionDenied):
        void_hand(hand, by=make_member(), reason=WHY)
