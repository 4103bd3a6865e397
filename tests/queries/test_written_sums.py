"""The written sum of a player who shares places: what is shown adds up."""

from datetime import date
from fractions import Fraction

import pytest

from scoring.models.standing_settings import read_tables
from scoring.queries.standing_sums import Figures, GameFigures, result, standing

PLACES = {"name": "Places", "counts": "table_points", "places": [4, 2, 1, 0]}


def test_parts_of_a_written_sum_that_never_end_are_fractions():
    """Of 1st to 3rd, who share 7 points, and of the 2nd to 4th, who share 3, one game is left out."""
    [rules] = read_tables([{**PLACES, "drop": {"count": 1, "of": "games"}}])
    games = tuple(
        GameFigures(number, date(2026, 3, number), True, 0, 1, place=place, sharing=3)
        for number, place in ((1, 1), (2, 2), (3, 1))
    )
    found = standing(Figures(1, "Ann", 0, 3, 3, results=games), rules)
    assert found.value == Fraction(14, 3)
    assert found.explanation == "5 2/3 table points − 1 worst game = 4 2/3 ≈ 4.67"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"drop": {"count": 1, "of": "evenings"}}, "the worst evening"),
        ({"best": {"count": 2}}, "what is not among the best"),
    ],
)
def test_the_sum_without_a_loss_is_higher_and_says_what_is_left_out(rule, words):
    [rules] = read_tables([{"name": "A", **rule}])
    games = tuple(
        GameFigures(number, date(2026, 3, number), True, points, 1)
        for number, points in ((1, 100), (2, -2250), (3, 50))
    )
    found = standing(Figures(1, "Ann", -2100, 3, 3, results=games), rules)
    assert found.explanation == f"−2,100 + 2,250 without {words} (−2,250) = 150"


def test_seven_who_are_level_share_all_that_the_places_bring():
    [rules] = read_tables([{**PLACES, "places": [6, 2, 1, 0]}])
    level = GameFigures(1, date(2026, 3, 1), True, 0, 1, place=1, sharing=7)
    assert 7 * result(level, rules) == 9
