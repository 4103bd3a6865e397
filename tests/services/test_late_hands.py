"""Hands that a phone could send only after the game was ended or the evening closed."""

import dataclasses
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import AuditEntry, Game, LateHand, Tally
from scoring.models.game_tables import with_table
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.services.errors import Conflict, KeyReused
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, undo_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import (
    MOST_WAITING,
    ask_for_late_hand,
    decline_late_hand,
    take_in_late_hand,
    waiting_at,
)
from scoring.services.seats import change_seats
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_member,
    make_player,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(organiser):
    """One hand, then its evening was closed."""
    game = make_game(by=organiser)
    make_hand(game, winner=1, by=organiser)
    close_evening(game.league, game.evening, by=organiser)
    return game


def win(game, number, place=2):
    return HandEntry(number, "win", winner=game.players[place].pk, tiles=BOOK_HAND)


def ask(game, player, number=2, place=2, key="", again=False):
    entry, key = win(game, number, place), key or f"key {number}"
    return ask_for_late_hand(game, entry, by=player, key=key, again=again)


class TestAsking:
    def test_asking_for_a_late_hand_stores_nothing_but_the_question(self, game, player):
        asked = ask(game, player)
        assert (asked.outcome, asked.hand) == ("asked", None)
        late = LateHand.objects.get()
        assert (late.game, late.by, late.number, late.status) == (game, player, 2, "asked")
        assert game.hands.count() == 1
        assert AuditEntry.objects.get(action="ask_for_late_hand").by == player

    def test_asking_again_for_a_late_hand_answers_how_it_stands(self, game, player, organiser):
        ask(game, player)
        assert ask(game, player).outcome == "asked"
        assert LateHand.objects.count() == 1
        hand = take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert ask(game, player) == dataclasses.replace(
            ask(game, player), outcome="taken", hand=hand
        )

    def test_asking_for_a_late_hand_without_a_key_keeps_the_same_hand_once(self, game, player):
        for _time in range(2):
            ask_for_late_hand(game, win(game, 2), by=player)
        assert LateHand.objects.count() == 1

    def test_a_late_hand_with_the_key_of_another_hand_is_refused(self, game, player):
        ask(game, player)
        with pytest.raises(KeyReused):
            ask(game, player, place=1, key="key 2")

    def test_asking_for_a_hand_that_is_logged_already_says_that_it_was_taken(self, organiser):
        game = make_game(by=organiser)
        member = make_member(player=game.players[0])
        hand = record_hand(game, win(game, 1), by=member, key="key 1").hand
        finish_game(game, by=member)
        asked = ask(game, member, number=1)
        assert (asked.outcome, asked.hand) == ("taken", hand)

    def test_asking_for_a_late_hand_at_an_open_game_says_that_it_can_be_logged(
        self, game, player, organiser
    ):
        reopen_evening(game.league, game.evening, by=organiser, reason="A slip")
        with pytest.raises(Conflict) as refusal:
            ask(game, player)
        assert refusal.value.code == "open"

    def test_a_late_hand_for_a_number_that_is_taken_is_refused(self, game, player):
        with pytest.raises(Conflict, match="already logged"):
            ask(game, player, number=1)

    def test_a_late_hand_that_cannot_be_names_every_field(self, game, player):
        entry = HandEntry(2, "win", winner=-1, tiles="222B")
        with pytest.raises(ValidationError) as refusal:
            ask_for_late_hand(game, entry, by=player, key="a")
        assert "winner" in refusal.value.error_dict

    def test_more_late_hands_than_anybody_plays_are_not_kept(self, game, player, organiser):
        for number in range(2, 2 + MOST_WAITING):
            ask(game, player, number=number)
        with pytest.raises(Conflict, match="Too many late hands") as refusal:
            ask(game, player, number=99)
        assert refusal.value.code == "too_many"
        assert ask(game, player, number=2).outcome == "asked"
        decline_late_hand(LateHand.objects.earliest("pk"), by=organiser, reason="Nobody knows it")
        assert ask(game, player, number=99).outcome == "asked"

    def test_asking_for_a_late_hand_is_for_the_four_players(self, game):
        with pytest.raises(PermissionDenied):
            ask(game, make_member())

    def test_a_late_hand_after_the_north_round_is_refused(self, organiser):
        game = make_game(by=organiser)
        for number in range(16):
            make_hand(game, winner=(number + 1) % 4, by=organiser)
        with pytest.raises(Conflict, match="last round"):
            ask(game, make_member(player=game.players[0]), number=17)


