"""The worked examples: every hand and every payment."""

import json
from pathlib import Path

import pytest

from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import score

CASES = Path(__file__).parent / "cases"
HANDS = json.loads((CASES / "hands.json").read_text())
PAYMENTS = json.loads((CASES / "payments.json").read_text())
NAMES = {"discarder_double": "double", "discarder_all": "pays_for_all"}


def how_won(case):
    """What a case says of how its hand was won: nothing, unless a rule asks."""
    return {name: case[name] for name in ("self_drawn", "concealed") if name in case}


def doubles_by_id(card):
    doubles = {}
    for line in card.double_report:
        key = line.group or line.rule
        doubles[key] = doubles.get(key, 0) + line.doubles
    return doubles


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case["id"])
def test_a_hand_scores_as_worked_out(case):
    expected = case["expect"]
    if "problems" in expected:
        with pytest.raises(HandError):
            score(case["tiles"], case["seat"], case["prevailing"])
        return
    card = score(case["tiles"], case["seat"], case["prevailing"], **how_won(case))
    assert card.winning == expected["winning"]
    assert len(card.interpretations) == expected["interpretations"]
    if not card.winning:
        assert card.why
        return
    assert card.final == expected["final"]
    assert bool(card.limits) == bool(expected["limit"])
    if expected["limit"]:
        assert expected["limit"] in card.limits
    if "points" in expected:
        assert (card.points, card.total) == (expected["points"], expected["total"])
        wanted = {rule: worth for rule, worth in expected["doubles"].items() if worth}
        assert doubles_by_id(card) == wanted


@pytest.mark.parametrize("case", PAYMENTS, ids=lambda case: f"{case['note']}, {case['final']}")
def test_a_hand_is_paid_as_worked_out(case):
    rules = RuleSet(
        discarder=NAMES.get(case["variation"], case["variation"]),
        dealer_doubles=case["dealer_doubles"],
    )
    paid = settle(
        case["final"],
        winner=case["winner"],
        dealer=case["dealer"],
        discarder=case["discarder"],
        rules=rules,
    )
    assert sum(paid) == 0
    # Thirds are rounded to whole points.
    tolerance = 0.5 if case["variation"] == "split" else 0
    assert all(
        abs(paid[int(place)] - amount) <= tolerance for place, amount in case["expect"].items()
    )
