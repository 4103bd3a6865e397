"""The others at the table confirm a hand, dispute it, or say nothing for long enough."""

import dataclasses
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from scoring.models import AuditEntry, Confirmations, Game, Hand, Player, Tally, TryCount
from scoring.models.game_tables import with_table
from scoring.models.permissions import PermissionDenied
from scoring.queries.standings import standings
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.errors import Conflict, TooManyAttempts
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.leagues import change_league
from scoring.services.pins import MOST_FAILURES, Proof, prove, set_pin
from scoring.web.hand.confirmation_status import confirmation_status
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "We looked at the tiles"


@pytest.fixture
def hand(table, four):
    return make_hand(table, winner=0, by=four[0].user)


def answers(hand, **about):
    hand = Hand.objects.get(pk=hand.pk)
    hand.game = with_table(Game.objects).get(pk=hand.game_id)
    return Confirmations(hand, hand.events.all(), **about)


def points(table):
    return [row.points for row in standings(table.league)]


class TestConfirming:
    def test_the_other_three_are_asked(self, hand, four):
        assert answers(hand).asked == four[1:]

    def test_all_four_are_asked_about_a_hand_that_an_organiser_logged(self, table, four, organiser):
        assert answers(make_hand(table, by=organiser)).asked == four

    def test_a_confirmation_is_kept_with_who_confirmed(self, hand, four):
        confirm_hand(hand, by=four[1].user)
        event = hand.events.get()
        assert (event.kind, event.player, event.by) == ("confirmed", four[1], four[1].user)

    def test_confirming_a_hand_twice_is_kept_once(self, hand, four):
        for _tap in range(2):
            confirm_hand(hand, by=four[1].user)
        assert hand.events.count() == 1

    def test_confirming_by_all_accepts_the_hand(self, hand, four):
        confirm_hand(hand, by=four[1].user)
        confirm_hand(hand, by=four[2].user)
        assert not answers(hand).accepted
        confirm_hand(hand, by=four[0].user, player=four[3])
        assert answers(hand).accepted

    def test_nobody_confirms_their_own_hand(self, hand, four):
        with pytest.raises(PermissionDenied, match="the others are asked"):
            confirm_hand(hand, by=four[0].user)

    def test_a_stranger_confirms_nothing(self, hand):
        with pytest.raises(PermissionDenied):
            confirm_hand(hand, by=make_member())


class TestPassingThePhone:
    def test_the_scorers_phone_takes_the_answers_of_the_other_players(self, hand, four):
        confirm_hand(hand, by=four[0].user, player=four[3])
        event = hand.events.get()
        assert (event.player, event.by) == (four[3], four[0].user)

    def test_an_organisers_phone_takes_the_answers_of_the_players(self, hand, four, organiser):
        dispute_hand(hand, by=organiser, player=four[3])
        assert hand.events.get().player == four[3]

    def test_the_phone_of_another_player_takes_no_answers_of_the_others(self, hand, four):
        with pytest.raises(PermissionDenied):
            confirm_hand(hand, by=four[1].user, player=four[3])

    @pytest.mark.parametrize("say", [confirm_hand, dispute_hand])
    def test_nobody_answers_for_an_account(self, hand, four, organiser, say):
        for by in (four[0].user, organiser):
            with pytest.raises(PermissionDenied, match="has an account"):
                say(hand, by=by, player=four[1])
        assert not hand.events.exists()

    def test_the_scorer_does_not_silence_a_dispute(self, hand, four):
        dispute_hand(hand, by=four[1].user)
        with pytest.raises(PermissionDenied, match="has an account"):
            confirm_hand(hand, by=four[0].user, player=four[1])
        assert answers(hand).disputed

    def test_a_pin_proves_who_holds_the_phone(self, table, hand, four):
        set_pin(four[1], "4711", by=four[1].user)
        proof = prove(four[1], "4711", game=table, by=four[0].user)
        confirm_hand(hand, by=four[0].user, player=four[1], proof=proof)
        event = hand.events.get()
        assert (event.kind, event.player, event.by) == ("confirmed", four[1], four[0].user)

    def test_a_pin_proves_nothing_about_others(self, hand, four):
        with pytest.raises(PermissionDenied, match="has an account"):
            confirm_hand(hand, by=four[0].user, player=four[1], proof=Proof(four[2].pk))

    def test_passing_the_phone_to_somebody_of_another_table_is_refused(self, hand, four):
        with pytest.raises(PermissionDenied, match="players of this table"):
            confirm_hand(hand, by=four[0].user, player=make_player())

    def test_an_organiser_who_does_not_play_has_no_answer(self, hand, organiser):
        with pytest.raises(PermissionDenied, match="players of this table"):
            confirm_hand(hand, by=organiser)


