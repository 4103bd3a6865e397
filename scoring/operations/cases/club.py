"""The worked hands and payments of the Club rules."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard, score

from .reading import read_data
from .report import CaseReport

Case = Mapping[str, Any]

# What the files call the ways in which the discarder pays.
VARIATIONS = {"discarder_double": "double", "discarder_all": "pays_for_all"}


def reads(data: Any) -> bool:
    """Whether ``data`` are such hands or payments."""
    return (
        isinstance(data, list)
        and bool(data)
        and isinstance(data[0], Mapping)
        and "expect" in data[0]
    )


def run(path: Path) -> CaseReport:
    """Compare every hand, or every payment."""
    report = CaseReport()
    for number, case in enumerate(read_data(path), 1):
        if "variation" in case:
            _payment(report, path, f"{number} {case['note']}", case)
        else:
            _hand(report, path, case)
    return report


def _hand(report: CaseReport, path: Path, case: Case) -> None:
    expect = case["expect"]
    refused = "problems" in expect
    wanted: dict[str, Any] = {"refused": refused}
    if not refused:
        wanted |= {name: expect[name] for name in ("winning", "interpretations")}
    if expect.get("winning"):
        names = [name for name in ("final", "points", "total") if name in expect]
        wanted |= {name: expect[name] for name in (*names, "limit")}
        if "doubles" in expect:
            wanted["doubles"] = {rule: worth for rule, worth in expect["doubles"].items() if worth}
    try:
        card = score(case["tiles"], case["seat"], case["prevailing"])
    except HandError:
        report.compare(path, case["id"], wanted, {"refused": True})
        return
    report.compare(path, case["id"], wanted, _figures(card, expect.get("limit")))


def _figures(card: Scorecard, limit: str | None) -> dict[str, Any]:
    """The figures of ``card``; ``limit`` is the limit hand that is looked for."""
    doubles: dict[str, int] = {}
    for line in card.double_report:
        key = line.group or line.rule
        doubles[key] = doubles.get(key, 0) + line.doubles
    return {
        "refused": False,
        "winning": card.winning,
        "interpretations": len(card.interpretations),
        "final": card.final,
        "points": card.points,
        "total": card.total,
        "doubles": doubles,
        "limit": limit if limit in card.limits else next(iter(card.limits), None),
    }


def _payment(report: CaseReport, path: Path, name: str, case: Case) -> None:
    """Thirds are rounded to whole points, so that a half more or less agrees there."""
    variation = str(VARIATIONS.get(case["variation"], case["variation"]))
    paid = settle(
        case["final"],
        winner=case["winner"],
        dealer=case["dealer"],
        discarder=case["discarder"],
        rules=RuleSet(discarder=variation, dealer_doubles=case["dealer_doubles"]),
    )
    most = 0.5 if variation == "split" else 0
    got = {
        place: amount if abs(paid[int(place)] - amount) <= most else paid[int(place)]
        for place, amount in case["expect"].items()
    }
    report.compare(path, name, case["expect"], got)
