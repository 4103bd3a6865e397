"""Files of hands: read, scored, and written out again.

A file has one hand a line (``222B 345B 55B 222D GGG``; blank lines and lines that begin with # are
skipped), or it is CSV whose first line names its columns: ``tiles``, and if wanted ``seat``,
``prevailing``, ``melds``, ``concealed``, ``self_drawn``. What a line leaves out is as for the whole file.
The hands that ``export hands.csv`` writes are scored, too: their winds follow from the game they are of.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import TextIOBase
from typing import TextIO

from django.utils.translation import gettext as _

from scoring.evaluator.books.circumstances import refuse_circumstances
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard, score
from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import WINDS
from scoring.evaluator.win import Win
from scoring.operations.csv import (
    SourceLine,
    delimiter_of,
    left_over,
    lines_of,
    named_delimiter,
    records_of,
)
from scoring.operations.csv.columns import ANSWERED

PROBLEM = "problem"  # why a line cannot be read
SEATS = tuple(wind.label.lower() for wind in WINDS)
# Of a sheet of games, from which the winds of a hand can be told.
GAMES = {"game", *SEATS, "outcome", "winner"}
COLUMNS = ("tiles", "seat", "prevailing", *Win._fields)
READ = (*COLUMNS, "melds", "league", "game", *SEATS, "outcome", "winner")
FIGURES = ("points", "doubles", "total", "final")
ANSWERS = {"": None, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One line of a file: its number, its columns, and its card or what is wrong with it."""

    line: int
    entered: Mapping[str, str]
    card: Scorecard | None
    problem: str = ""


def read(file: TextIO, rules: RuleSet) -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each line with a hand, and what it says by column; or why it cannot be read.

    :param rules: by which the deal passes in a sheet of games.
    """
    lines, named = lines_of(file), ""
    for line in lines:
        if line.problem:
            yield line.number, {PROBLEM: line.problem}
        elif found := named_delimiter(line.text):
            named = found
        elif _is_hand(line.text):
            delimiter = named or delimiter_of(line.text)
            [head] = records_of(iter([line]), delimiter)
            header = [name.strip().lower() for name in head.cells]
            if "tiles" not in header:
                yield line.number, {"tiles": line.text.strip()}
            elif twice := [name for name in READ if header.count(name) > 1]:
                sentence = _("The column “%(name)s” is there twice.") % {"name": twice[0]}
                yield line.number, {PROBLEM: sentence}
                return
            else:
                rows = _rows(header, lines, delimiter)
                yield from _of_games(rows, rules) if set(header) >= GAMES else rows
                return


def scored(number: int, entered: Mapping[str, str], rules: RuleSet) -> ScoredRow:
    """One line scored; what cannot be a hand has a problem instead."""
    if problem := entered.get(PROBLEM) or _lacking_wind(entered):
        return ScoredRow(number, entered, None, problem)
    try:
        card = score(
            entered["tiles"],
            entered["seat"],
            entered["prevailing"],
            melds=(entered.get("melds") or "").split() or None,
            win=_win(entered, rules),
            rules=rules,
        )
    except HandError as error:
        return ScoredRow(number, entered, None, str(error))
    return ScoredRow(number, entered, card)


def _lacking_wind(entered: Mapping[str, str]) -> str:
    """Which winds neither the line nor the whole file gives, and how to; empty if none is lacking."""
    lacking = [name for name in ("seat", "prevailing") if not entered[name]]
    message = _("No %(name)s wind: fill in the column “%(name)s”, or give --%(name)s.")
    return " ".join(message % {"name": name} for name in lacking)


def write_csv(rows: Iterable[ScoredRow], out: TextIOBase) -> None:
    """A line a hand: its first columns, whether it wins, its figures, or what is wrong with it."""
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["line", *COLUMNS[:3], "winning", *FIGURES, "limits", "problem"])
    for row in rows:
        card = row.card
        problem = row.problem if card is None else card.why or ""
        figures = [getattr(card, name, None) for name in FIGURES]
        limits = " ".join(card.limits) if card else ""
        winning = "" if card is None else "yes" if card.winning else "no"
        typed = [_safe(row.entered.get(name, "")) for name in COLUMNS[:3]]
        table.writerow([row.line, *typed, winning, *figures, limits, _safe(problem)])


def write_json(rows: Iterable[ScoredRow], out: TextIOBase) -> None:
    """One object a line: its first columns with its scorecard as the API gives it, or its problem."""
    for row in rows:
        answer = {"problem": row.problem} if row.card is None else row.card.as_dict()
        typed = {name: row.entered.get(name, "") for name in COLUMNS[:3]}
        out.write(json.dumps({"line": row.line, **typed, **answer}, ensure_ascii=False) + "\n")


def _is_hand(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _rows(
    header: list[str], lines: Iterator[SourceLine], delimiter: str
) -> Iterator[tuple[int, dict[str, str]]]:
    for record in records_of(
        (line for line in lines if line.problem or _is_hand(line.text)), delimiter
    ):
        if record.problem:
            yield record.line, {PROBLEM: record.problem}
        elif problem := left_over(record.cells, header):
            yield record.line, {PROBLEM: problem}
        else:
            cells = [cell.strip() for cell in record.cells]
            yield record.line, dict(zip(header, cells, strict=False))


def _of_games(
    rows: Iterable[tuple[int, dict[str, str]]], rules: RuleSet
) -> Iterator[tuple[int, dict[str, str]]]:
    """The hands with tiles in a sheet of games, each with the winds that it was won under."""
    states: dict[tuple[str, str], TableState] = {}
    for number, row in rows:
        if PROBLEM in row:
            yield number, row
            continue
        game = row.get("league", ""), row["game"]
        state = states.get(game, TableState.start())
        seats = [row.get(seat, "").casefold() for seat in SEATS]
        winner = row.get("winner", "").casefold()
        place = seats.index(winner) if winner in seats and winner else None
        if row.get("tiles"):
            seat = "" if place is None else state.seat_wind(place).value
            yield number, {"seat": seat, "prevailing": state.round.value, **row}
        states[game] = state.after(place, rules)


def _win(entered: Mapping[str, str], rules: RuleSet) -> Win:
    win = Win.of(
        {name: _answer(entered, name) for name in ANSWERED}
        | {name: entered.get(name) or None for name in Win._fields if name not in ANSWERED}
    )
    refuse_circumstances(rules.name, win)
    return win


def _answer(entered: Mapping[str, str], name: str) -> bool | None:
    answer = (entered.get(name) or "").lower()
    if answer not in ANSWERS:
        raise refuse(name, "not_an_answer", "“{name}” is yes or no, or left out.", name=name)
    return ANSWERS[answer]


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULAS) else cell
