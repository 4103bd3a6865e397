"""The ratings of a player as a picture shows them: one an evening, with its band."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring.models import Rating
from scoring.models.tallies import RatingBand
from scoring.queries.ratings import rating_points
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from tests.factories import make_league, make_player

pytestmark = pytest.mark.django_db

FIRST = datetime(2022, 3, 1, 19, tzinfo=UTC)


def play(league, four, winner, by, *, day, hour=0):
    at = FIRST + timedelta(days=day, hours=hour)
    game = open_game(league, four, by=by, at=at)
    record_hand(
        game, HandEntry(number=1, outcome="win", winner=winner.pk, claimed_final=100), by=by, at=at
    )
    return finish_game(game, by=by, at=at)


def test_the_last_game_of_each_evening_is_its_point(organiser, django_assert_num_queries):
    league, four = make_league(starts_on=FIRST.date()), [make_player() for _place in range(4)]
    play(league, four, four[0], organiser, day=0)
    last = [
        play(league, four, four[1], organiser, day=0, hour=1),
        play(league, four, four[0], organiser, day=7),
    ]
    with django_assert_num_queries(1):
        points = rating_points(four[0], league)
    bands = [Rating.objects.get(game=game, player=four[0]).band for game in last]
    assert [(one.day, one.low, one.rating, one.high) for one in points] == [
        (game.evening, band.low, band.rating, band.high)
        for game, band in zip(last, bands, strict=True)
    ]
    assert rating_points(four[0], league, last=1) == points[1:]


def test_who_has_finished_no_game_has_no_point(organiser):
    assert rating_points(make_player(), make_league()) == []


def test_a_newcomer_is_somewhere_between_600_and_1400():
    band = RatingBand.of(25, 25 / 3)
    assert (band.low, band.rating, band.high) == (600, 1000, 1400)
    assert band.provisional
    assert not RatingBand.of(25, 149 / 24).provisional