class TestAPin:
    @pytest.fixture
    def south(self, four):
        set_pin(four[1], "4711", by=four[1].user)
        return four[1]

    def wrong(self, table, south, by):
        with pytest.raises(PermissionDenied, match="not the PIN"):
            prove(south, "1234", game=table, by=by)

    def test_a_pin_is_kept_as_a_hash(self, south):
        south.refresh_from_db()
        assert south.pin
        assert "4711" not in south.pin

    @pytest.mark.parametrize("pin", ["123", "123456789", "12a4", "١٢٣٤", " 1234", "-123"])
    def test_a_pin_has_four_to_eight_digits(self, four, pin):
        with pytest.raises(ValidationError, match="4 to 8 digits"):
            set_pin(four[1], pin, by=four[1].user)

    def test_a_pin_is_set_by_its_owner_alone(self, four, organiser):
        for by in (four[0].user, organiser):
            with pytest.raises(PermissionDenied, match="their own PIN"):
                set_pin(four[1], "4711", by=by)

    def test_a_pin_of_a_player_without_an_account_is_given_by_organisers_alone(
        self, four, organiser
    ):
        with pytest.raises(PermissionDenied, match="their own PIN"):
            set_pin(four[3], "4711", by=four[0].user)
        set_pin(four[3], "4711", by=organiser)
        assert Player.objects.get(pk=four[3].pk).pin

    def test_a_pin_that_is_removed_proves_nothing(self, table, south, four):
        set_pin(south, "", by=south.user)
        with pytest.raises(PermissionDenied, match="has not set a PIN"):
            prove(south, "4711", game=table, by=four[0].user)

    def test_a_pin_is_locked_after_a_few_wrong_ones(self, table, south, four):
        for _attempt in range(MOST_FAILURES):
            self.wrong(table, Player.objects.get(pk=south.pk), four[0].user)
        with pytest.raises(TooManyAttempts) as refused:
            prove(south, "4711", game=table, by=four[0].user)
        assert 0 < refused.value.seconds <= 15 * 60

    def test_a_pin_works_again_after_a_while(self, table, south, four):
        long_ago = timezone.now() - timedelta(minutes=16)
        for _attempt in range(MOST_FAILURES):
            self.wrong(table, south, four[0].user)
        TryCount.objects.update(failed_at=long_ago)
        assert prove(south, "4711", game=table, by=four[0].user) == Proof(south.pk)
        assert not TryCount.objects.filter(failures__gt=0).exists()

    def test_a_pin_proves_nothing_to_who_does_not_play(self, table, south):
        with pytest.raises(PermissionDenied, match="four players"):
            prove(south, "4711", game=table, by=make_member())
        assert not TryCount.objects.exists()

    def test_the_audit_of_a_pin_does_not_hold_the_pin(self, south):
        noted = AuditEntry.objects.latest("pk")
        assert (noted.action, noted.subject_id) == ("set_pin", south.pk)
        assert noted.details == {"removed": False}


