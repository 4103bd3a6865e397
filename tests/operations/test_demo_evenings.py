"""When the demo's games were played, and who sat where."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from random import Random

import pytest

from scoring.demo.evenings import plan
from scoring.demo.names import names

NOW = datetime(2026, 3, 14, 15, 9, tzinfo=UTC)


def planned(hands=400, players=24, leagues=2, regulars=3, seed=1):
    return plan(hands, players, leagues, regulars=regulars, now=NOW, rng=Random(seed))


@pytest.mark.parametrize("hands", [1, 4, 11, 30, 37, 400, 2003])
def test_all_hands_are_planned(hands):
    assert sum(sitting.hands for sitting in planned(hands)) == hands


def test_tables_in_play_of_the_demo_come_last():
    *past, first, second, third = planned()
    assert not any(sitting.stay for sitting in past)
    assert all(sitting.stay for sitting in (first, second, third))
    days = [sitting.day for sitting in past]
    assert days == sorted(days)
    assert {0, 1, 2} <= set(first.players)


def test_a_table_in_play_has_just_played_its_last_hand():
    sitting = planned()[-1]
    begins, *hands = islice(sitting.moments(6, Random(1)), 7)
    assert sitting.day <= begins.date()
    assert NOW - timedelta(minutes=10) < hands[-1] < NOW


def test_an_evening_goes_on_for_a_second_game():
    sitting = planned()[0]
    evening = list(islice(sitting.moments(3, Random(1)), 12))
    assert evening[0] == sitting.at
    assert all(one < following for one, following in pairwise(evening))


@pytest.mark.parametrize("size", [{}, {"hands": 9000}, {"leagues": 9, "hands": 900}])
def test_nobody_sits_at_two_tables(size):
    evenings = defaultdict(list)
    for sitting in planned(**size):
        evenings[sitting.at.date()].extend(sitting.players)
    for players in evenings.values():
        assert len(players) == len(set(players))


def test_everybody_plays_about_as_often():
    seats = Counter(player for sitting in planned(2000) for player in sitting.players)
    assert len(seats) == 24
    assert max(seats.values()) - min(seats.values()) <= 3


def test_evenings_of_the_past_are_over():
    assert all(sitting.at < NOW - timedelta(hours=12) for sitting in planned() if not sitting.stay)


def test_each_league_has_its_evening_of_the_week():
    days = defaultdict(set)
    for sitting in planned(2000):
        if not sitting.stay:
            days[sitting.league].add(sitting.day.weekday())
    assert [len(weekdays) for weekdays in days.values()] == [1, 1]
    assert days[0] != days[1]


def test_four_players_are_one_table():
    assert {frozenset(sitting.players) for sitting in planned(100, players=4)} == {
        frozenset(range(4))
    }


def test_names_of_the_demo_are_different_and_new_to_the_club():
    chosen = names(1200, taken={"ruth abrahams"})
    assert len({name.lower() for name in chosen}) == 1200
    assert "Ruth Abrahams" not in chosen
    assert max(map(len, chosen)) <= 80


def test_a_small_demo_club_has_long_names_and_accents():
    chosen = names(24)
    assert any(len(name) > 25 for name in chosen)
    assert any(not name.isascii() for name in chosen)
