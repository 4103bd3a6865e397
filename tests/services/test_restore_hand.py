"""Restoring a hand that was declared void or undone: it is as before, or why it cannot be is said."""

import random

import pytest
from django.core.exceptions import ValidationError

from scoring.models import AuditEntry, Confirmations, Game, Hand, Notice, Tally
from scoring.models.permissions import PermissionDenied
from scoring.models.scorers import entered_by, scorer_of
from scoring.operations.verify import verify
from scoring.queries.histories import history_of
from scoring.queries.standings import standings
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.restore import may_restore, preview_restore, restore_hand
from scoring.services.seats import change_seats
from tests.factories import BOOK_HAND, make_game, make_hand, make_member, make_player
from tests.support.effort import tries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "It was played after all"
OTHER = "SSS 345B 55B 222D GGG"


@pytest.fixture
def log(table, four):
    def log(*winners):
        return [make_hand(table, winner=winner, by=four[0].user) for winner in winners]

    return log


def void(hand, by):
    return void_hand(hand, by=by, reason="A slip").hand


def restored(hand, by):
    return restore_hand(hand, by=by, reason=WHY).hand


def refusal(hand, by, error=Conflict):
    """What restoring ``hand`` is refused with, which its preview says as well.

    Nobody is offered it, but for what only playing it again tells.
    """
    with pytest.raises(error) as refused:
        restored(hand, by)
    with pytest.raises(error) as seen:
        preview_restore(hand, by=by)
    assert str(seen.value) == str(refused.value)
    errors = getattr(refused.value, "error_dict", {})
    codes = {one.code for some in errors.values() for one in some}
    if not codes & {"game_over_before", "impossible_later_hand"}:
        assert not may_restore(Hand.objects.get(pk=hand.pk), by)
    return refused.value


def stands(table):
    """All that hangs on the hands that stand: winds, scores, payments, disputes, sums and the deal."""
    table = Game.objects.get(pk=table.pk)
    hands = [
        (
            *(hand.number, hand.status, hand.prevailing, hand.dealer_id, hand.seat, hand.final),
            *(hand.counters, hand.sticks, hand.played_at, hand.ruleset_version_id, hand.round_id),
            HandEntry.from_hand(hand),
            list(hand.payments.order_by("player").values_list("player", "amount")),
            sorted(event.player_id for event in Confirmations(hand, hand.events.all()).disputes),
        )
        for hand in table.hands.current().order_by("number")
    ]
    tallies = Tally.objects.filter(league=table.league_id).order_by("player")
    sums = list(tallies.values_list("player", "points", "hands", "wins", "games", "best_hand"))
    rated = list(table.ratings.order_by("player").values_list("player", "mu", "sigma"))
    return hands, sums, rated, table.state, standings(table.league)


