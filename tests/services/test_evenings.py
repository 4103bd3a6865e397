"""Closing an evening, and opening it again."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring.models import EveningClosure, Game
from scoring.models.days import club_day
from scoring.models.permissions import PermissionDenied
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_game, make_league

pytestmark = pytest.mark.django_db

WHY = "A table was forgotten"


def close(game, by):
    return close_evening(game.league, game.evening, by=by)


def reopen(game, by, reason=WHY):
    return reopen_evening(game.league, game.evening, by=by, reason=reason)


class TestClosing:
    def test_closing_an_evening_says_who_and_when(self, game, organiser):
        closure = close(game, organiser)
        assert (closure.league, closure.day, closure.closed_by) == (
            game.league,
            club_day(),
            organiser,
        )

    def test_closing_an_evening_ends_the_games_that_are_open(self, game, organiser):
        close(game, organiser)
        game.refresh_from_db()
        assert (game.finished, game.ended_early, game.ratings.count()) == (True, True, 4)

    def test_closing_an_evening_leaves_the_games_that_are_over(self, game, organiser):
        ended = finish_game(game, by=organiser).finished_at
        close(game, organiser)
        game.refresh_from_db()
        assert game.finished_at == ended

    def test_closing_an_evening_is_about_one_league_and_one_day(self, game, organiser):
        elsewhere = make_game(by=organiser)
        last_week = make_game(league=game.league, players=game.players, by=organiser)
        Game.objects.filter(pk=last_week.pk).update(evening=game.evening - timedelta(days=7))
        close(game, organiser)
        for other in (elsewhere, last_week):
            other.refresh_from_db()
            assert not other.finished

    def test_closing_an_evening_happens_once(self, game, organiser):
        close(game, organiser)
        with pytest.raises(ValidationError, match="closed already"):
            close(game, organiser)

    def test_closing_an_evening_needs_an_evening(self, game, organiser):
        with pytest.raises(ValidationError, match="No game"):
            close_evening(game.league, game.evening - timedelta(days=1), by=organiser)

    def test_closing_an_evening_is_for_organisers(self, game, player):
        with pytest.raises(PermissionDenied):
            close(game, player)

    def test_closing_an_evening_lets_nobody_sit_down_but_an_organiser(
        self, game, player, organiser
    ):
        close(game, organiser)
        with pytest.raises(ValidationError, match="evening is closed"):
            open_game(game.league, game.players, by=player)
        assert open_game(game.league, game.players, by=organiser, anyway=True)


class TestReopening:
    def test_of_two_games_that_go_on_nobody_sits_at_both_without_a_question(self, game, organiser):
        """They sat at one table, and at another one that was withdrawn and is restored meanwhile."""
        game = Game.objects.get(pk=game.pk)
        withdraw_game(game, by=organiser, reason="Wrong league")
        other = open_game(game.league, game.players, by=organiser)
        close(other, organiser)
        restore_game(game, by=organiser, reason="It was right")
        with pytest.raises(ValidationError) as asked:
            reopen_evening(game.league, game.evening, by=organiser, reason="One more hand")
        assert asked.value.error_dict["players"][0].code == "seated_elsewhere"
        assert not Game.objects.open().exists()
        reopen_evening(game.league, game.evening, by=organiser, reason="One more", anyway=True)
        assert Game.objects.open().count() == 2

    def test_reopening_an_evening_lets_the_tables_correct_their_hands(
        self, game, player, organiser
    ):
        close(game, organiser)
        hand, entry = game.hands.get(), HandEntry(number=1, outcome="draw")
        with pytest.raises(PermissionDenied):
            correct_hand(hand, entry, by=player, reason="Nobody won")
        reopen(game, organiser)
        correct_hand(hand, entry, by=player, reason="Nobody won")

    def test_reopening_an_evening_lets_the_games_that_it_ended_go_on(self, game, organiser):
        close(game, organiser)
        reopen(game, organiser)
        game.refresh_from_db()
        assert not game.finished

    def test_reopening_an_evening_asks_nobody_about_games_that_do_not_go_on(self, game, organiser):
        close(game, organiser)
        withdraw_game(game, by=organiser, reason="Opened twice")
        there = open_game(make_league(), game.players, by=organiser)
        reopen(game, organiser)
        there.refresh_from_db()
        assert not there.finished

    def test_reopening_an_evening_asks_about_who_sits_elsewhere_while_their_game_goes_on(
        self, game, organiser
    ):
        close(game, organiser)
        open_game(make_league(), game.players, by=organiser)
        with pytest.raises(ValidationError, match="another open table"):
            reopen(game, organiser)

    def test_reopening_an_evening_says_who_when_and_why(self, game, organiser):
        close(game, organiser)
        closure = reopen(game, organiser, f"  {WHY} ")
        assert (closure.reopened_by, closure.reason) == (organiser, WHY)
        assert closure.reopened_at >= closure.closed_at

    def test_reopening_an_evening_lets_the_evening_be_closed_again(self, game, organiser):
        close(game, organiser)
        reopen(game, organiser)
        close(game, organiser)
        assert (EveningClosure.objects.count(), EveningClosure.objects.in_force().count()) == (2, 1)

    def test_reopening_an_evening_needs_a_reason(self, game, organiser):
        close(game, organiser)
        with pytest.raises(ValidationError, match="Say why"):
            reopen(game, organiser, "")

    def test_reopening_an_evening_needs_a_closed_evening(self, game, organiser):
        with pytest.raises(ValidationError, match="is open"):
            reopen(game, organiser)

    def test_reopening_an_evening_is_for_organisers(self, game, player, organiser):
        close(game, organiser)
        with pytest.raises(PermissionDenied):
            reopen(game, player)


def test_a_game_that_goes_on_after_midnight_stays_in_its_evening(organiser):
    late = timezone.localtime().replace(hour=23, minute=50)
    league = make_league(starts_on=late.date())
    players = make_game(by=organiser).players
    game = open_game(league, players, by=organiser, at=late, anyway=True)
    finish_game(game, by=organiser, at=late + timedelta(hours=2))
    game.refresh_from_db()
    assert game.evening == late.date()


class TestTheDatabase:
    @pytest.mark.each_database
    def test_the_database_closes_an_evening_once(self, game, organiser):
        close(game, organiser)
        with pytest.raises(IntegrityError), transaction.atomic():
            EveningClosure.objects.create(league=game.league, day=game.evening)

    @pytest.mark.each_database
    def test_the_database_wants_a_reason_for_opening_it_again(self, game, organiser):
        closure = close(game, organiser)
        with pytest.raises(IntegrityError), transaction.atomic():
            EveningClosure.objects.filter(pk=closure.pk).update(reopened_at=timezone.now())
