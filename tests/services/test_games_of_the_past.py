"""Games that were played before they came to the site: the demo's, and those of an old book."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.models import Hand
from scoring.queries.standings import standings
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from tests.factories import BOOK_HAND, make_league, make_player

pytestmark = pytest.mark.django_db

EVENING = datetime(2021, 5, 4, 19, tzinfo=ZoneInfo("UTC"))


@pytest.fixture
def four():
    return [make_player(name) for name in ("Ada", "Ben", "Cleo", "Dan")]


@pytest.fixture
def game(four, organiser):
    league = make_league(starts_on=EVENING.date(), ends_on=EVENING.date())
    return open_game(league, four, by=organiser, at=EVENING)


def win(game, number):
    return HandEntry(number=number, outcome="win", winner=game.players[1].pk, tiles=BOOK_HAND)


def test_a_game_of_the_past_begins_on_a_day_of_the_league(game):
    assert game.started_at == EVENING


def test_nobody_sits_down_before_the_league_begins(four, organiser):
    league = make_league(starts_on=EVENING.date() + timedelta(days=1))
    with pytest.raises(ValidationError) as error:
        open_game(league, four, by=organiser, at=EVENING)
    assert error.value.error_dict["league"][0].code == "not_running"
    assert "today" not in str(error.value)


def test_a_hand_keeps_the_time_it_was_played(game, organiser):
    later = EVENING + timedelta(minutes=7)
    record_hand(game, win(game, 1), by=organiser, at=later)
    hand = Hand.objects.get()
    assert (hand.played_at, hand.logged_at, hand.round.started_at) == (later, later, later)


def test_the_last_hand_of_the_north_round_ends_the_game_when_it_was_played(game, organiser):
    for number in range(1, 17):
        # Whoever sits after the dealer wins, so the deal passes with every hand.
        game.refresh_from_db()
        winner = game.players[(game.dealer_place + 1) % 4].pk
        entry = HandEntry(number=number, outcome="win", winner=winner, claimed_final=100)
        record_hand(game, entry, by=organiser, at=EVENING + timedelta(minutes=number))
    game.refresh_from_db()
    assert game.finished_at == EVENING + timedelta(minutes=16)


def test_a_game_ends_when_they_got_up(game, organiser):
    game = finish_game(game, by=organiser, at=EVENING + timedelta(hours=3))
    assert game.finished_at == EVENING + timedelta(hours=3)


def test_the_standings_of_that_evening_count_a_game_of_the_past(game, organiser):
    record_hand(game, win(game, 1), by=organiser, at=EVENING)
    assert standings(game.league, as_of=EVENING.date() - timedelta(days=1)) == []
    (winner, *_others) = standings(game.league, as_of=EVENING.date())
    assert (winner.points, winner.player) == (280, game.players[1])


def test_a_hand_without_a_time_is_played_now(game, organiser):
    before = timezone.now()
    record_hand(game, win(game, 1), by=organiser)
    assert before <= Hand.objects.get().played_at <= timezone.now()
