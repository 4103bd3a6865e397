"""A game that was opened with the wrong seats or players, and put right."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from scoring.models import Adjustment, AuditEntry, Hand, Tally
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.queries.evenings import evening_of
from scoring.services.adjustments import book_at_table, penalty, reverse
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.counting import booked_in
from scoring.services.errors import Conflict, KeyReused
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import ask_for_late_hand, take_in_late_hand, waiting_at
from scoring.services.seats import change_seats, move_game, preview_seats
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
    make_ruleset_version,
)

pytestmark = pytest.mark.django_db

WHY = "We sat down otherwise"


@pytest.fixture
def game(organiser):
    """Two hands: South wins by the discard of West, then the new dealer wins."""
    game = make_game(by=organiser)
    make_hand(game, winner=1, discarder=game.players[2].pk, by=organiser)
    make_hand(game, winner=1, by=organiser)
    return game


def swapped(game, one=0, other=1):
    players = list(game.players)
    players[one], players[other] = players[other], players[one]
    return players


def replaced(game, place=1, by=None):
    players = list(game.players)
    players[place] = by or make_player()
    return players


def points(game):
    game.refresh_from_db()
    return dict(Tally.objects.filter(league=game.league).values_list("player", "points"))


def standing(game):
    return list(game.hands.current().order_by("number"))


class TestSwappingTwoSeats:
    def test_swapping_two_seats_scores_each_hand_again_under_its_other_winds(self, game, player):
        [east, south, _west, _north] = game.players
        first = standing(game)[0]
        assert (first.dealer, first.seat) == (east, "S")
        change_seats(game, swapped(game), by=player, reason=WHY)
        [first, second] = standing(game)
        assert (first.winner, first.dealer, first.seat, first.version) == (south, south, "E", 2)
        assert (second.dealer, second.seat) == (south, "E")
        assert list(verify()) == []

    def test_swapping_two_seats_pays_as_the_new_deal_says(self, game, player):
        [_east, south, west, _north] = game.players
        change_seats(game, swapped(game), by=player, reason=WHY)
        paid = dict(standing(game)[0].payments.values_list("player", "amount"))
        assert sum(paid.values()) == 0
        assert paid[west.pk] == -2 * standing(game)[0].final
        assert points(game)[south.pk] > 0

    def test_swapping_two_seats_back_again_is_as_it_was(self, game, player):
        before = points(game)
        players = list(game.players)
        change_seats(game, swapped(game), by=player, reason=WHY)
        change_seats(game, players, by=player, reason="No, we did not")
        assert points(game) == before
        assert list(verify()) == []

    def test_swapping_two_seats_undoes_nothing_that_an_organiser_settled(
        self, game, player, organiser
    ):
        hand = standing(game)[0]
        dispute_hand(hand, by=organiser, player=game.players[3], reason="Wrong tiles")
        settle_hand(hand, by=organiser, reason="I saw it")
        players, before = list(game.players), points(game)
        with pytest.raises(ValidationError, match="An organiser settled hand 1"):
            change_seats(game, swapped(game), by=player, reason=WHY)
        assert points(game) == before
        change_seats(game, swapped(game), by=organiser, reason=WHY)
        change_seats(game, players, by=organiser, reason="No, we did not")
        hand = standing(game)[0]
        assert (hand.version, hand.status) == (3, "live")
        assert [event.kind for event in hand.events.all()] == ["disputed", "settled"]
        with pytest.raises(PermissionDenied, match="An organiser settled hand 1"):
            void_hand(hand, by=player, reason="Mine after all")
        assert list(verify()) == []

    def test_swapping_two_seats_leaves_the_versions_that_stay_the_same(self, game, player):
        before = [hand.pk for hand in standing(game)]
        change_seats(game, swapped(game, 2, 3), by=player, reason=WHY)
        assert [hand.pk for hand in standing(game)] == before
        assert list(verify()) == []

    def test_swapping_two_seats_of_a_game_that_is_over_rates_it_again(self, game, organiser):
        finish_game(game, by=organiser)
        later = make_game(league=game.league, players=game.players, by=organiser)
        make_hand(later, winner=0, by=organiser)
        finish_game(later, by=organiser)
        change_seats(game, swapped(game), by=organiser, reason=WHY)
        assert (game.ratings.count(), later.ratings.count()) == (4, 4)
        assert list(verify()) == []

    def test_swapping_two_seats_is_refused_where_a_hand_could_not_have_been_played(self, organiser):
        game = make_game(by=organiser)
        # The dealer keeps the deal once: without that, the game is over a hand earlier.
        make_hand(game, winner=0, by=organiser)
        for number in range(16):
            dealers = {number % 4, (2, 1, 0, 3)[(number + 1) % 4]}
            winner = next(place for place in range(4) if place not in dealers)
            make_hand(game, winner=winner, by=organiser)
        before = points(game)
        with pytest.raises(ValidationError, match="over before hand 17"):
            change_seats(game, swapped(game, 0, 2), by=organiser, reason=WHY)
        assert (points(game), game.events.count()) == (before, 0)


class TestReplacingAPlayer:
    def test_replacing_a_player_gives_the_new_player_each_hand_and_its_payments(self, game, player):
        old, new = game.players[1], make_player()
        before = points(game)[old.pk]
        change_seats(game, replaced(game, by=new), by=player, reason=WHY)
        assert [hand.winner for hand in standing(game)] == [new, new]
        assert points(game)[new.pk] == before
        assert old.pk not in points(game)
        assert list(verify()) == []

    def test_who_was_replaced_is_not_of_the_evening_when_all_they_were_booked_is_taken_back(
        self, game, player, organiser
    ):
        old, new = game.players[1], make_player()
        book_at_table(game, penalty(game, old, 10), by=organiser, reason="Late")
        change_seats(game, replaced(game, by=new), by=player, reason=WHY)
        evening = evening_of(game.league, game.evening)
        assert {one for one, _points in evening.totals} == set(game.players) - {old} | {new}

    def test_replacing_a_player_counts_the_game_for_the_new_player(self, game, player, organiser):
        old, new = game.players[1], make_player()
        other = make_game(league=game.league, players=game.players, by=organiser)
        make_hand(other, winner=1, by=organiser)
        change_seats(game, replaced(game, by=new), by=player, reason=WHY)
        tallies = {one.player_id: one for one in Tally.objects.filter(league=game.league)}
        assert (tallies[old.pk].games, tallies[old.pk].hands) == (1, 1)
        assert (tallies[new.pk].games, tallies[new.pk].hands, tallies[new.pk].wins) == (1, 2, 2)
        assert list(verify()) == []

    def test_replacing_a_player_keeps_the_old_versions_as_they_were(self, game, player):
        old = game.players[1]
        [first, second] = standing(game)
        correct_hand(second, HandEntry(number=2, outcome="draw"), by=player, reason="A slip")
        change_seats(game, replaced(game), by=player, reason=WHY)
        first.refresh_from_db()
        assert (first.status, first.winner) == (Hand.Status.SUPERSEDED, old)
        assert first.superseded_by.reason == WHY
        assert first.superseded_by.why == f"Follows a change to the game: {WHY}"
        with override("nl"):
            assert first.superseded_by.why.endswith(f": {WHY}")
            assert not first.superseded_by.why.startswith("Follows")
        assert list(verify()) == []

    def test_replacing_a_player_knows_a_hand_that_is_sent_again_from_before(self):
        game = make_game()
        scorer = make_member(player=game.players[3])
        entry = HandEntry(1, "win", winner=game.players[1].pk, tiles=BOOK_HAND)
        hand = record_hand(game, entry, by=scorer, key="k").hand
        paid = dict(hand.payments.values_list("player", "amount"))
        change_seats(game, replaced(game), by=scorer, reason=WHY)
        again = record_hand(game, entry, by=scorer, key="k")
        assert (again.hand, again.repeated) == (hand, True)
        assert {one.pk: amount for one, amount in again.payments} == paid
        game = type(game).objects.get(pk=game.pk)
        assert again.state == game.state
        with pytest.raises(KeyReused):
            record_hand(game, replace(entry, tiles="", claimed_final=50), by=scorer, key="k")

    def test_replacing_a_player_gives_the_new_player_the_late_hands(self, game, organiser):
        scorer, new = make_member(player=game.players[0]), make_player()
        finish_game(game, by=organiser)
        entry = HandEntry(3, "win", winner=game.players[1].pk, tiles=BOOK_HAND)
        ask_for_late_hand(game, entry, by=scorer, key="late")
        change_seats(game, replaced(game, by=new), by=organiser, reason=WHY)
        # The phone knows of nothing and asks again.
        assert ask_for_late_hand(game, entry, by=scorer, key="late").outcome == "asked"
        assert waiting_at(game)[0].problems == []
        hand = take_in_late_hand(game.late_hands.get(), by=organiser)
        assert hand.winner == new
        assert ask_for_late_hand(game, entry, by=scorer, key="late").hand == hand
        assert list(verify()) == []

    def test_replacing_a_player_asks_for_confirmation_again(self, game, player):
        hand = standing(game)[0]
        confirm_hand(hand, by=make_member(player=game.players[1]))
        change_seats(game, replaced(game), by=player, reason=WHY)
        assert not standing(game)[0].events.exists()

    def test_replacing_a_player_keeps_the_disputes_of_those_who_stay(self, game, player, organiser):
        [first, second] = standing(game)
        dispute_hand(first, by=organiser, player=game.players[3], reason="Wrong tiles")
        dispute_hand(second, by=organiser, player=game.players[1], reason="Not me")
        change_seats(game, replaced(game), by=organiser, reason=WHY)
        assert [hand.status for hand in standing(game)] == ["disputed", "live"]
        assert standing(game)[0].events.get().reason == "Wrong tiles"
        assert list(verify()) == []

    def test_replacing_a_player_silences_no_dispute(self, game, player, organiser):
        """Only an organiser replaces a player whose dispute would go away with it."""
        hand = standing(game)[0]
        dispute_hand(hand, by=organiser, player=game.players[1], reason="Not me")
        with pytest.raises(ValidationError, match="settles that first"):
            change_seats(game, replaced(game), by=player, reason=WHY)
        assert standing(game)[0].status == "disputed"

    def test_replacing_a_player_keeps_what_an_organiser_settled(self, game, player, organiser):
        first = standing(game)[0]
        dispute_hand(first, by=organiser, player=game.players[1], reason="Not me")
        settle_hand(first, by=organiser, reason="I saw it")
        with pytest.raises(ValidationError, match="An organiser settled hand 1"):
            change_seats(game, replaced(game), by=player, reason=WHY)
        change_seats(game, replaced(game), by=organiser, reason=WHY)
        [settled] = standing(game)[0].events.all()
        assert (settled.kind, settled.by, settled.reason) == ("settled", organiser, "I saw it")
        assert list(verify()) == []

    def test_replacing_a_player_is_not_held_up_by_a_dispute_that_was_taken_back(
        self, game, player, organiser
    ):
        """Another one disputes the hand still."""
        hand = standing(game)[0]
        for place in (1, 3):
            dispute_hand(hand, by=organiser, player=game.players[place], reason="Wrong tiles")
        confirm_hand(hand, by=organiser, player=game.players[1])
        change_seats(game, replaced(game), by=player, reason=WHY)
        assert standing(game)[0].status == "disputed"

    def test_replacing_a_player_moves_what_was_booked_to_the_new_player(self, game, player):
        old, new = game.players[1], make_player()
        book_at_table(game, penalty(game, old, 50), by=player, reason="Late")
        before = points(game)[old.pk]
        change_seats(game, replaced(game, by=new), by=player, reason=WHY)
        after = points(game)
        assert (after[new.pk], after[old.pk]) == (before, 0)
        assert Adjustment.objects.count() == 3
        assert list(verify()) == []

    def test_replacing_a_player_books_anew_on_the_day_of_what_was_booked(self, game, player):
        old = game.players[1]
        booked = book_at_table(game, penalty(game, old, 50), by=player, reason="Late")
        long_ago = booked.made_at - timedelta(days=9)
        Adjustment.objects.update(made_at=long_ago)
        change_seats(game, replaced(game), by=player, reason=WHY)
        assert {one.made_at for one in Adjustment.objects.all()} == {long_ago}

    def test_replacing_a_player_rates_the_new_player_and_not_the_old_one(self, game, organiser):
        old, new = game.players[1], make_player()
        book_at_table(game, penalty(game, old, 50), by=organiser, reason="Late")
        finish_game(game, by=organiser)
        change_seats(game, replaced(game, by=new), by=organiser, reason=WHY)
        rated = set(game.ratings.values_list("player", flat=True))
        assert new.pk in rated
        assert old.pk not in rated
        assert list(verify()) == []

    def test_replacing_a_player_goes_on_with_void_hands(self, game, organiser):
        void_hand(standing(game)[0], by=organiser, reason="Never happened")
        change_seats(game, replaced(game), by=organiser, reason=WHY)
        assert [hand.number for hand in standing(game)] == [2]
        assert list(verify()) == []

    def test_replacing_a_player_goes_on_with_the_next_hand(self, game, player, organiser):
        change_seats(game, replaced(game), by=player, reason=WHY)
        game = type(game).objects.get(pk=game.pk)
        assert make_hand(game, winner=1, by=organiser).number == 3
        change_seats(game, swapped(game), by=player, reason="And the seats")
        assert list(verify()) == []


def test_a_game_without_hands_changes_its_seats(organiser):
    game = make_game(by=organiser)
    players = replaced(game)
    change_seats(game, players, by=organiser, reason=WHY)
    game = type(game).objects.get(pk=game.pk)
    assert game.players == players
    assert list(verify()) == []


def test_a_preview_of_seats_changes_nothing_and_says_what_would_change(game, player):
    before = points(game)
    plan = preview_seats(game, swapped(game), by=player)
    assert [change.number for change in plan.changes] == [1]
    assert points(game) == before
    done = change_seats(game, swapped(game), by=player, reason=WHY, expected_etag=plan.etag)
    assert points(game) == {pk: before[pk] + more for pk, more in done.differences.items()}


def test_a_change_of_seats_whose_preview_is_out_of_date_is_refused(game, player, organiser):
    etag = preview_seats(game, swapped(game), by=player).etag
    make_hand(game, winner=2, by=organiser)
    with pytest.raises(Conflict, match="moved on"):
        change_seats(game, swapped(game), by=player, reason=WHY, expected_etag=etag)


def test_a_change_of_seats_keeps_who_why_and_how_it_was(game, player):
    before = [one.pk for one in game.players]
    change_seats(game, swapped(game), by=player, reason=WHY)
    event = game.events.get()
    assert (event.kind, event.by, event.reason) == ("seats", player, WHY)
    assert event.before["seats"] == before
    assert AuditEntry.objects.get(action="change_seats").details["before"] == before


@pytest.mark.parametrize(
    ("players", "code"),
    [
        (lambda game: game.players, "nothing_changed"),
        (lambda game: game.players[:3], "not_four"),
        (lambda game: [*game.players[:3], game.players[0]], "seated_twice"),
        (lambda game: replaced(game, by=make_player(active=False)), "inactive"),
        (
            lambda game: [game.players[2], make_player(), make_player(), game.players[3]],
            "two_changes",
        ),
    ],
)
def test_players_who_cannot_sit_there_are_refused(game, player, players, code):
    with pytest.raises(ValidationError) as refusal:
        change_seats(game, players(game), by=player, reason=WHY)
    assert [error.code for error in refusal.value.error_dict["players"]] == [code]


def test_a_change_of_seats_needs_a_reason(game, player):
    with pytest.raises(ValidationError, match="Say why"):
        change_seats(game, swapped(game), by=player, reason=" ")


def test_only_organisers_change_seats_after_the_evening_is_closed(game, player, organiser):
    close_evening(game.league, game.evening, by=organiser)
    with pytest.raises(PermissionDenied):
        change_seats(game, swapped(game), by=player, reason=WHY)
    change_seats(game, swapped(game), by=organiser, reason=WHY)
    assert list(verify()) == []


def test_a_move_keeps_what_was_said_of_hands_that_pay_the_same(game, player, organiser):
    [first, second] = standing(game)
    south = make_member(player=game.players[1])
    confirm_hand(first, by=south)
    dispute_hand(second, by=organiser, player=game.players[3], reason="Wrong tiles")
    settle_hand(second, by=organiser, reason="I saw it")
    other = make_league(ruleset_version=make_ruleset_version(limit=1000))
    move_game(game, league=other, day=game.evening, by=player, reason=WHY)
    [first, second] = standing(game)
    assert (first.version, second.version) == (2, 2)
    assert south in [event.by for event in first.events.filter(kind="confirmed")]
    assert second.events.get(kind="settled").reason == "I saw it"
    assert list(verify()) == []


def test_what_two_who_leave_were_booked_is_added_up_in_one_query(
    game, organiser, django_assert_num_queries
):
    first, second = game.players[:2]
    for player, amount in ((first, 50), (second, 50), (first, 10)):
        book_at_table(game, penalty(game, player, amount), by=organiser, reason="Late")
    mistake = book_at_table(game, penalty(game, second, 70), by=organiser, reason="Late")
    reverse(mistake, by=organiser, reason="They were not")
    coming = [make_player(), make_player()]
    plan = preview_seats(game, [*coming, *game.players[2:]], by=organiser)
    with django_assert_num_queries(1):
        moved = plan.other_points
    booked = booked_in(plan.was)
    assert booked[second.pk] != 0
    for left, came in zip((first, second), coming, strict=True):
        assert (moved[left.pk], moved[came.pk]) == (-booked[left.pk], booked[left.pk])
