"""Reading a sheet of hands: what each row says, before anybody asks whether it can be."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TextIO

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.evaluator.table import Calls
from scoring.evaluator.tiles import WINDS
from scoring.evaluator.win import Win
from scoring.models import day_begins

from .columns import (
    ANSWERED,
    ANSWERS,
    COLUMNS,
    COUNTS,
    DISPUTED,
    NUMBERED,
    REQUIRED,
    SEATS,
    unquoted,
)
from .errors import COLUMN_TWICE, RowRefused, SheetRefused
from .source import Record, delimiter_of, left_over, lines_of, named_delimiter, records_of

# Hands: more than a club plays in its life, and what a small machine can hold.
MOST_ROWS = 200_000
# Before anybody played by these rules; and far from where calendars end.
EARLIEST = 1900
LETTERS = [wind.value for wind in WINDS]
NAMES = (*SEATS, "winner", "discarder", "disputed_by")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row of a sheet: its number (the header is 1) and its cells by column, as they were meant.

    :ivar problem: why it cannot be read; it has no cells then.
    """

    number: int
    cells: Mapping[str, str]
    problem: str = ""

    @property
    def game(self) -> tuple[str, str]:
        """What all rows of one game share."""
        return self.cells["league"], self.cells["game"]

    @property
    def seats(self) -> list[str]:
        """The names of the four, East first."""
        return [self.cells[seat] for seat in SEATS]

    def at(self) -> datetime:
        """When it was played. A day alone is the first minute of that day of the club.

        :raises RowRefused: if it is no moment.
        """
        cell = self.cells["date"]
        try:
            at = _moment(cell)
            if at.year > EARLIEST and at <= timezone.now():
                return at
        except (ValueError, OverflowError):
            pass
        sentence = _(
            "date: “%(cell)s” is no moment of the past. Write 2026-03-31 or 2026-03-31 19:30."
        )
        raise RowRefused(sentence % {"cell": cell})

    @property
    def day(self) -> date | None:
        """The day of the club, of a cell that says no hour."""
        with suppress(ValueError):
            return date.fromisoformat(self.cells["date"])
        return None

    def whole_number(self, column: str) -> int | None:
        """:raises RowRefused: if the cell holds anything else."""
        cell = self.cells[column]
        if not cell:
            return None
        try:
            return int(cell)
        except ValueError as error:
            sentence = _("%(column)s: “%(cell)s” is no whole number.")
            raise RowRefused(sentence % {"column": column, "cell": cell[:80]}) from error

    @property
    def disputed(self) -> bool:
        """:raises RowRefused: for a status that no hand of a sheet has."""
        cell = self.cells["status"].lower()
        if cell not in ("", COUNTS, DISPUTED):
            sentence = _("status: write live or disputed, or nothing.")
            raise RowRefused(sentence)
        return cell == DISPUTED

    def answer(self, column: str) -> bool | None:
        """:raises RowRefused: if the cell holds anything but yes and no."""
        cell = self.cells[column].lower()
        if cell not in ANSWERS:
            sentence = _("%(column)s: write yes or no, or nothing.")
            raise RowRefused(sentence % {"column": column})
        return ANSWERS[cell]

    @property
    def win(self) -> Win:
        """How it was won.

        :raises RowRefused: for a cell that cannot be.
        """
        cells: dict[str, Any] = {name: self.cells[name] for name in Win._fields}
        cells |= {name: self.answer(name) for name in ANSWERED}
        cells |= {name: self.whole_number(name) for name in NUMBERED}
        for name in ("bonus", "flags"):
            cells[name] = sorted(cells[name].replace(",", " ").split())
        return Win.of(cells)

    def calls(self, players: Sequence[int]) -> Calls:
        """Who staked and who was calling, of the ids of the four ``players``, East first.

        :raises RowRefused: for a cell that cannot be.
        """
        return Calls(
            self._seated("staked", players),
            self._seated("calling", players),
            bool(self.answer("abortive")),
        )

    def _seated(self, column: str, players: Sequence[int]) -> tuple[int, ...]:
        letters = self.cells[column].upper().replace(",", " ").split()
        if not {*letters} <= {*LETTERS}:
            sentence = _("%(column)s: write E, S, W or N, the seats of the players.")
            raise RowRefused(sentence % {"column": column})
        return tuple(players[LETTERS.index(letter)] for letter in letters)


