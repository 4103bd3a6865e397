"""Opening a game again that was ended by mistake, and what an evening gives back."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.models import AuditEntry, Rating, Tally
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from tests.factories import make_game, make_hand, make_member

pytestmark = pytest.mark.django_db

WHY = "The wrong button"


def tallies(game):
    return list(Tally.objects.filter(league=game.league).order_by("player").values())


def test_a_game_that_was_ended_goes_on(game, player):
    before = tallies(game)
    finish_game(game, by=player)
    reopened = reopen_game(game, by=player, reason=WHY)
    assert (reopened.finished, reopened.ended_early) == (False, False)
    assert (tallies(game), Rating.objects.count()) == (before, 0)
    assert make_hand(game, winner=2, by=player).number == 2
    assert list(verify()) == []


def test_reopening_a_game_keeps_who_why_and_when(game, player):
    finish_game(game, by=player)
    reopen_game(game, by=player, reason=f" {WHY} ")
    event = game.events.get()
    assert (event.kind, event.by, event.reason) == ("reopened", player, WHY)
    entry = AuditEntry.objects.filter(action="reopen_game").get()
    assert (entry.by, entry.details) == (player, {"reason": WHY})


def test_reopening_a_game_rates_later_games_again(game, organiser):
    finish_game(game, by=organiser, at=timezone.now() - timedelta(hours=1))
    second = make_game(league=game.league, players=game.players, by=organiser)
    make_hand(second, winner=2, by=organiser)
    finish_game(second, by=organiser)
    reopen_game(game, by=organiser, reason=WHY)
    assert second.ratings.count() == 4
    assert list(verify()) == []


def test_reopening_a_game_needs_a_reason(game, player):
    finish_game(game, by=player)
    with pytest.raises(ValidationError, match="Say why"):
        reopen_game(game, by=player, reason="")


def test_a_game_that_is_open_is_not_reopened(game, player):
    with pytest.raises(Conflict, match="still in play"):
        reopen_game(game, by=player, reason=WHY)


def test_a_game_that_was_played_to_its_end_is_not_reopened(organiser):
    game = make_game(by=organiser)
    for number in range(16):
        make_hand(game, winner=(number + 1) % 4, by=organiser)
    game.refresh_from_db()
    assert game.finished
    with pytest.raises(Conflict, match="last round is over"):
        reopen_game(game, by=organiser, reason=WHY)


def test_only_organisers_reopen_a_game_after_the_evening_is_closed(game, player, organiser):
    close_evening(game.league, game.evening, by=organiser)
    with pytest.raises(PermissionDenied, match="ask an organiser"):
        reopen_game(game, by=player, reason=WHY)
    assert not reopen_game(game, by=organiser, reason=WHY).finished


def test_strangers_do_not_reopen_a_game(game, player):
    finish_game(game, by=player)
    with pytest.raises(PermissionDenied):
        reopen_game(game, by=make_member(), reason=WHY)


class TestAnEveningThatIsReopened:
    def test_an_evening_that_is_reopened_gives_back_exactly_the_games_that_its_closing_ended(
        self, game, organiser
    ):
        ended = make_game(league=game.league, players=game.players, by=organiser)
        make_hand(ended, winner=3, by=organiser)
        finish_game(ended, by=organiser)
        close_evening(game.league, game.evening, by=organiser)
        reopen_evening(game.league, game.evening, by=organiser, reason=WHY)
        game.refresh_from_db()
        ended.refresh_from_db()
        assert (game.finished, game.ended_early, game.ended_by) == (False, False, None)
        assert ended.finished
        assert (game.ratings.count(), ended.ratings.count()) == (0, 4)
        assert list(verify()) == []

    def test_an_evening_that_is_reopened_leaves_a_game_that_was_reopened_and_ended_since(
        self, game, organiser
    ):
        close_evening(game.league, game.evening, by=organiser)
        reopen_game(game, by=organiser, reason=WHY)
        finish_game(game, by=organiser)
        reopen_evening(game.league, game.evening, by=organiser, reason=WHY)
        game.refresh_from_db()
        assert game.finished
        assert list(verify()) == []
