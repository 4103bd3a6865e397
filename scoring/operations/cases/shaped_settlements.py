"""Cases of who pays whom by faan, in the shape of ``shaped``: options of the table, and four amounts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.counting import highest
from scoring.evaluator.books.loader import from_data
from scoring.evaluator.books.settlement import HandResult, settle

from .reading import read_data
from .report import CaseReport
from .shaped import bad_case, cases_with

Case = Mapping[str, Any]
SEATS = "ESWN"
RISES = {"half": "hk", "full": "hk-spicy"}  # the books with these tables
LIABLE = ("pays_for_all_discard", "pays_for_all_self_drawn")


def reads(data: Any) -> bool:
    """Whether ``data`` is a file of payments in this shape."""
    return cases_with("how", data)


def run(path: Path) -> CaseReport:
    """Compare the payments of every case of the file.

    :raises HandError: if a case lacks a field, or its options are none of a book.
    """
    report = CaseReport()
    for number, case in enumerate(read_data(path)["cases"], 1):
        try:
            book = _book(case["options"])
            amounts = settle(book.settlement, _outcome(case, book))
            got = dict(zip(SEATS, amounts, strict=True))
            report.compare(path, case["id"], case["expect"], got)
        except KeyError as missing:
            raise bad_case(number, missing) from None
    return report


def _book(options: Mapping[str, Any]) -> Book:
    """The book of a table that plays by these ``options``."""
    return from_data(
        {
            "base": RISES[options["rise"]],
            "slug": "options",
            "counting": {"maximum": options["maximum"]},
            "settlement": {"base": options["base"], "discarder": options["responsibility"]},
        }
    )


def _outcome(case: Case, book: Book) -> HandResult:
    how, scores = case["how"], [0, 0, 0, 0]
    winner, at_fault = _seat(case["winner"]), _seat(case["at_fault"])
    if winner is not None:
        scores[winner] = book.counting.table[min(case["faan"], book.counting.maximum)]
    if how == "false_win" and at_fault is not None:
        scores[at_fault] = highest(book.counting)
    return HandResult(
        scores,
        winner,
        discarder=at_fault if how in ("discard", "pays_for_all_discard") else None,
        liable=at_fault if how in LIABLE else None,
        false_win=at_fault if how == "false_win" else None,
    )


def _seat(wind: str | None) -> int | None:
    return None if wind is None else SEATS.index(wind)
