"""The steps from a hand's points to its final score, as the scorecard page writes them out."""

import pytest

from scoring.evaluator.rules import CLUB, RuleSet
from scoring.web.shared.score_steps import steps


def card(points, doubles, final, limits=()):
    total = points * 2**doubles
    return {
        "points": points,
        "doubles": doubles,
        "total": total,
        "final": final,
        "limits": list(limits),
    }


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (card(20, 0, 20), [("No double", 20)]),
        (card(28, 0, 30), [("No double", 28), ("Rounded to the nearest 10", 30)]),
        (card(36, 1, 70), [("36 × 2", 72), ("Rounded to the nearest 10", 70)]),
        (card(30, 3, 240), [("30 × 2 × 2 × 2", 240)]),
        (
            card(44, 4, 500),
            [
                ("44 × 2 × 2 × 2 × 2", 704),
                ("Rounded to the nearest 10", 700),
                ("No hand scores more than 500", 500),
            ],
        ),
        (card(20, 0, 500, ["nine_gates"]), [("A limit hand, whatever the points", 500)]),
    ],
)
def test_the_way_from_points_to_score_by_the_club_rules(shown, expected):
    assert [(step.words, step.figure) for step in steps(shown, CLUB)] == expected


def test_the_way_from_points_to_score_without_rounding():
    rules = RuleSet.from_options({"rounding": 1}, slug="house", name="House", version=1)
    shown = steps(card(36, 1, 72), rules)
    assert [(step.words, step.figure) for step in shown] == [("36 × 2", 72)]