class TestAsBefore:
    def test_a_hand_in_the_middle_stands_at_its_number_again(self, table, log, four):
        _first, second, _third = log(1, 2, 3)
        before = stands(table)
        gone = void(second, four[1].user)
        new = restored(gone, four[2].user)
        assert stands(table) == before
        assert (new.number, new.version, new.supersedes) == (2, 2, gone)
        assert (new.reason, new.logged_by, new.follows) == (WHY, four[2].user, None)
        gone.refresh_from_db()
        assert gone.status == Hand.Status.VOID

    def test_the_last_hand_of_a_finished_game_ends_it_again(self, table, four):
        while not table.finished:
            last = make_hand(table, winner=(table.dealer_place + 1) % 4, by=four[0].user)
            table.refresh_from_db()
        before = stands(table)
        restored(void(last, four[0].user), four[0].user)
        assert stands(table) == before

    def test_hands_come_back_in_any_order(self, table, log, four):
        _one, two, three, four_ = log(1, 2, 3, 1)
        before = stands(table)
        for hand in (four_, three, two):
            void(table.hands.current().get(number=hand.number), four[0].user)
        for number in (3, 2, 4):
            gone = table.hands.filter(number=number, status="void").last()
            restored(gone, four[0].user)
        assert stands(table) == before

    def test_a_hand_that_was_undone_comes_back(self, table, log, four):
        (hand,) = log(1)
        before = stands(table)
        undo_hand(hand, by=four[0].user)
        restored(hand, four[1].user)
        assert stands(table)[1:] == before[1:]

    def test_a_restored_hand_can_be_void_and_come_back_again(self, table, log, four):
        (hand,) = log(1)
        for _time in range(2):
            hand = restored(void(hand, four[0].user), four[0].user)
        assert (hand.version, hand.status) == (3, Hand.Status.COUNTED)

    @pytest.mark.each_case
    @pytest.mark.parametrize("seed", range(tries(6, 60)))
    def test_restoring_what_was_voided_leaves_everything_as_it_was(self, four, organiser, seed):
        chance = random.Random(seed)
        table = make_game(players=four, by=organiser)
        for _hand in range(chance.randint(2, 18)):
            table.refresh_from_db()
            if not table.finished:
                self.log_any(table, four, chance)
        hands = list(table.hands.current())
        for hand in chance.sample(hands, min(2, len(hands))):
            dispute_hand(hand, by=four[1].user, about=chance.choice(["", "score", "tiles"]))
        before = stands(table)
        gone = []
        for _time in range(chance.randint(1, 4)):
            standing = list(table.hands.current())
            hand = chance.choice(standing) if standing else None
            try:
                gone += [void(hand, organiser)] if hand else []
            except ValidationError:
                continue
        # The last one first: in between, the game could have been over too early.
        for hand in reversed(gone):
            restored(hand, organiser)
        assert stands(table) == before
        assert list(verify()) == []

    def log_any(self, table, four, chance):
        winner = chance.choice([None, 0, 1, 2, 3])
        entry = {}
        if winner is not None:
            entry = chance.choice(
                [{}, {"tiles": OTHER}, {"tiles": "", "claimed_final": chance.choice([50, 80])}]
            )
            discarder = chance.choice([None, *(place for place in range(4) if place != winner)])
            if discarder is not None:
                entry = {**entry, "discarder": four[discarder].pk}
        make_hand(table, winner=winner, by=four[0].user, **entry)


