"""Files of hands: read, scored, and written out again.

A file has one hand a line (``222B 345B 55B 222D GGG``; blank lines and lines that begin with # are
skipped), or it is CSV whose first line names its columns: ``tiles``, and if wanted ``seat``,
``prevailing``, ``concealed``, ``self_drawn``. What a line leaves out is as for the whole file.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard, score

COLUMNS = ("tiles", "seat", "prevailing", "concealed", "self_drawn")
FIGURES = ("points", "doubles", "total", "final")
ANSWERS = {"": None, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Scored:
    """One line of a file: its number, what it said, and its card or what is wrong with it."""

    line: int
    said: Mapping[str, str]
    card: Scorecard | None
    problem: str = ""


def read(file: TextIO) -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each line with a hand, and what it says by column."""
    lines = enumerate(file, 1)
    for number, line in lines:
        if not _is_hand(line):
            continue
        header = [name.strip().lower() for name in next(csv.reader([line]))]
        if "tiles" in header:
            yield from _rows(header, lines)
            return
        yield number, {"tiles": line.strip()}


def scored(number: int, said: Mapping[str, str], rules: RuleSet) -> Scored:
    """One line scored; what cannot be a hand has a problem instead."""
    try:
        card = score(
            said["tiles"],
            said["seat"],
            said["prevailing"],
            concealed=_answer(said, "concealed"),
            self_drawn=bool(_answer(said, "self_drawn")),
            rules=rules,
        )
    except HandError as error:
        return Scored(number, said, None, str(error))
    return Scored(number, said, card)


def write_csv(found: Iterable[Scored], out: TextIO) -> None:
    """A line a hand: what it said, whether it wins, its figures, or what is wrong with it."""
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["line", *COLUMNS[:3], "winning", *FIGURES, "limits", "problem"])
    for each in found:
        card = each.card
        problem = each.problem if card is None else card.why or ""
        figures = [getattr(card, name, None) for name in FIGURES]
        limits = " ".join(card.limits) if card else ""
        winning = "" if card is None else "yes" if card.winning else "no"
        said = [_safe(each.said[name]) for name in COLUMNS[:3]]
        table.writerow([each.line, *said, winning, *figures, limits, _safe(problem)])


def write_json(found: Iterable[Scored], out: TextIO) -> None:
    """One object a line: what it said with its scorecard as the API gives it, or its problem."""
    for each in found:
        answer = {"problem": each.problem} if each.card is None else each.card.as_dict()
        said = {name: each.said[name] for name in COLUMNS[:3]}
        out.write(json.dumps({"line": each.line, **said, **answer}, ensure_ascii=False) + "\n")


def _is_hand(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _rows(
    header: list[str], lines: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in lines:
        if _is_hand(line):
            cells = [cell.strip() for cell in next(csv.reader([line]))]
            yield number, dict(zip(header, cells, strict=False))


def _answer(said: Mapping[str, str], name: str) -> bool | None:
    answer = (said.get(name) or "").lower()
    if answer not in ANSWERS:
        raise refuse(name, "not_an_answer", "“{name}” is yes or no, or left out.", name=name)
    return ANSWERS[answer]


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULAS) else cell
