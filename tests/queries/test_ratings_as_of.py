"""The ratings of a league table of the past are those after the last game before its day was over."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring.models import Rating
from scoring.models.tallies import NEWCOMER
from scoring.queries.standings import standings
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from tests.factories import make_league, make_player

pytestmark = pytest.mark.django_db

FIRST = datetime(2022, 3, 1, 19, tzinfo=UTC)


@pytest.fixture
def league():
    return make_league(starts_on=FIRST.date())


@pytest.fixture
def play(league, organiser):
    """``play(four, winner, day)``: a game of one hand on that evening."""

    def play(four, winner, day, *, finish=True):
        at = FIRST + timedelta(days=day)
        game = open_game(league, four, by=organiser, at=at)
        entry = HandEntry(number=1, outcome="win", winner=winner.pk, claimed_final=100)
        record_hand(game, entry, by=organiser, at=at)
        return finish_game(game, by=organiser, at=at) if finish else game

    return play


def ratings(league, day):
    rows = standings(league, as_of=FIRST.date() + timedelta(days=day))
    return {row.player: row.band for row in rows}


def test_each_day_has_its_own_ratings(league, play):
    four = [make_player() for _place in range(4)]
    games = [play(four, four[0], day=0), play(four, four[1], day=7)]
    for game, day in ((games[0], 0), (games[0], 6), (games[1], 7), (games[1], 100)):
        then = {rating.player: rating.band for rating in Rating.objects.filter(game=game)}
        assert ratings(league, day) == then


def test_everybody_keeps_the_rating_of_their_own_last_game(league, play):
    four = [make_player() for _place in range(4)]
    others = [make_player() for _place in range(4)]
    first = play(four, four[0], day=0)
    play(others, others[0], day=1)
    assert ratings(league, 30)[four[0]] == first.ratings.get(player=four[0]).band


def test_a_game_that_is_not_over_rates_nobody(league, play):
    four = [make_player() for _place in range(4)]
    play(four, four[0], day=0, finish=False)
    assert set(ratings(league, 1).values()) == {NEWCOMER}


def test_each_league_has_its_own_ratings(league, play, organiser):
    four = [make_player() for _place in range(4)]
    play(four, four[0], day=0)
    elsewhere = make_league(starts_on=FIRST.date())
    at = FIRST + timedelta(days=1)
    game = open_game(elsewhere, four, by=organiser, at=at)
    record_hand(game, HandEntry(number=1, outcome="draw"), by=organiser, at=at)
    assert set(ratings(elsewhere, 2).values()) == {NEWCOMER}