class TestAnswers:
    def test_a_dispute_that_stood_comes_back_with_its_hand(self, table, log, four, organiser):
        hand, _next = log(1, 2)
        dispute_hand(hand, by=four[2].user, about="score", reason="Not 70")
        new = restored(void(hand, four[2].user), four[0].user)
        assert new.status == Hand.Status.DISPUTED
        [dispute] = Confirmations(new, new.events.all()).disputes
        assert (dispute.player, dispute.about, dispute.reason) == (four[2], "score", "Not 70")
        assert Notice.objects.filter(kind="dispute", recipient=organiser, params__hand=new.pk)
        assert confirm_hand(new, by=four[2].user).status == Hand.Status.COUNTED

    def test_confirmations_come_back_and_who_restores_has_entered_nothing(self, table, log, four):
        (hand,) = log(1)
        confirm_hand(hand, by=four[1].user)
        new = restored(void(hand, four[0].user), four[2].user)
        answers = Confirmations(new, new.events.all())
        confirmed = {pk for pk, event in answers.given.items() if event.kind == "confirmed"}
        assert confirmed == {four[0].pk, four[1].pk}
        assert (scorer_of(new), entered_by(new)) == (four[0].user_id, None)
        assert four[2] in answers.asked

    def test_the_scorer_who_restores_has_still_entered_it(self, table, log, four):
        (hand,) = log(1)
        new = restored(void(hand, four[1].user), four[0].user)
        assert entered_by(new) == four[0].user_id

    @pytest.mark.parametrize("meanwhile", ["void by who disputes it", "seats are swapped"])
    def test_who_logged_a_hand_and_disputes_it_later_still_does(
        self, table, log, four, organiser, meanwhile
    ):
        (hand,) = log(1)
        new = restored(void(hand, four[1].user), four[2].user)
        dispute_hand(new, by=four[0].user, about="score")
        by = four[0].user
        if meanwhile == "seats are swapped":
            change_seats(table, [four[1], four[0], *four[2:]], by=by, reason="So they sat")
            by = organiser
        else:
            new = restored(void(new, by), by)
        gone = void(table.hands.current().get(), by)
        new = restored(gone, organiser)
        assert new.status == Hand.Status.DISPUTED
        [dispute] = Confirmations(new, new.events.all()).disputes
        assert dispute.player == four[0]
        with pytest.raises(ValidationError, match=f"{four[0]} disputes"):
            void(new, four[1].user)

    def test_who_confirmed_is_asked_again_where_others_pay_now(self, table, log, four):
        first, second = log(1, 2)
        confirm_hand(second, by=four[1].user)
        gone = void(second, four[0].user)
        # East stays the dealer, and won by South pays others.
        correct_hand(
            first,
            HandEntry(number=1, outcome="draw"),
            by=four[0].user,
            reason="A draw",
        )
        new = restored(gone, four[0].user)
        assert new.dealer == four[0]
        assert not Confirmations(new, new.events.all()).given

    def test_what_was_disputed_before_its_correction_is_disputed_again(self, table, four):
        def scored(final):
            win = {"outcome": "win", "winner": four[0].pk, "self_drawn": True}
            return HandEntry.from_json({"number": 1, **win, "claimed_final": final})

        def corrected(hand, final):
            return correct_hand(hand, scored(final), by=four[0].user, reason="Again").hand

        hand = make_hand(table, winner=0, tiles="", claimed_final=50, by=four[0].user)
        dispute_hand(hand, by=four[1].user, about="score")
        new = restored(void(corrected(hand, 60), four[0].user), four[0].user)
        assert new.status == Hand.Status.COUNTED
        assert corrected(new, 50).status == Hand.Status.DISPUTED

    def test_what_was_disputed_meanwhile_is_not_silenced_by_it(self, table, four):
        def claimed(final):
            return {"tiles": "", "claimed_final": final, "by": four[0].user}

        first = void(make_hand(table, winner=0, **claimed(50)), four[0].user)
        again = make_hand(table, winner=0, **claimed(50))
        dispute_hand(again, by=four[1].user, about="score")
        win = {"outcome": "win", "winner": four[0].pk, "claimed_final": 60}
        entry = HandEntry.from_json({"number": 1, **win})
        corrected = correct_hand(again, entry, by=four[0].user, reason="Counted again").hand
        void(corrected, four[0].user)
        assert restored(first, four[0].user).status == Hand.Status.DISPUTED

    def test_a_settled_hand_comes_back_settled_and_only_organisers_restore_it(
        self, table, log, four, organiser
    ):
        (hand,) = log(1)
        dispute_hand(hand, by=four[2].user)
        settle_hand(hand, by=organiser, reason="Counted it myself")
        gone = void(hand, organiser)
        assert "only organisers can restore it" in str(
            refusal(gone, four[0].user, PermissionDenied)
        )
        new = restored(gone, organiser)
        assert new.status == Hand.Status.COUNTED
        assert Confirmations(new, new.events.all()).settled.reason == "Counted it myself"

    def test_a_dispute_that_an_organiser_ended_so_is_theirs(self, log, four, organiser):
        (hand,) = log(1)
        dispute_hand(hand, by=four[2].user)
        gone = void(hand, organiser)
        refusal(gone, four[0].user, PermissionDenied)
        assert restored(gone, organiser).status == Hand.Status.DISPUTED


