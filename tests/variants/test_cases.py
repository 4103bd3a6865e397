"""Worked cases of MCR and riichi: each hand is worth what is written down."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.variants.random_wins import Meld, Win, player_hand
from tests.variants.scorers import scorer

FOLDER = Path(__file__).parent / "cases"
CASES = [
    pytest.param(case, id=case["id"])
    for slug in ("mcr", "riichi")
    for case in json.loads((FOLDER / f"{slug}.json").read_text(encoding="utf-8"))["cases"]
]


def win_of(case: dict[str, Any]) -> Win:
    return Win(
        tuple(case["tiles"]),
        tuple(Meld(one["kind"], tuple(one["tiles"]), one["concealed"]) for one in case["melds"]),
        case["winning_tile"],
        case["won_by"],
        case["seat"],
        case["prevailing"],
        tuple(case["bonus"]),
        frozenset(case["flags"]),
        tuple(case.get("dora_indicators", ())),
    )


@pytest.mark.parametrize("case", CASES)
def test_a_case_is_worth_what_is_written_down(case: dict[str, Any]) -> None:
    expected = case["expect"]
    judged = scorer(case["ruleset"]).judged(player_hand(win_of(case)))
    assert bool(judged) is expected["winning"]
    if not judged:
        return
    verdict = judged[0].verdict
    assert verdict.meets_minimum is expected["meets_minimum"]
    if expected["faan"] is None:
        assert not verdict.lines
        return
    assert (verdict.faan, verdict.total) == (expected["faan"], expected["total"])
    if "fu" in expected:
        cost = expected["cost"]
        assert (verdict.points, verdict.shares) == (
            expected["fu"],
            (cost["main"], cost["additional"]),
        )
    lines = Counter(
        (line.pattern.id, line.value // line.times, line.times) for line in verdict.lines
    )
    patterns = expected["patterns"]
    assert lines == Counter((one["id"].lower(), one["value"], one["count"]) for one in patterns)