class TestADispute:
    def test_a_dispute_keeps_what_it_is_about_and_why(self, hand, four):
        dispute_hand(hand, by=four[1].user, about="tiles", reason="That was a 6")
        event = hand.events.get()
        assert (event.about, event.reason) == ("tiles", "That was a 6")

    def test_a_dispute_is_about_something_that_a_hand_has(self, hand, four):
        with pytest.raises(ValidationError, match="winner, discarder, tiles, score, other"):
            dispute_hand(hand, by=four[1].user, about="weather")

    def test_a_dispute_can_be_repeated_with_what_is_wrong(self, hand, four):
        dispute_hand(hand, by=four[1].user)
        dispute_hand(hand, by=four[1].user, about="winner")
        dispute_hand(hand, by=four[1].user)
        assert [event.about for event in hand.events.all()] == ["", "winner"]
        assert answers(hand).given[four[1].pk].about == "winner"

    def test_a_dispute_lets_the_points_wait(self, table, hand, four):
        dispute_hand(hand, by=four[1].user, reason="That was 6 of Bamboo")
        hand.refresh_from_db()
        assert hand.status == Hand.Status.DISPUTED
        assert points(table) == []
        assert set(Tally.objects.values_list("hands", "games", "best_hand")) == {(0, 0, 0)}
        assert hand.events.get().reason == "That was 6 of Bamboo"

    def test_a_dispute_leaves_the_deal_as_it_was_played(self, table, four):
        hand = make_hand(table, winner=1, by=four[0].user)
        dispute_hand(hand, by=four[2].user)
        table.refresh_from_db()
        assert (table.next_number, table.dealer_place) == (2, 1)

    def test_a_dispute_keeps_the_position(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        with pytest.raises(Conflict) as refused:
            make_hand(table, by=four[0].user, number=1)
        assert refused.value.hand == hand

    def test_a_dispute_of_the_first_hand_lets_the_game_count_from_the_next(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        make_hand(table, by=four[0].user)
        assert set(Tally.objects.values_list("hands", "games")) == {(1, 1)}
        confirm_hand(hand, by=four[1].user)
        assert set(Tally.objects.values_list("hands", "games")) == {(2, 1)}

    def test_a_dispute_that_is_withdrawn_lets_the_hand_count(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        confirm_hand(hand, by=four[1].user)
        assert points(table) == [420, -140, -140, -140]
        assert Tally.objects.get(player=four[0]).best_hand == 70

    def test_a_dispute_of_two_players_waits_for_both(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        dispute_hand(hand, by=four[2].user)
        confirm_hand(hand, by=four[1].user)
        assert points(table) == []
        confirm_hand(hand, by=four[2].user)
        assert len(points(table)) == 4

    def test_a_dispute_changes_the_rating_of_a_finished_game_until_it_is_settled(
        self, table, hand, four, organiser
    ):
        make_hand(table, winner=1, by=four[0].user)
        finish_game(table, by=four[0].user)
        before = list(table.ratings.order_by("player").values_list("mu", flat=True))
        dispute_hand(hand, by=four[1].user)
        assert before != list(table.ratings.order_by("player").values_list("mu", flat=True))
        settle_hand(hand, by=organiser, reason=WHY)
        assert before == list(table.ratings.order_by("player").values_list("mu", flat=True))

    def test_a_dispute_of_the_only_hand_rates_nobody(self, table, hand, four):
        finish_game(table, by=four[0].user)
        dispute_hand(hand, by=four[1].user)
        assert not table.ratings.exists()
        confirm_hand(hand, by=four[1].user)
        assert table.ratings.count() == 4

    def test_a_dispute_ends_with_a_correction(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        entry = HandEntry(number=1, outcome="draw")
        new = correct_hand(hand, entry, by=four[0].user, reason="Nobody won").hand
        assert new.status == Hand.Status.COUNTED
        assert points(table) == [0, 0, 0, 0]

    def test_a_dispute_ends_when_who_disputes_the_hand_declares_it_void(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        void_hand(hand, by=four[1].user, reason="Wrong table")
        assert points(table) == []
        assert set(Tally.objects.values_list("games", flat=True)) == {0}


class TestSettling:
    def test_an_organiser_who_corrects_a_disputed_hand_settles_it(
        self, table, hand, four, organiser
    ):
        dispute_hand(hand, by=four[1].user, about="score")
        drawn = HandEntry(number=1, outcome="draw")
        new = correct_hand(hand, drawn, by=organiser, reason=WHY).hand
        assert answers(new).settled
        for player in four[:2]:
            with pytest.raises(PermissionDenied, match="An organiser settled hand 1"):
                correct_hand(new, HandEntry.from_hand(hand), by=player.user, reason=WHY)
        with pytest.raises(Conflict) as refused:
            dispute_hand(new, by=four[1].user)
        assert refused.value.code == "accepted"

    def test_an_organiser_who_plays_at_the_table_corrects_as_a_player(
        self, table, hand, four, organiser
    ):
        four[2].user.groups.set(organiser.groups.all())
        by = User.objects.get(pk=four[2].user_id)
        dispute_hand(hand, by=four[1].user, about="score")
        drawn = HandEntry(number=1, outcome="draw")
        new = correct_hand(hand, drawn, by=by, reason=WHY).hand
        assert not answers(new).settled
        dispute_hand(new, by=four[1].user)

    def test_an_organiser_settles_no_dispute_that_the_correction_leaves(
        self, table, hand, four, organiser
    ):
        dispute_hand(hand, by=four[1].user, about="score")
        entry = HandEntry.from_hand(hand)
        other = dataclasses.replace(entry, discarder=four[2].pk)
        new = correct_hand(hand, other, by=organiser, reason=WHY).hand
        assert new.disputed
        assert not answers(new).settled

    def test_settling_a_dispute_lets_the_hand_stand_for_good(self, table, hand, four, organiser):
        dispute_hand(hand, by=four[1].user)
        settle_hand(hand, by=organiser, reason=WHY)
        assert len(points(table)) == 4
        assert answers(hand).accepted
        with pytest.raises(Conflict) as refused:
            dispute_hand(hand, by=four[2].user)
        assert refused.value.code == "accepted"

    def test_settling_a_dispute_is_for_organisers(self, hand, four):
        dispute_hand(hand, by=four[1].user)
        with pytest.raises(PermissionDenied):
            settle_hand(hand, by=four[0].user, reason=WHY)

    def test_settling_a_dispute_needs_a_reason(self, hand, four, organiser):
        dispute_hand(hand, by=four[1].user)
        with pytest.raises(ValidationError, match="Say why"):
            settle_hand(hand, by=organiser, reason="")

    def test_settling_a_dispute_leaves_the_hand_to_organisers(self, hand, four, organiser):
        dispute_hand(hand, by=four[1].user)
        settle_hand(hand, by=organiser, reason=WHY)
        entry = HandEntry(number=1, outcome="draw")
        for change in (
            lambda by: correct_hand(hand, entry, by=by, reason="Nobody won"),
            lambda by: void_hand(hand, by=by, reason="Wrong table"),
            lambda by: undo_hand(hand, by=by),
        ):
            with pytest.raises(PermissionDenied, match="only organisers can change it"):
                change(four[0].user)
        new = correct_hand(hand, entry, by=organiser, reason="Nobody won").hand
        assert answers(new).accepted
        with pytest.raises(PermissionDenied, match="only organisers can change it"):
            void_hand(new, by=four[0].user, reason="Wrong table")

    def test_settling_a_dispute_needs_a_dispute(self, hand, organiser):
        with pytest.raises(Conflict, match="Nobody disputes"):
            settle_hand(hand, by=organiser, reason=WHY)


class TestSilence:
    def test_silence_is_consent_after_the_time_the_league_sets(self, table, hand, four):
        table.league.hours_to_answer = 2
        table.league.save()
        at = hand.logged_at
        assert not answers(hand, now=at + timedelta(minutes=119)).accepted
        assert answers(hand, now=at + timedelta(minutes=120)).accepted
        Hand.objects.filter(pk=hand.pk).update(logged_at=timezone.now() - timedelta(hours=3))
        with pytest.raises(Conflict, match="counts as accepted"):
            dispute_hand(hand, by=four[1].user)

    def test_silence_does_not_settle_a_dispute(self, table, hand, four):
        dispute_hand(hand, by=four[1].user)
        Hand.objects.filter(pk=hand.pk).update(logged_at=timezone.now() - timedelta(days=9))
        assert not answers(hand).accepted
        confirm_hand(hand, by=four[1].user)
        assert answers(hand).accepted

    def test_silence_is_consent_when_the_evening_is_closed(self, table, hand, four, organiser):
        close_evening(table.league, table.evening, by=organiser)
        assert answers(hand).accepted
        with pytest.raises(PermissionDenied, match="closed"):
            dispute_hand(hand, by=four[1].user)


class TestALeagueThatAsksNobody:
    def test_a_league_that_asks_nobody_takes_no_answers(self, four):
        table = make_game(league=make_league(hours_to_answer=None), players=four)
        hand = make_hand(table, by=four[0].user)
        assert (answers(hand).asked, answers(hand).open, answers(hand).until) == ([], False, None)
        for say in (confirm_hand, dispute_hand):
            with pytest.raises(Conflict, match="asks nobody"):
                say(hand, by=four[1].user)

    def test_who_disputed_before_agrees_or_an_organiser_settles(self, table, hand, four, organiser):
        """The league asked when the hand was logged, or the game was moved to it."""
        dispute_hand(hand, by=four[1].user, about="score")
        change_league(table.league, hours_to_answer=None, by=organiser)
        table.league.refresh_from_db()
        hand = Hand.objects.get(pk=hand.pk)
        assert ([one.pk for one in answers(hand).asked], answers(hand).open) == ([four[1].pk], True)
        with pytest.raises(Conflict, match="asks nobody"):
            dispute_hand(hand, by=four[2].user)
        status = confirmation_status(hand, organiser)
        assert status.may_settle
        assert [(one.player, one.answer) for one in status.shown] == [(four[1], "disputed")]
        with transaction.atomic():
            settle_hand(hand, by=organiser, reason=WHY)
            hand.refresh_from_db()
            assert (answers(hand).asked, answers(hand).open) == ([], False)
            assert confirmation_status(hand, four[1].user).own is None
            transaction.set_rollback(True)
        hand.refresh_from_db()
        confirm_hand(hand, by=four[1].user)
        hand.refresh_from_db()
        assert (hand.disputed, answers(hand).open) == (False, False)


@pytest.mark.parametrize("about", ["", "score", "winner"])
def test_who_disputes_a_settled_hand_again_is_told_that_it_is_accepted(
    hand, four, organiser, about
):
    dispute_hand(hand, by=four[1].user, about="score")
    settle_hand(hand, by=organiser, reason=WHY)
    with pytest.raises(Conflict) as refused:
        dispute_hand(hand, by=four[1].user, about=about)
    assert refused.value.code == "accepted"
