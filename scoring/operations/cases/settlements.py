"""Settlements of the classical books: the four scores, who won, and what each pays or gets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.evaluator.books.loader import load
from scoring.evaluator.books.settlement import HandResult, settle

from .reading import read_data
from .report import CaseReport

SEATS = ("East", "South", "West", "North")
BOOK = "dmjl"  # the classical books settle alike


def reads(data: Any) -> bool:
    """Whether ``data`` are such settlements."""
    cases = data.get("cases") if isinstance(data, Mapping) else None
    return isinstance(cases, list) and bool(cases) and "pays_for_all" in cases[0]


def run(path: Path) -> CaseReport:
    """Compare what every seat gets."""
    report = CaseReport()
    for case in read_data(path)["cases"]:
        amounts = settle(load(BOOK).settlement, _outcome(case))
        report.compare(path, case["id"], case["payments"], dict(zip(SEATS, amounts, strict=True)))
    return report


def _outcome(case: Mapping[str, Any]) -> HandResult:
    winner, liable = (
        None if name is None else SEATS.index(name)
        for name in (case["winner"], case["pays_for_all"])
    )
    return HandResult([case["scores"][seat] for seat in SEATS], winner, liable=liable)
