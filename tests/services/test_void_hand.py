"""Declaring a hand void, and undoing the one just logged."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.models import Hand, HandEvent, Tally
from scoring.models.permissions import PermissionDenied
from scoring.queries.standings import standings
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening
from scoring.services.hands.correct import (
    UNDO_FOR,
    correct_hand,
    preview_void,
    undo_hand,
    void_hand,
)
from scoring.services.hands.entry import HandEntry
from tests.factories import make_game, make_hand, make_member, make_organiser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "They mixed two games"


@pytest.fixture
def game(organiser):
    return make_game(by=organiser)


@pytest.fixture
def log(game, organiser):
    def log(*winners):
        return [make_hand(game, winner=winner, by=organiser) for winner in winners]

    return log


def numbers(game):
    return list(game.hands.current().order_by("number").values_list("number", flat=True))


class TestVoid:
    def test_the_only_hand_leaves_nothing_behind(self, game, log, organiser):
        (hand,) = log(1)
        revised = void_hand(hand, by=organiser, reason=WHY)
        assert standings(game.league) == []
        assert set(Tally.objects.values_list("points", "hands", "games", "best_hand")) == {
            (0, 0, 0, 0)
        }
        assert (revised.hand.status, revised.state.number) == (Hand.Status.VOID, 1)

    def test_voiding_a_hand_says_who_and_why(self, game, log, organiser):
        (hand,) = log(1)
        void_hand(hand, by=organiser, reason=WHY)
        event = hand.events.get()
        assert (event.kind, event.by, event.reason) == (HandEvent.Kind.VOID, organiser, WHY)
        assert [paid.amount for paid in hand.payments.all()] == [-140, 280, -70, -70]

    def test_the_last_gives_its_number_to_the_next(self, game, log, organiser):
        _first, last = log(1, 2)
        void_hand(last, by=organiser, reason=WHY)
        (again,) = log(3)
        assert (again.number, again.version, again.dealer) == (2, 2, game.players[1])

    def test_voiding_a_hand_in_the_middle_leaves_its_number_empty(self, game, log, organiser):
        _first, second, _third = log(1, 2, 3)
        void_hand(second, by=organiser, reason=WHY)
        assert numbers(game) == [1, 3]
        game.refresh_from_db()
        assert game.next_number == 4
        third = game.hands.current().get(number=3)
        assert (third.dealer, third.version) == (game.players[1], 2)

    def test_voiding_the_last_hand_goes_back_beyond_numbers_that_are_empty(
        self, game, log, organiser
    ):
        _first, second, third = log(1, 2, 3)
        void_hand(second, by=organiser, reason=WHY)
        third = game.hands.current().get(number=3)
        assert void_hand(third, by=organiser, reason=WHY).state.number == 2

    def test_after_the_first_hand_is_void_the_game_counts_by_its_second(self, game, log, organiser):
        first, _second = log(1, None)
        void_hand(first, by=organiser, reason=WHY)
        assert set(Tally.objects.values_list("hands", "games")) == {(1, 1)}

    def test_voiding_the_last_hand_of_a_finished_game_opens_it_again(self, game, organiser):
        while not game.finished:
            last = make_hand(game, winner=(game.dealer_place + 1) % 4, by=organiser)
            game.refresh_from_db()
        void_hand(last, by=organiser, reason=WHY)
        game.refresh_from_db()
        assert (game.finished, game.next_number) == (False, 16)
        assert not game.ratings.exists()

    def test_the_preview_of_voiding_shows_what_will_change(self, game, log, organiser):
        first, _second = log(1, 2)
        seen = preview_void(first, by=organiser)
        assert [(change.number, change.after and change.after.seat) for change in seen.changes] == [
            (1, None),
            (2, "W"),
        ]
        assert numbers(game) == [1, 2]
        void_hand(first, by=organiser, reason=WHY, expected_etag=seen.etag)
        assert numbers(game) == [2]

    def test_voiding_a_hand_needs_a_reason(self, game, log, organiser):
        (hand,) = log(1)
        with pytest.raises(ValidationError, match="Say why"):
            void_hand(hand, by=organiser, reason=" ")

    def test_voiding_a_hand_is_not_for_strangers(self, log):
        (hand,) = log(1)
        with pytest.raises(PermissionDenied):
            void_hand(hand, by=make_member(), reason=WHY)

    def test_voiding_a_hand_happens_once(self, log, organiser):
        (hand,) = log(1)
        void_hand(hand, by=organiser, reason=WHY)
        with pytest.raises(Conflict, match="was declared void"):
            void_hand(hand, by=organiser, reason=WHY)
        assert hand.events.count() == 1


class TestUndo:
    @pytest.fixture
    def scorer(self, game):
        return make_member(player=game.players[0])

    @pytest.fixture
    def hand(self, game, scorer):
        return make_hand(game, winner=1, by=scorer)

    def test_undo_takes_the_hand_back_without_a_question(self, game, scorer, hand):
        revised = undo_hand(hand, by=scorer)
        assert (revised.hand.status, revised.state.number) == (Hand.Status.VOID, 1)
        assert hand.events.get().kind == HandEvent.Kind.UNDONE
        assert standings(game.league) == []

    def test_undo_lets_the_hand_be_logged_again(self, game, scorer, hand):
        undo_hand(hand, by=scorer)
        again = make_hand(game, winner=2, by=scorer)
        assert (again.number, again.version) == (1, 2)

    def test_undo_of_the_hand_that_ended_the_game_opens_it_again(self, game, scorer):
        while not game.finished:
            last = make_hand(game, winner=(game.dealer_place + 1) % 4, by=scorer)
            game.refresh_from_db()
        undo_hand(last, by=scorer)
        game.refresh_from_db()
        assert not game.finished

    def test_undo_is_for_the_scorer_alone(self, hand, organiser):
        with pytest.raises(PermissionDenied, match="Only who logged"):
            undo_hand(hand, by=organiser)

    def test_undo_is_not_for_visitors(self, hand):
        with pytest.raises(PermissionDenied, match="Sign in"):
            undo_hand(hand, by=AnonymousUser())

    def test_undo_is_not_for_a_closed_evening(self, game, scorer, hand, organiser):
        close_evening(game.league, game.evening, by=organiser)
        with pytest.raises(PermissionDenied, match="closed"):
            undo_hand(hand, by=scorer)

    def test_undo_is_refused_after_a_minute(self, hand, scorer):
        late = timezone.now() - UNDO_FOR - timedelta(seconds=1)
        Hand.objects.filter(pk=hand.pk).update(logged_at=late)
        self.refused(hand, scorer, "too_late")

    def test_undo_is_for_the_last_hand(self, game, hand, scorer, organiser):
        make_hand(game, by=organiser)
        self.refused(hand, scorer, "not_the_last_hand")

    def test_undo_is_not_for_a_correction(self, hand, scorer):
        entry = HandEntry(number=1, outcome="draw")
        new = correct_hand(hand, entry, by=scorer, reason="Nobody won").hand
        self.refused(new, scorer, "corrected")

    def test_an_organiser_who_undoes_a_settled_hand_hears_what_is_left_to_do(self, game, organiser):
        player = make_member(player=game.players[0])
        hand = make_hand(game, winner=1, by=organiser)
        disputed = dispute_hand(hand, by=player, about="score")
        settle_hand(disputed, by=make_organiser(), reason="It was right")
        self.refused(hand, organiser, "settled")
        with pytest.raises(Conflict, match="settled: correct it, or declare it void"):
            undo_hand(hand, by=organiser)

    def test_undo_happens_once(self, hand, scorer):
        for _tap in range(2):
            undo_hand(hand, by=scorer)
        assert hand.events.count() == 1

    def refused(self, hand, scorer, code):
        with pytest.raises(Conflict) as refused:
            undo_hand(hand, by=scorer)
        assert refused.value.code == code
