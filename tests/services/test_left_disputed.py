"""A dispute outlives a correction that leaves what is disputed: the scorer does not silence it."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Confirmations, Hand, Notice
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.errors import Conflict
from scoring.services.hands.correct import correct_hand, preview_correction, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.seats import change_seats
from tests.factories import (
    BOOK_HAND,
    make_hand,
    make_player,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

OTHER_PAIR = "222B 345B 66B 222D GGG"
DEARER = "222B 345B 55B GGG RRR"


@pytest.fixture
def hand(table, four):
    """East wins on South's discard, and logs it."""
    return make_hand(table, winner=0, discarder=four[1].pk, by=four[0].user)


def won(four, *, winner=0, discarder: int | None = 1, **changes):
    entry = {"outcome": "win", "winner": four[winner].pk, "tiles": BOOK_HAND, **changes}
    entry["discarder"] = None if discarder is None else four[discarder].pk
    return HandEntry.from_json({"number": 1, **entry})


def correct(hand, entry, by):
    return correct_hand(hand, entry, by=by, reason="Looked again").hand


LEFT = [
    ("discarder", {"tiles": OTHER_PAIR}),
    ("discarder", {"winner": 3}),
    ("winner", {"discarder": 2}),
    ("winner", {"discarder": None, "self_drawn": True}),
    ("tiles", {"discarder": 2}),
    ("tiles", {"tiles": "GGG 222D 55B 345B 222B", "discarder": 2}),
    ("tiles", {"tiles": "", "claimed_final": 90}),
    ("tiles", {"tiles": "", "claimed_limit": "big_three_dragons"}),
    ("score", {"discarder": 2}),
    ("other", {"tiles": OTHER_PAIR}),
]
ANSWERED = [
    ("discarder", {"discarder": 2}),
    ("discarder", {"discarder": None, "self_drawn": True}),
    ("winner", {"winner": 2}),
    ("tiles", {"tiles": OTHER_PAIR}),
    ("score", {"tiles": DEARER}),
]


@pytest.mark.parametrize(("about", "changes"), LEFT)
def test_a_correction_that_leaves_what_is_disputed_keeps_the_dispute(hand, four, about, changes):
    dispute_hand(hand, by=four[1].user, about=about, reason="It was Wen")
    new = correct(hand, won(four, **changes), four[0].user)
    assert new.status == Hand.Status.DISPUTED
    [dispute] = Confirmations(new, new.events.all()).disputes
    assert (dispute.player, dispute.by, dispute.about) == (four[1], four[1].user, about)
    assert dispute.reason == "It was Wen"


@pytest.mark.parametrize(("about", "changes"), ANSWERED)
def test_a_correction_of_what_is_disputed_ends_the_dispute(hand, four, about, changes):
    dispute_hand(hand, by=four[1].user, about=about)
    new = correct(hand, won(four, **changes), four[0].user)
    assert new.status == Hand.Status.COUNTED
    assert not new.events.exists()


@pytest.mark.parametrize("about", ["winner", "discarder", "tiles", "score"])
def test_a_draw_ends_what_is_disputed_about_a_win(hand, four, about):
    dispute_hand(hand, by=four[1].user, about=about)
    new = correct(hand, HandEntry(number=1, outcome="draw"), four[0].user)
    assert new.status == Hand.Status.COUNTED


def test_words_stay_until_an_organiser_has_read_them(hand, four, organiser):
    dispute_hand(hand, by=four[1].user, reason="That was last week")
    new = correct(hand, won(four, tiles=OTHER_PAIR), four[0].user)
    assert new.status == Hand.Status.DISPUTED
    assert correct(new, won(four), organiser).status == Hand.Status.COUNTED


def test_who_disputes_may_correct_it(hand, four):
    dispute_hand(hand, by=four[1].user, about="discarder", reason="It was Wen")
    new = correct(hand, won(four, tiles=OTHER_PAIR), four[1].user)
    assert new.status == Hand.Status.COUNTED


def test_who_disputes_the_new_version_takes_it_back(hand, four):
    dispute_hand(hand, by=four[1].user, about="discarder")
    new = correct(hand, won(four, tiles=OTHER_PAIR), four[0].user)
    assert confirm_hand(new, by=four[1].user).status == Hand.Status.COUNTED


OTHER_CONTENT = {
    "": {"tiles": OTHER_PAIR},
    "winner": {"winner": 2},
    "discarder": {"discarder": 2},
    "tiles": {"tiles": OTHER_PAIR},
    "score": {"tiles": DEARER},
    "other": {"tiles": OTHER_PAIR},
}
EVERY_ABOUT = pytest.mark.parametrize("about", OTHER_CONTENT)


