"""Cases in the one shape that any rule book's cases may have: a hand, and what it is worth.

``shaped.toml`` says for each implementation that made such a file under which values it did, and maps its
names of patterns to those of the book.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_noop

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.compiled import Judged
from scoring.evaluator.books.hands import PlayerHand, check_hand
from scoring.evaluator.books.loader import load, read
from scoring.evaluator.books.possible import check_for
from scoring.evaluator.books.vocabulary import Group
from scoring.evaluator.counts import counts_of
from scoring.evaluator.problems import HandError, Problem, refuse
from scoring.evaluator.tiles import tile, wind
from scoring.variants import MISSING_LIBRARY, MissingLibrary, scorer_for

from .reading import read_data
from .report import CaseDifference, CaseReport

Case = Mapping[str, Any]
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Source:
    """The implementation that made a file: ``book`` has its values, ``ids`` its names by those of the book.

    It has one line for all patterns whose name is among ``summed``, with what they are worth together.
    """

    book: Book
    ids: Mapping[str, str] = field(default_factory=dict)
    summed: frozenset[str] = frozenset()


def reads(data: Any) -> bool:
    """Whether ``data`` is a file of hands in this shape."""
    return cases_with("won_by", data)


def cases_with(key: str, data: Any) -> bool:
    """Whether ``data`` is a file in this shape whose cases all have ``key``."""
    if not isinstance(data, Mapping) or "meta" not in data:
        return False
    cases = data.get("cases") or [None]
    return all(isinstance(case, Mapping) and key in case for case in cases)


def bad_case(number: int, missing: KeyError) -> HandError:
    """The sentence for a case that cannot be read."""
    template = gettext_noop("Case {number}: {missing} is missing, or not known.")
    return refuse("file", "bad_case", template, number=number, missing=missing)


def run(path: Path) -> CaseReport:
    """Compare every hand of the file.

    :raises HandError: if a case lacks a field, or is of a book that nobody knows or whose library is
        not installed.
    """
    data = read_data(path)
    meta, report = data["meta"], CaseReport()
    for number, case in enumerate(data["cases"], 1):
        try:
            compare(report, path, case, source_of(meta["package"], case["ruleset"]))
        except KeyError as missing:
            raise bad_case(number, missing) from None
        except MissingLibrary as error:
            problem = Problem("file", MISSING_LIBRARY, error.message)
            raise HandError([problem]) from None
    disputed = {entry["id"]: entry["note"] for entry in meta.get("disputed", ())}
    report.differ = [
        replace(one, excused=one.excused or disputed.get(one.id, "")) for one in report.differ
    ]
    return report


@lru_cache(maxsize=16)
def source_of(package: str, slug: str) -> Source:
    """The values and names of ``package``; where nothing is known of it, those of the book ``slug``."""
    known = tomllib.loads((FOLDER / "shaped.toml").read_text(encoding="utf-8"))
    entry = known.get(package, {})
    overlay = entry.get("overlay")
    book = read((FOLDER / overlay).read_text(encoding="utf-8")) if overlay else load(slug)
    return Source(book, entry.get("ids", {}), frozenset(entry.get("summed", ())))


def compare(report: CaseReport, path: Path, case: Case, source: Source) -> None:
    """Add ``case`` to ``report``, by what ``source.book`` makes of its hand."""
    scorer = scorer_for(source.book)
    try:
        hand = player_hand(case)
        check_hand(hand)
        check_for(source.book, hand)
        best = _best(scorer.judged(hand))
    except HandError as error:
        report.differ.append(CaseDifference(case["id"], "hand", "a hand", str(error)))
        return
    expected = _expected(case["expect"])
    if "patterns" in expected:
        wanted = _expected_patterns(expected.pop("patterns"))
        patterns_of_best = [_patterns(judged, source) for judged in best]
        if wanted not in patterns_of_best and all(
            patterns == patterns_of_best[0] for patterns in patterns_of_best
        ):
            expected["patterns"] = wanted
    report.compare(path, case["id"], expected, _figures(best, source))


def player_hand(case: Case) -> PlayerHand:
    """The hand of ``case``.

    :raises HandError: for tiles and winds that nobody knows.
    """
    return PlayerHand(
        counts=counts_of(tile(code) for code in case["tiles"]),
        melds=tuple(_meld(meld) for meld in case["melds"]),
        last=tile(case["winning_tile"]).index,
        won_by=case["won_by"],
        seat=wind(case["seat"]),
        prevailing=wind(case["prevailing"]),
        bonus=tuple(case["bonus"]),
        flags=frozenset(case["flags"]),
        dora_indicators=tuple(tile(code).index for code in case.get("dora_indicators", ())),
    )


def _meld(meld: Mapping[str, Any]) -> Group:
    indexes = tuple(sorted(tile(code).index for code in meld["tiles"]))
    return Group(meld["kind"], indexes, concealed=meld["concealed"])


def _best(ranked: list[Judged]) -> list[Judged]:
    """The readings that are worth most; they may name different patterns."""
    return [judged for judged in ranked if judged.verdict.worth == ranked[0].verdict.worth]


def _expected(expect: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be compared; of the cost only amounts, as its level is a name."""
    expected = {name: value for name, value in expect.items() if value is not None}
    if "cost" in expected:
        expected["cost"] = (expected["cost"]["main"], expected["cost"]["additional"])
    return expected


def _figures(best: list[Judged], source: Source) -> dict[str, Any]:
    if not best:
        return {
            "winning": False,
            "meets_minimum": False,
            "limit": False,
            "error": "hand_not_winning",
        }
    verdict = best[0].verdict
    return {
        "winning": True,
        "meets_minimum": verdict.meets_minimum,
        "limit": verdict.limit > 0,
        "faan": verdict.faan,
        "total": verdict.final,
        "fu": verdict.points,
        "cost": verdict.shares,
        "error": "" if verdict.meets_minimum else "no_yaku",
        "patterns": _patterns(best[0], source),
    }


# A pattern's name, its value (none for a limit hand), and how often the hand has it.
Line = tuple[str, int | None, int]


def _expected_patterns(patterns: list[Mapping[str, Any]]) -> Counter[Line]:
    return Counter((one["id"].lower(), one["value"], one["count"]) for one in patterns)


def _patterns(judged: Judged, source: Source) -> Counter[Line]:
    lines: Counter[Line] = Counter()
    sums: Counter[str] = Counter()
    for line in judged.verdict.lines:
        name = source.ids.get(line.pattern.id, line.pattern.id)
        if name in source.summed:
            sums[name] += line.value
        elif line.pattern.unit == "limit":
            lines[name, None, 1] += 1
        else:
            lines[name, line.value // line.times, int(line.times)] += 1
    lines.update((name, value, 1) for name, value in sums.items())
    return lines