class TestWhoAndWhatIsWritten:
    def test_the_history_says_who_restored_a_hand_and_why(self, table, log, four):
        (hand,) = log(1)
        new = restored(void(hand, four[0].user), four[1].user)
        steps = history_of(new, Hand.objects.with_people()).steps
        assert [step.what for step in steps] == ["logged", "void", "restored"]
        last = steps[-1]
        assert (last.who, last.why, last.before, last.after) == (four[1].user, WHY, None, new)

    def test_the_others_hear_that_a_hand_was_restored(self, log, four):
        (hand,) = log(1)
        restored(void(hand, four[0].user), four[1].user)
        notices = Notice.objects.filter(kind="corrected", params__restored=True)
        assert {notice.recipient_id for notice in notices} == {four[0].user_id, four[2].user_id}
        assert AuditEntry.objects.filter(action="restore_hand", by=four[1].user).exists()

    @pytest.mark.parametrize("reason", [" ", "\u202e\u200b"])
    def test_restoring_a_hand_needs_a_reason(self, log, four, reason):
        (hand,) = log(1)
        gone = void(hand, four[0].user)
        with pytest.raises(ValidationError, match="Say why"):
            restore_hand(gone, by=four[0].user, reason=reason)

    def test_restoring_a_hand_is_not_for_strangers(self, log, four):
        (hand,) = log(1)
        refusal(void(hand, four[0].user), make_member(), PermissionDenied)

    def test_restoring_a_hand_of_a_closed_evening_is_for_organisers(
        self, table, log, four, organiser
    ):
        (hand,) = log(1)
        gone = void(hand, four[0].user)
        close_evening(table.league, table.evening, by=organiser)
        assert refusal(gone, four[0].user, PermissionDenied).code == "evening_closed"
        assert restored(gone, organiser).status == Hand.Status.COUNTED

    def test_the_preview_of_restoring_shows_what_will_change(self, table, log, four):
        first, _second = log(1, 2)
        gone = void(first, four[0].user)
        seen = preview_restore(gone, by=four[0].user)
        assert [change.number for change in seen.changes] == [1, 2]
        assert seen.changes[0].paid_before == {player.pk: 0 for player in four}
        done = restore_hand(gone, by=four[0].user, reason=WHY, expected_etag=seen.etag)
        assert done.state == seen.state
        with pytest.raises(Conflict) as refused:
            restore_hand(gone, by=four[0].user, reason=WHY, expected_etag=seen.etag)
        assert refused.value.code == "no_longer_stands"


