"""Two records of one person become one: with which ratings the one person begins each season."""

from datetime import UTC, datetime, time, timedelta

import pytest

from scoring.models import Tally, club_day
from scoring.models.tallies import widened
from scoring.operations.verify import verify
from scoring.queries.seasons import final_rows
from scoring.services.games import finish_game, open_game
from scoring.services.merging import merge_players
from scoring.services.seasons import add_season, close_season
from tests.factories import make_hand, make_league, make_owner, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

NEWCOMER = (25.0, 25 / 3)


@pytest.fixture
def by():
    return make_owner()


@pytest.fixture
def first(by):
    return make_league("Winter", starts_on=club_day() - timedelta(days=30))


@pytest.fixture
def second(first, by):
    return following(first, by)


@pytest.fixture
def two():
    return make_player("Zoë"), make_player("Zoe")


def following(season, by):
    """The season after ``season``, which is over ten days after it began."""
    last = season.starts_on + timedelta(days=10)
    type(season).objects.filter(pk=season.pk).update(ends_on=last)
    season.refresh_from_db()
    starts = last + timedelta(days=1)
    return add_season(season, f"s{starts}", name=f"{starts}", starts_on=starts, ends_on=None, by=by)


def play(league, player, by, *, over=True):
    """A game that ``player`` wins against three newcomers."""
    players = [player, *(make_player() for _ in range(3))]
    at = datetime.combine(league.starts_on, time(12), UTC)
    game = open_game(league, players, by=by, at=at, anyway=True)
    make_hand(game, winner=0, by=by)
    if over:
        finish_game(game, by=by)
    return game


def rating(league, player):
    tally = Tally.objects.get(league=league, player=player)
    return tally.rating_mu, tally.rating_sigma


def start(league, player):
    return Tally.objects.get(league=league, player=player).start


def brought(league, player):
    """What ``player`` brings along from ``league`` to the next season."""
    mu, sigma = rating(league, player)
    return mu, widened(sigma)


@pytest.mark.parametrize("stays", [0, 1])
def test_two_who_were_not_rated_yet_begin_with_what_one_brought_along(
    first, second, two, by, stays
):
    play(first, two[0], by)
    play(second, two[0], by, over=False)
    game = play(second, two[1], by, over=False)
    expected = brought(first, two[0])
    kept = two[stays]
    merge_players(kept, two[1 - stays], by=by)
    assert start(second, kept) == rating(second, kept) == expected
    assert list(verify()) == []
    finish_game(game, by=by)
    assert rating(second, kept) > expected
    assert list(verify()) == []


@pytest.mark.parametrize("stays", [0, 1])
def test_each_played_one_season(first, second, two, by, stays):
    play(first, two[0], by)
    play(second, two[1], by)
    alone = rating(second, two[1])
    expected = brought(first, two[0])
    kept = two[stays]
    merge_players(kept, two[1 - stays], by=by)
    assert start(second, kept) == expected
    assert rating(second, kept) > alone
    assert list(verify()) == []


def test_what_both_played_is_brought_along_from_season_to_season(first, second, two, by):
    kept, gone = two
    play(first, kept, by)
    play(first, gone, by)
    play(second, kept, by)
    third = following(second, by)
    play(third, gone, by)
    merge_players(kept, gone, by=by)
    assert start(first, kept) == NEWCOMER
    assert start(second, kept) == brought(first, kept)
    assert start(third, kept) == brought(second, kept)
    assert list(verify()) == []


def test_what_one_alone_brought_along_stays_whatever_was_corrected_since(first, second, two, by):
    kept, gone = two
    play(first, kept, by)
    play(second, kept, by)
    expected = start(second, kept)
    play(first, kept, by)
    assert brought(first, kept) != expected
    play(second, gone, by)
    merge_players(kept, gone, by=by)
    assert start(second, kept) == expected
    assert list(verify()) == []


def test_a_closed_season_stays_as_it_is_and_the_next_one_begins_with_it(first, second, two, by):
    kept, gone = two
    play(first, kept, by)
    play(second, gone, by)
    play(second, gone, by)
    third = following(second, by)
    for season in (first, second):
        close_season(season, by=by, final_rows=final_rows)
    play(third, kept, by)
    before = rating(second, gone)
    merge_players(kept, gone, by=by)
    assert (start(second, kept), rating(second, kept)) == (NEWCOMER, before)
    assert start(third, kept) == brought(second, kept)
    assert list(verify()) == []
