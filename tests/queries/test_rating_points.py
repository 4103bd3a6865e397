"""The ratings of a player as a picture shows them: one an evening, with its band."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring.models import Club, ClubTally, Rating
from scoring.models.tallies import RatingBand
from scoring.queries.ratings import club_table, rated_games, rating_points, rating_rows
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


def test_each_game_says_its_place_and_what_it_moved(organiser, django_assert_max_num_queries):
    league, four = make_league(starts_on=FIRST.date()), [make_player() for _place in range(4)]
    games = [play(league, four, four[day % 2], organiser, day=day) for day in range(3)]
    rows = rating_rows(four[0], league)
    with django_assert_max_num_queries(7):
        rated = rated_games(four[0], league, rows)
    bands = [Rating.objects.get(game=game, player=four[0]).band for game in games]
    assert [(one.game, one.rank, one.band) for one in rated] == [
        (game, 1 if game != games[1] else rated[1].rank, band)
        for game, band in zip(games[::-1], bands[::-1], strict=True)
    ]
    assert rated[1].rank > 1
    # The changes lead from 1000 to the last rating.
    assert 1000 + sum(one.change for one in rated) == rated[0].band.rating
    assert rated_games(four[0], league, rows[1:2]) == rated[1:2]


class TestTheTableAcrossLeagues:
    def test_the_table_across_leagues_ranks_who_is_sure_above_who_is_not(
        self, django_assert_num_queries
    ):
        for name, mu, sigma in (
            *(("Ann", 26, 3), ("Ben", 26, 3), ("Cleo", 30, 6.5)),
            *(("Dan", 20, 2), ("Eva", 40, 2)),
        ):
            player = make_player(name, active=name != "Eva")
            ClubTally.objects.create(player=player, mu=mu, sigma=sigma, games=20)
        with django_assert_num_queries(1):
            rows = club_table()
        assert [(row.rank, row.player.name) for row in rows] == [
            *((1, "Ann"), (1, "Ben"), (3, "Dan")),
            (None, "Cleo"),
        ]

    def test_the_table_across_leagues_of_a_day_is_what_it_was(
        self, organiser, django_assert_num_queries
    ):
        Club.objects.create(pk=1, rates_across_leagues=True)
        leagues = [make_league(starts_on=FIRST.date()) for _league in range(2)]
        four = [make_player() for _place in range(4)]
        then = []
        for day, league in enumerate(leagues):
            play(league, four, four[0], organiser, day=day)
            then.append(club_table())
        for day, rows in enumerate(then):
            with django_assert_num_queries(2):
                assert club_table(as_of=FIRST.date() + timedelta(days=day)) == rows
        assert [point.rating for point in rating_points(four[0], None)] == [
            next(row.band.rating for row in rows if row.player == four[0]) for rows in then
        ]
        assert club_table(as_of=FIRST.date() - timedelta(days=1)) == []


def test_who_has_finished_no_game_has_no_point(organiser):
    assert rating_points(make_player(), make_league()) == []


def test_a_newcomer_is_somewhere_between_600_and_1400():
    band = RatingBand.of(25, 25 / 3)
    assert (band.low, band.rating, band.high) == (600, 1000, 1400)
    assert band.provisional
    assert not RatingBand.of(25, 149 / 24).provisional