class TestRefused:
    def test_a_hand_that_stands_has_nothing_to_restore(self, log, four):
        (hand,) = log(1)
        error = refusal(hand, four[0].user)
        assert (error.code, error.hand) == ("not_void", hand)

    def test_a_hand_is_restored_once(self, log, four):
        (hand,) = log(1)
        gone = void(hand, four[0].user)
        new = restored(gone, four[0].user)
        error = refusal(gone, four[0].user)
        assert (error.code, error.hand) == ("no_longer_stands", new)

    def test_another_hand_at_its_number_is_named(self, table, log, four):
        (hand,) = log(1)
        gone = void(hand, four[0].user)
        (other,) = log(2)
        error = refusal(gone, four[0].user)
        assert (error.code, error.hand) == ("place_taken", other)
        assert "Another hand is number 1" in str(error)
        void(other, four[0].user)
        assert restored(gone, four[0].user).number == 1

    def test_an_undone_hand_that_was_logged_again_needs_no_restoring(self, log, four):
        (hand,) = log(1)
        undo_hand(hand, by=four[0].user)
        (again,) = log(1)
        error = refusal(hand, four[0].user)
        assert (error.code, error.hand) == ("place_taken", again)
        assert "logged again since" in str(error)

    def test_a_hand_played_since_keeps_its_place_before_it(self, table, log, four):
        log(1)
        second, third = log(2, 3)
        gone = void(third, four[0].user)
        void(second, four[0].user)
        log(1)
        error = refusal(gone, four[0].user)
        assert error.code == "place_taken"
        assert "Hand 2 was played after this one" in str(error)

    def test_a_hand_keeps_its_place_before_one_that_was_played_earlier(self, table, log, four):
        log(1)
        second, third = log(2, 3)
        gone = void(third, four[0].user)
        void(second, four[0].user)
        (later,) = log(1)
        later = void(later, four[0].user)
        restored(gone, four[0].user)
        error = refusal(later, four[0].user)
        assert error.code == "place_taken"
        assert "Hand 3 was played before this one" in str(error)

    def test_an_undo_that_is_asked_again_after_its_hand_was_restored_says_so(
        self, table, log, four
    ):
        (hand,) = log(1)
        undo_hand(hand, by=four[0].user)
        undo_hand(hand, by=four[0].user)
        new = restored(hand, four[1].user)
        with pytest.raises(Conflict, match="taken back and restored since") as refused:
            undo_hand(hand, by=four[0].user)
        assert (refused.value.code, refused.value.hand) == ("restored", new)

    @pytest.mark.parametrize("tiles", [BOOK_HAND, " ".join(reversed(BOOK_HAND.split()))])
    def test_a_hand_logged_again_at_the_end_does_not_count_twice(self, table, log, four, tiles):
        first, _second = log(1, 2)
        gone = void(first, four[0].user)
        again = make_hand(table, winner=1, tiles=tiles, by=four[0].user)
        error = refusal(gone, four[0].user)
        assert (error.code, error.hand) == ("logged_again", again)
        void(again, four[0].user)
        new = restored(gone, four[0].user)
        error = refusal(again, four[0].user)
        assert (error.code, error.hand) == ("logged_again", new)

    @pytest.mark.parametrize("right", ["discarder", "self_drawn"])
    @pytest.mark.parametrize("drawn", [0, 1])
    def test_a_hand_logged_again_with_what_was_wrong_put_right_does_not_count_twice(
        self, table, log, four, right, drawn
    ):
        hand = make_hand(table, winner=1, discarder=four[0].pk, by=four[0].user)
        for _hand in range(drawn):
            log(None)
        gone = void(hand, four[0].user)
        won = {"discarder": four[2].pk} if right == "discarder" else {"self_drawn": True}
        again = make_hand(table, winner=1, by=four[0].user, **won)
        error = refusal(gone, four[0].user)
        # As the last hand it leaves its number to the one that is logged again.
        code = "logged_again" if drawn else "place_taken"
        assert (error.code, error.hand) == (code, again)
        assert "logged again" in str(error)

    def test_a_hand_of_others_is_not_restored(self, table, log, four, organiser):
        hand, _next = log(1, 2)
        gone = void(hand, four[0].user)
        players = [*four[:3], make_player()]
        change_seats(table, players, by=organiser, reason="Somebody else", anyway=True)
        error = refusal(gone, organiser, ValidationError)
        assert "played by others" in error.messages[0]
        change_seats(table, four, by=organiser, reason="It was not", anyway=True)
        assert restored(gone, organiser).number == 1

    def test_a_hand_after_which_the_game_would_be_over_too_early_is_refused(self, table, four):
        def deal_passes():
            make_hand(table, winner=(table.dealer_place + 1) % 4, by=four[0].user)
            table.refresh_from_db()

        deal_passes()
        gone = void(table.hands.get(), four[0].user)
        table.refresh_from_db()
        make_hand(table, winner=None, by=four[0].user)
        assert refusal(gone, four[0].user).code == "place_taken"
        second = make_hand(table, winner=1, by=four[0].user)
        table.refresh_from_db()
        while not table.finished:
            deal_passes()
        gone = void(second, four[0].user)
        table.refresh_from_db()
        deal_passes()
        table.refresh_from_db()
        assert table.finished
        error = refusal(gone, four[0].user, ValidationError)
        assert "over before hand 18" in error.messages[0]