class TestAskedBeforeTheGameWentOn:
    @pytest.fixture
    def late(self, game, player, organiser):
        ask(game, player)
        reopen_evening(game.league, game.evening, by=organiser, reason="A slip")
        return LateHand.objects.get()

    def test_a_late_hand_asked_for_before_the_game_went_on_says_that_the_hand_can_be_logged(
        self, game, player, late
    ):
        with pytest.raises(Conflict) as refusal:
            ask(game, player)
        assert refusal.value.code == "open"

    def test_a_late_hand_asked_for_before_the_game_went_on_is_taken_in_by_logging_it(
        self, game, player, organiser, late
    ):
        hand = record_hand(game, win(game, 2), by=player, key="key 2").hand
        late.refresh_from_db()
        assert (late.status, late.hand, late.decided_by) == ("taken", hand, player)
        assert AuditEntry.objects.get(action="record_hand", subject_id=hand.pk).details == {
            "late_hand": late.pk
        }
        asked = ask(game, player)
        assert (asked.outcome, asked.hand) == ("taken", hand)
        assert list(verify()) == []

    def test_what_a_phone_logs_itself_is_undone_whenever_its_late_hand_was_decided(
        self, game, player, late
    ):
        hand = record_hand(game, win(game, 2), by=player, key="key 2").hand
        LateHand.objects.update(decided_at=hand.logged_at + timedelta(milliseconds=1))
        undo_hand(hand, by=player)
        assert not game.hands.current().filter(number=2).exists()

    def test_a_late_hand_asked_for_before_the_game_went_on_stays_while_another_hand_is_logged(
        self, game, player, organiser, late
    ):
        make_hand(game, by=organiser)
        record_hand(game, win(game, 3), by=player, key="another")
        late.refresh_from_db()
        assert late.status == "asked"