def _moment(cell: str) -> datetime:
    """:raises ValueError: if it is none."""
    with suppress(ValueError):
        return day_begins(date.fromisoformat(cell))
    at = datetime.fromisoformat(cell)
    return at if at.tzinfo else timezone.make_aware(at)


def read_rows(file: TextIO) -> Iterator[SheetRow]:
    """The rows of a sheet that hold anything, also those that cannot be read.

    :raises SheetRefused: if it is none, lacks columns, or has too many rows.
    """
    try:
        yield from _rows(file)
    except (UnicodeDecodeError, EOFError, zlib.error) as error:
        sentence = _("This is no sheet of hands (%(why)s). Save it as CSV, in UTF-8.")
        raise SheetRefused([sentence % {"why": error}]) from error


def _rows(file: TextIO) -> Iterator[SheetRow]:
    lines = lines_of(file)
    first = next(lines, None)
    if delimiter := named_delimiter(first.text if first else ""):
        first = next(lines, None)
    if first is not None and first.problem:
        sentence = _("This is no sheet of hands (%(why)s). Save it as CSV, in UTF-8.")
        raise SheetRefused([sentence % {"why": first.problem}])
    delimiter = delimiter or delimiter_of(first.text if first else "")
    head = next(records_of(iter([first] if first else []), delimiter), None)
    header = [name.strip().lower() for name in head.cells] if head else []
    _require_columns(header)
    count = 0
    for number, record in enumerate(records_of(lines, delimiter), start=2):
        if not record.problem and not any(cell.strip() for cell in record.cells):
            continue
        count += 1
        if count > MOST_ROWS:
            sentence = _("There are more than %(most)s rows: split the sheet between two games.")
            raise SheetRefused([sentence % {"most": MOST_ROWS}])
        yield _row(number, header, record)


def _row(number: int, header: list[str], record: Record) -> SheetRow:
    if record.problem:
        return SheetRow(number, {}, _at_line(number, record))
    if problem := left_over(record.cells, header):
        return SheetRow(number, {}, problem)
    cells = {name: _meant(name, cell) for name, cell in zip(header, record.cells, strict=False)}
    return SheetRow(number, dict.fromkeys(COLUMNS, "") | cells)


def _at_line(number: int, record: Record) -> str:
    """With the line, where it is not the row: after a cell with line breaks."""
    if record.line == number:
        return record.problem
    params = {"number": record.line, "sentence": record.problem}
    return _("line %(number)s: %(sentence)s") % params


def _meant(column: str, cell: str) -> str:
    """What a cell stands for. A name is left as it is: whoever looks for it knows how it may differ."""
    return unquoted(cell) if column in NAMES else unquoted(cell.strip())


def _require_columns(header: list[str]) -> None:
    known = ", ".join(COLUMNS)
    if missing := [name for name in REQUIRED if name not in header]:
        sentence = _("Columns are missing: %(missing)s. A sheet of hands has %(known)s.")
        raise SheetRefused([sentence % {"missing": ", ".join(missing), "known": known}])
    if unknown := [name for name in header if name not in COLUMNS]:
        sentence = _("There is no column “%(unknown)s”. A sheet of hands has %(known)s.")
        raise SheetRefused([sentence % {"unknown": unknown[0], "known": known}])
    if twice := [name for name in COLUMNS if header.count(name) > 1]:
        raise SheetRefused([COLUMN_TWICE % {"name": twice[0]}])