@EVERY_ABOUT
def test_two_corrections_that_bring_back_what_is_disputed_bring_back_the_dispute(hand, four, about):
    dispute_hand(hand, by=four[1].user, about=about)
    other = correct(hand, won(four, **OTHER_CONTENT[about]), four[0].user)
    again = correct(other, won(four), four[0].user)
    assert again.status == Hand.Status.DISPUTED
    [dispute] = Confirmations(again, again.events.all()).disputes
    assert (dispute.player, dispute.by, dispute.about) == (four[1], four[1].user, about)


def test_a_claimed_score_that_comes_back_is_disputed_again(table, four, organiser):
    def claimed(score):
        return won(four, tiles="", claimed_final=score)

    hand = make_hand(
        table, winner=0, discarder=four[1].pk, tiles="", claimed_final=50, by=four[0].user
    )
    dispute_hand(hand, by=four[1].user, about="score")
    asked = Notice.objects.filter(kind="dispute", recipient=organiser)
    other = correct(hand, claimed(60), four[0].user)
    assert (other.status, asked.exists()) == (Hand.Status.COUNTED, False)
    again = correct(other, claimed(50), four[0].user)
    assert (again.status, asked.get().params["hand"]) == (Hand.Status.DISPUTED, again.pk)
    assert Notice.objects.filter(kind="disputed", recipient=four[2].user, params__hand=again.pk)


@EVERY_ABOUT
def test_a_detour_however_long_does_not_end_a_dispute(hand, four, about):
    dispute_hand(hand, by=four[1].user, about=about)
    for _time in range(3):
        hand = correct(hand, HandEntry(number=1, outcome="draw"), four[2].user)
        hand = correct(hand, won(four, **OTHER_CONTENT[about]), four[0].user)
        hand = correct(hand, won(four), four[0].user)
        assert hand.status == Hand.Status.DISPUTED


def test_tiles_that_come_back_after_a_claim_are_disputed_still(hand, four):
    dispute_hand(hand, by=four[1].user, about="tiles")
    claim = correct(hand, won(four, tiles="", claimed_final=90), four[0].user)
    assert correct(claim, won(four), four[0].user).status == Hand.Status.DISPUTED


def test_the_same_tiles_in_another_order_end_no_dispute(hand, four):
    dispute_hand(hand, by=four[1].user)
    other = correct(hand, won(four, tiles=OTHER_PAIR), four[0].user)
    again = correct(other, won(four, tiles="GGG 222D 55B 345B 222B"), four[0].user)
    assert again.status == Hand.Status.DISPUTED


@EVERY_ABOUT
def test_what_who_disputes_put_right_is_disputed_when_it_is_put_wrong_again(hand, four, about):
    dispute_hand(hand, by=four[1].user, about=about)
    right = correct(hand, won(four, **OTHER_CONTENT[about]), four[1].user)
    assert right.status == Hand.Status.COUNTED
    assert correct(right, won(four), four[0].user).status == Hand.Status.DISPUTED


@EVERY_ABOUT
def test_what_who_disputes_agreed_to_comes_back_without_a_dispute(hand, four, about):
    dispute_hand(hand, by=four[1].user, about=about)
    other = correct(hand, won(four, **OTHER_CONTENT[about]), four[0].user)
    again = correct(other, won(four), four[0].user)
    confirm_hand(again, by=four[1].user)
    other = correct(again, won(four, **OTHER_CONTENT[about]), four[0].user)
    assert correct(other, won(four), four[0].user).status == Hand.Status.COUNTED


@EVERY_ABOUT
def test_who_brings_back_what_they_dispute_themselves_disputes_it_no_more(hand, four, about):
    dispute_hand(hand, by=four[1].user, about=about)
    other = correct(hand, won(four, **OTHER_CONTENT[about]), four[1].user)
    again = correct(other, won(four), four[1].user)
    assert again.status == Hand.Status.COUNTED
    assert correct(again, won(four, discarder=3), four[0].user).status == Hand.Status.COUNTED


def test_confirming_what_it_was_corrected_to_agrees_to_nothing_else(hand, four):
    dispute_hand(hand, by=four[1].user, about="score")
    dearer = correct(hand, won(four, tiles=DEARER), four[0].user)
    confirm_hand(dearer, by=four[1].user)
    assert correct(dearer, won(four), four[0].user).status == Hand.Status.DISPUTED


def test_what_an_organiser_settled_after_a_detour_is_disputed_no_more(hand, four, organiser):
    dispute_hand(hand, by=four[1].user, about="score")
    dearer = correct(hand, won(four, tiles=DEARER), four[0].user)
    again = correct(dearer, won(four), four[0].user)
    settle_hand(again, by=organiser, reason="We looked")
    dearer = correct(again, won(four, tiles=DEARER), organiser)
    assert correct(dearer, won(four), organiser).status == Hand.Status.COUNTED