class TestTakingIn:
    def test_taking_in_a_late_hand_logs_it_for_who_played_it_and_leaves_the_game_over(
        self, game, player, organiser
    ):
        ask(game, player)
        hand = take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert (hand.logged_by, hand.entry_key, hand.number) == (player, "key 2", 2)
        game.refresh_from_db()
        assert (game.finished, game.ended_early, game.next_number) == (True, True, 3)
        assert {tally.hands for tally in Tally.objects.all()} == {2}
        assert game.ratings.count() == 4
        assert list(verify()) == []

    def test_a_late_hand_was_played_after_the_last_one_and_before_the_game_ended(
        self, game, player, organiser
    ):
        ask(game, player)
        LateHand.objects.update(asked_at=timezone.now() + timedelta(hours=1))
        game.refresh_from_db()
        hand = take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert game.hands.get(number=1).played_at <= hand.played_at == game.finished_at
        assert hand.played_at < hand.logged_at

    def test_a_late_hand_of_a_game_that_goes_on_was_played_when_it_was_asked_for(
        self, game, player, organiser
    ):
        ask(game, player)
        reopen_game(game, by=organiser, reason="One more hand")
        late = LateHand.objects.get()
        assert take_in_late_hand(late, by=organiser).played_at == late.asked_at

    def test_taking_in_a_late_hand_is_not_undone_by_who_had_asked(self, game, player, organiser):
        ask(game, player)
        hand = take_in_late_hand(LateHand.objects.get(), by=organiser)
        reopen_evening(game.league, game.evening, by=organiser, reason="A slip")
        with pytest.raises(Conflict, match="too late to undo"):
            undo_hand(hand, by=player)

    def test_several_late_hands_are_taken_in_in_their_order(self, game, player, organiser):
        ask(game, player, number=3, place=1)
        ask(game, player, number=2)
        later, first = LateHand.objects.order_by("pk")
        with pytest.raises(Conflict, match="comes before"):
            take_in_late_hand(later, by=organiser)
        take_in_late_hand(first, by=organiser)
        take_in_late_hand(later, by=organiser)
        assert [hand.winner for hand in game.hands.order_by("number")][1:] == [
            game.players[2],
            game.players[1],
        ]
        assert list(verify()) == []

    def test_taking_in_a_late_hand_closes_the_gap_that_a_declined_hand_leaves(
        self, game, player, organiser
    ):
        ask(game, player, number=2)
        ask(game, player, number=3)
        first, later = LateHand.objects.order_by("pk")
        decline_late_hand(first, by=organiser, reason="Nobody remembers it")
        assert take_in_late_hand(later, by=organiser).number == 2
        assert list(verify()) == []

    def test_taking_in_the_first_hand_rates_the_game(self, organiser):
        game = make_game(by=organiser)
        member = make_member(player=game.players[0])
        finish_game(game, by=member)
        ask(game, member, number=1)
        take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert game.ratings.count() == 4
        assert list(verify()) == []

    def test_taking_in_a_late_hand_happens_once(self, game, player, organiser):
        ask(game, player)
        late = LateHand.objects.get()
        take_in_late_hand(late, by=organiser)
        with pytest.raises(Conflict, match="decided already"):
            take_in_late_hand(late, by=organiser)

    def test_taking_in_a_late_hand_is_for_organisers(self, game, player):
        ask(game, player)
        with pytest.raises(PermissionDenied):
            take_in_late_hand(LateHand.objects.get(), by=player)

    def test_a_late_hand_at_a_game_that_goes_on_is_left_to_the_phone(self, game, player, organiser):
        ask(game, player)
        late = LateHand.objects.get()
        reopen_evening(game.league, game.evening, by=organiser, reason="A slip")
        with pytest.raises(Conflict) as refusal:
            take_in_late_hand(late, by=organiser)
        assert refusal.value.code == "open"
        [shown] = waiting_at(game)
        assert (shown.recorded, shown.problems) == (None, [str(refusal.value)])

    def test_taking_in_a_hand_that_is_logged_under_its_key_finds_it(self, game, player, organiser):
        ask(game, player)
        game.hands.update(logged_by=player, entry_key="key 2")
        hand = game.hands.get()
        assert take_in_late_hand(LateHand.objects.get(), by=organiser) == hand
        assert LateHand.objects.get().hand == hand
        assert game.hands.count() == 1

    def test_taking_in_a_late_hand_works_at_a_game_that_an_organiser_opened_again(
        self, game, player, organiser
    ):
        ask(game, player)
        reopen_game(game, by=organiser, reason="One more hand")
        take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert list(verify()) == []


class TestDeclining:
    def test_declining_a_late_hand_tells_the_reason_to_who_asks_again(
        self, game, player, organiser
    ):
        ask(game, player)
        decline_late_hand(LateHand.objects.get(), by=organiser, reason="It is hand 1 again")
        again = ask(game, player)
        assert (again.outcome, again.reason) == ("declined", "It is hand 1 again")
        assert game.hands.count() == 1

    def test_a_declined_late_hand_may_be_asked_for_again_once_it_is_put_right(
        self, game, player, organiser
    ):
        ask(game, player)
        decline_late_hand(LateHand.objects.get(), by=organiser, reason="West won")
        assert ask(game, player, place=3, key="key 2").outcome == "asked"
        late = LateHand.objects.get()
        assert (late.status, late.reason, late.decided_by) == ("asked", "", None)
        asked = AuditEntry.objects.filter(action="ask_for_late_hand").latest("pk")
        assert asked.details["declined"]["reason"] == "West won"
        assert asked.details["declined"]["by"] == organiser.pk
        assert take_in_late_hand(late, by=organiser).winner == game.players[3]
        assert list(verify()) == []

    def test_a_declined_late_hand_may_be_asked_for_again_as_it_is(self, game, player, organiser):
        ask(game, player)
        decline_late_hand(LateHand.objects.get(), by=organiser, reason="Nobody remembers it")
        for _time in range(2):  # the answer to the first may be lost
            assert ask(game, player, again=True).outcome == "asked"
        asked = AuditEntry.objects.filter(action="ask_for_late_hand").latest("pk")
        assert asked.details["declined"]["reason"] == "Nobody remembers it"
        take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert ask(game, player, again=True).outcome == "taken"
        assert list(verify()) == []

    def test_declining_a_late_hand_needs_a_reason(self, game, player, organiser):
        ask(game, player)
        with pytest.raises(ValidationError, match="Say why"):
            decline_late_hand(LateHand.objects.get(), by=organiser, reason="")


