"""The first few of several leagues at once."""

import pytest

from scoring.league.leaders import tops
from scoring.league.standings import standings
from scoring.models import League, Tally
from tests.factories import make_league, make_player

pytestmark = pytest.mark.django_db


def tally(league, points, name=""):
    return Tally.objects.create(league=league, player=make_player(name), points=points, hands=1)


def test_each_league_has_its_own_first_three():
    one, two = make_league(), make_league()
    for points in (10, 40, 20, 30):
        tally(one, points)
    tally(two, 5)
    tops_by_league = {top.league: [each.points for each in top.first] for top in tops([two, one])}
    assert tops_by_league == {two: [5], one: [40, 30, 20]}


def test_the_leagues_keep_their_order():
    leagues = [make_league(), make_league()]
    assert [top.league for top in tops(leagues)] == leagues
    assert [top.league for top in tops(leagues[::-1])] == leagues[::-1]


def test_ranks_and_order_are_those_of_the_league_table():
    league = make_league()
    for name, points in (("Zoe", 20), ("ann", 20), ("Bo", 20), ("Cy", 50)):
        tally(league, points, name)
    (top,) = tops([league])
    expected = [(row.rank, row.player) for row in standings(league)][:3]
    assert [(each.rank, each.player) for each in top.first] == expected
    assert [rank for rank, _player in expected] == [1, 2, 2]


def test_who_has_not_played_a_hand_leads_nothing():
    league = make_league()
    Tally.objects.create(league=league, player=make_player())
    (top,) = tops([league])
    assert top.first == []


def test_no_league_is_no_answer():
    assert tops(League.objects.none()) == []