def test_words_come_back_with_what_an_organiser_at_the_table_had_corrected(hand, four, organiser):
    four[2].user.groups.set(organiser.groups.all())
    dispute_hand(hand, by=four[1].user, reason="It was Wen")
    right = correct(hand, won(four, winner=2), User.objects.get(pk=four[2].user_id))
    assert right.status == Hand.Status.COUNTED
    assert correct(right, won(four), four[0].user).status == Hand.Status.DISPUTED


def test_a_dispute_comes_back_past_a_version_that_only_follows_another_hand(table, hand, four):
    second = make_hand(table, winner=0, discarder=four[1].pk, by=four[0].user)
    dispute_hand(second, by=four[1].user, about="tiles")
    other = correct(second, won(four, tiles=OTHER_PAIR, number=2), four[0].user)
    correct(hand, won(four, winner=2), four[0].user)
    follows = table.hands.current().get(number=2)
    assert (follows.supersedes, follows.status) == (other, Hand.Status.COUNTED)
    assert correct(follows, won(four, number=2), four[0].user).status == Hand.Status.DISPUTED


@pytest.mark.parametrize("settled", [False, True])
def test_a_dispute_of_a_moved_hand_that_is_over_there_does_not_come_back(
    table, hand, four, organiser, settled
):
    other = make_hand(table, by=four[0].user)
    dispute_hand(hand, by=four[1].user, about="tiles")
    moved = correct(other, won(four, number=2), four[0].user)
    assert moved.disputed
    if settled:
        settle_hand(moved, by=organiser, reason="It was so")
        moved.refresh_from_db()
        again = correct(moved, won(four, number=2, discarder=2), organiser)
    else:
        confirm_hand(moved, by=four[1].user)
        moved.refresh_from_db()
        again = correct(moved, won(four, number=2, discarder=2), four[0].user)
    assert again.status == Hand.Status.COUNTED


@pytest.mark.parametrize("about", ["tiles", "winner", "discarder", "score", "other", ""])
@pytest.mark.parametrize("first", ["the other", "the disputed one"])
def test_a_dispute_follows_a_hand_that_is_moved_to_another_number(table, hand, four, about, first):
    """By two corrections, in whichever order."""
    other = make_hand(table, by=four[0].user)
    dispute_hand(hand, by=four[1].user, about=about, reason="It was Wen")
    moves = [(other, won(four, number=2)), (hand, HandEntry(number=1, outcome="draw"))]
    for one, entry in moves if first == "the other" else reversed(moves):
        correct(one, entry, four[0].user)
    assert table.hands.current().get(number=2).disputed


def test_a_hand_that_is_corrected_to_what_was_disputed_at_another_number_is_disputed(
    table, hand, four
):
    dispute_hand(hand, by=four[1].user, about="tiles")
    draw = correct(hand, HandEntry(number=1, outcome="draw"), four[0].user)
    void_hand(draw, by=four[0].user, reason="A slip")
    make_hand(table, by=four[0].user)
    again = make_hand(table, winner=0, discarder=four[2].pk, by=four[0].user)
    assert again.status == Hand.Status.DISPUTED
    assert correct(again, won(four, number=2), four[0].user).status == Hand.Status.DISPUTED


def test_hands_disputed_before_cost_no_more_queries_than_one(table, four, organiser):
    """Whether the next hand is one of them is asked on each save, while the table waits."""

    def statements_of_a_hand() -> int:
        with CaptureQueriesContext(connection) as captured:
            make_hand(table, winner=0, discarder=four[2].pk, by=four[0].user)
        return len(captured)

    counts = []
    for _hand in range(4):
        disputed = make_hand(
            table, winner=0, discarder=four[1].pk, by=four[0].user, tiles=OTHER_PAIR
        )
        dispute_hand(disputed, by=four[1].user, about="tiles")
        settle_hand(disputed, by=organiser, reason="We looked")
        counts.append(statements_of_a_hand())
    assert counts == [counts[0]] * 4


def test_the_preview_says_that_a_dispute_comes_back(hand, four):
    dispute_hand(hand, by=four[1].user, about="score")
    dearer = correct(hand, won(four, tiles=DEARER), four[0].user)
    preview = preview_correction(dearer, won(four), by=four[0].user)
    assert [event.player for event in preview.disputes] == [four[1]]


def test_of_two_disputes_the_one_that_is_left_stays(hand, four):
    dispute_hand(hand, by=four[1].user, about="discarder")
    dispute_hand(hand, by=four[2].user, about="tiles")
    new = correct(hand, won(four, tiles=OTHER_PAIR), four[0].user)
    assert [one.player for one in Confirmations(new, new.events.all()).disputes] == [four[1]]