def test_late_hands_are_shown_with_the_score_that_each_would_bring(game, player):
    ask(game, player, number=2, place=1)
    ask(game, player, number=3, place=1)
    first, second = waiting_at(game)
    assert (first.recorded.hand.seat, second.recorded.hand.seat) == ("E", "E")
    assert first.recorded.hand.number, second.recorded.hand.number == (2, 3)
    assert sum(amount for _player, amount in second.recorded.payments) == 0
    assert game.hands.count() == 1


def test_a_late_hand_that_cannot_follow_says_why(game, player, organiser):
    ask(game, player)
    LateHand.objects.update(entry={**LateHand.objects.get().entry, "tiles": "222B"})
    [shown] = waiting_at(game)
    assert shown.recorded is None
    assert shown.problems
    with pytest.raises(ValidationError):
        take_in_late_hand(LateHand.objects.get(), by=organiser)


def test_a_late_hand_of_a_deleted_account_can_be_taken_in_at_an_open_game(game, player, organiser):
    ask(game, player)
    reopen_evening(game.league, game.evening, by=organiser, reason="A slip")
    player.delete()
    [shown] = waiting_at(game)
    assert shown.problems == []
    assert take_in_late_hand(LateHand.objects.get(), by=organiser).logged_by is None


def test_a_visitor_asks_for_no_late_hand(game, player, organiser):
    four = list(game.players)
    change_seats(game, [*four[:3], make_player()], by=organiser, reason="Took over")
    with pytest.raises(PermissionDenied, match="Sign in"):
        ask(game, AnonymousUser())


class TestTheSameKey:
    """A phone that never heard the answer asks again; one that holds another hand is told."""

    @pytest.fixture
    def late(self, game, player):
        ask(game, player, number=4)
        return LateHand.objects.get()

    def test_the_key_of_a_hand_that_was_taken_in_under_another_number_is_that_hand(
        self, game, player, late, organiser
    ):
        hand = take_in_late_hand(late, by=organiser)
        asked = ask(game, player, number=4)
        assert (hand.number, asked.outcome, asked.hand) == (2, "taken", hand)

    def test_the_key_of_another_hand_is_refused_after_it_was_taken_in(
        self, game, player, late, organiser
    ):
        take_in_late_hand(late, by=organiser)
        with pytest.raises(KeyReused):
            ask(game, player, number=4, place=3)

    def test_the_key_of_a_hand_that_was_logged_is_that_hand_or_refused(
        self, game, player, organiser
    ):
        reopen_evening(game.league, game.evening, by=organiser, reason="Too early")
        hand = record_hand(game, win(game, 2), by=player, key="key 2").hand
        close_evening(game.league, game.evening, by=organiser)
        assert ask(game, player).hand == hand
        with pytest.raises(KeyReused):
            ask(game, player, place=3)

    def test_the_key_of_a_hand_that_was_taken_in_is_that_hand_at_the_open_table(
        self, game, player, late, organiser
    ):
        hand = take_in_late_hand(late, by=organiser)
        reopen_evening(game.league, game.evening, by=organiser, reason="Too early")
        again = record_hand(game, win(game, 4), by=player, key="key 4")
        assert (again.hand, again.repeated) == (hand, True)
        with pytest.raises(KeyReused):
            record_hand(game, win(game, 4, place=3), by=player, key="key 4")