def test_what_was_taken_back_before_does_not_come_back(hand, four):
    dispute_hand(hand, by=four[1].user, about="discarder")
    confirm_hand(hand, by=four[1].user)
    new = correct(hand, won(four, tiles=OTHER_PAIR), four[0].user)
    assert new.status == Hand.Status.COUNTED
    assert not new.events.exists()


def test_organisers_are_asked_as_long_as_it_is_disputed(hand, four, organiser):
    dispute_hand(hand, by=four[1].user, about="discarder")
    new = correct(hand, won(four, tiles=OTHER_PAIR), four[0].user)
    assert Notice.objects.filter(kind="dispute", recipient=organiser).exists()
    correct(new, won(four, discarder=2), four[0].user)
    assert not Notice.objects.filter(kind="dispute").exists()


def test_a_preview_lists_disputes_that_stay_and_expires_with_a_new_one(hand, four):
    entry = won(four, tiles=OTHER_PAIR)
    before = preview_correction(hand, entry, by=four[0].user)
    assert list(before.disputes) == []
    dispute_hand(hand, by=four[1].user, about="discarder")
    after = preview_correction(hand, entry, by=four[0].user)
    assert [event.player for event in after.disputes] == [four[1]]
    with pytest.raises(Conflict, match="moved on"):
        correct_hand(hand, entry, by=four[0].user, reason="Wrong", expected_etag=before.etag)


@pytest.mark.parametrize("settled", [False, True])
def test_a_hand_that_is_disputed_or_settled_is_not_undone(hand, four, organiser, settled):
    # An organiser who logged it may change it, but not without a reason.
    Hand.objects.filter(pk=hand.pk).update(logged_by=organiser if settled else four[0].user)
    dispute_hand(hand, by=four[1].user, about="discarder")
    if settled:
        settle_hand(hand, by=organiser, reason="We looked")
    with pytest.raises(Conflict) as refused:
        undo_hand(hand, by=organiser if settled else four[0].user)
    assert refused.value.code == ("settled" if settled else "disputed")
    hand.refresh_from_db()
    assert hand.current


def test_a_dispute_comes_back_though_somebody_else_plays_for_the_winner(table, hand, four):
    dispute_hand(hand, by=four[1].user, about="winner")
    draw = correct(hand, HandEntry(number=1, outcome="draw"), four[1].user)
    seated = [make_player(), *four[1:]]
    change_seats(table, seated, by=four[0].user, reason="It was somebody else", anyway=True)
    draw = table.hands.current().get(number=draw.number)
    assert correct(draw, won(seated), four[2].user).status == Hand.Status.DISPUTED


@pytest.fixture
def claimed(table, four):
    """A hand of 50, as the table worked it out, whose score South disputes."""
    hand = make_hand(table, winner=0, tiles="", claimed_final=50, by=four[0].user)
    return dispute_hand(hand, by=four[1].user, about="score")


def scored(seated, final):
    entry = {"number": 1, "outcome": "win", "winner": seated[0].pk, "self_drawn": True}
    return HandEntry.from_json({**entry, "claimed_final": final})


def seat(table, players, by):
    change_seats(table, players, by=by, reason="It was somebody else", anyway=True)
    return table.hands.current().get(number=1)


@pytest.mark.parametrize("who", [0, 2])
def test_replacing_who_disputes_for_a_while_does_not_silence_them(
    table, claimed, four, organiser, who
):
    by = four[who].user
    correct(claimed, scored(four, 60), by)
    seated = [four[0], make_player(), *four[2:]]
    dearer = seat(table, seated, by)
    again = correct(dearer, scored(seated, 50), by)
    assert again.status == Hand.Status.DISPUTED
    assert Notice.objects.filter(kind="dispute", recipient=organiser, params__hand=again.pk)
    back = seat(table, four, by)
    assert back.status == Hand.Status.DISPUTED
    assert confirm_hand(back, by=four[1].user).status == Hand.Status.COUNTED


def test_an_organiser_settles_what_somebody_disputes_who_is_gone(table, claimed, four, organiser):
    correct(claimed, scored(four, 60), four[0].user)
    seated = [four[0], make_player(), *four[2:]]
    again = correct(seat(table, seated, four[0].user), scored(seated, 50), four[0].user)
    settled = settle_hand(again, by=organiser, reason="We looked")
    assert settled.status == Hand.Status.COUNTED
    dearer = correct(settled, scored(seated, 60), organiser)
    assert correct(dearer, scored(seated, 50), organiser).status == Hand.Status.COUNTED


def test_whom_an_organiser_replaces_disputes_it_no_more(table, claimed, four, organiser):
    seated = [four[0], make_player(), *four[2:]]
    hand = seat(table, seated, organiser)
    assert hand.status == Hand.Status.COUNTED
    other = correct(hand, scored(seated, 60), four[0].user)
    assert correct(other, scored(seated, 50), four[0].user).status == Hand.Status.COUNTED