class TestWhoWasReplaced:
    """The phone of somebody who went home still holds a hand of the table."""

    @pytest.fixture
    def game(self, organiser):
        game = make_game(by=organiser)
        make_hand(game, winner=1, by=organiser)
        return game

    def replace(self, game, organiser):
        players = [make_player(), *game.players[1:]]
        change_seats(game, players, by=organiser, reason="Went home")
        return with_table(Game.objects).get(pk=game.pk)

    @pytest.mark.parametrize("place", [0, 2])
    def test_who_was_replaced_gives_a_late_hand_to_an_organiser(
        self, game, player, organiser, place
    ):
        entry = win(game, 2, place)
        game = self.replace(game, organiser)
        with pytest.raises(PermissionDenied):
            record_hand(game, entry, by=player, key="k")
        assert ask_for_late_hand(game, entry, by=player, key="k").outcome == "asked"
        (waiting,) = waiting_at(game)
        hand = take_in_late_hand(waiting.late, by=organiser, expected_etag=waiting.etag)
        assert (hand.number, hand.winner) == (2, game.players[place])
        assert ask_for_late_hand(game, entry, by=player, key="k").hand == hand
        assert list(verify()) == []

    def test_who_was_replaced_hears_what_becomes_of_a_hand_that_waited_before(
        self, game, player, organiser
    ):
        finish_game(game, by=organiser)
        entry = win(game, 2, 0)
        ask_for_late_hand(game, entry, by=player, key="k")
        game = self.replace(game, organiser)
        assert ask_for_late_hand(game, entry, by=player, key="k").outcome == "asked"
        hand = take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert ask_for_late_hand(game, entry, by=player, key="k").hand == hand

    @pytest.mark.parametrize(
        "steps",
        [["NBCD", "BNCD"], ["BNCD"], ["BACD", "BNCD"], ["NBCD", "NMCD", "MNCD"], ["NMCD"]],
        ids=" then ".join,
    )
    def test_a_late_hand_after_replacing_and_swapping_is_of_who_took_the_place(
        self, game, player, organiser, steps
    ):
        """A (who won) and B sat down as East and South; N takes the place of A, M that of B."""
        entry = dataclasses.replace(win(game, 2, 0), discarder=game.players[1].pk)
        people = dict(zip("ABCD", game.players, strict=True)) | {
            "N": make_player(),
            "M": make_player(),
        }
        for step in steps:
            seats = [people[name] for name in step]
            change_seats(game, seats, by=organiser, reason="Went home")
            game = with_table(Game.objects).get(pk=game.pk)
        ask_for_late_hand(game, entry, by=player, key="k")
        hand = take_in_late_hand(LateHand.objects.get(), by=organiser)
        assert hand.winner == people["N"]
        assert hand.discarder == people["M" if "M" in steps[-1] else "B"]

    def test_a_stranger_gives_no_late_hand_to_an_organiser(self, game, organiser):
        game = self.replace(game, organiser)
        with pytest.raises(PermissionDenied):
            ask_for_late_hand(game, win(game, 2), by=make_member(), key="k")


def test_a_late_hand_that_has_changed_since_it_was_seen_is_not_taken_in(game, player, organiser):
    ask(game, player, number=2, place=0)
    (waiting,) = waiting_at(game)
    first = game.hands.get()
    correct_hand(first, HandEntry(1, "draw"), by=organiser, reason="Nobody won, the deal stays")
    game.refresh_from_db()
    with pytest.raises(Conflict, match="look at what changes now"):
        take_in_late_hand(waiting.late, by=organiser, expected_etag=waiting.etag)
    assert game.hands.current().count() == 1
    (waiting,) = waiting_at(game)
    assert take_in_late_hand(waiting.late, by=organiser, expected_etag=waiting.etag).number == 2


def test_many_late_hands_take_no_more_queries_than_one(game, player, django_assert_num_queries):
    ask(game, player, number=2)
    with CaptureQueriesContext(connection) as one:
        waiting_at(game)
    for number in range(3, 9):
        ask(game, player, number=number)
    with django_assert_num_queries(len(one)):
        assert len(waiting_at(game)) == 7
