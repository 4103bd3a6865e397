"""Reading a sheet of hands: what each row says, before anybody asks whether it can be."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TextIO

from django.utils import timezone
from django.utils.translation import gettext as _

from .columns import ANSWERS, COLUMNS, REQUIRED, SEATS, unquoted
from .errors import RowRefused, SheetRefused

# What the programs of different countries put between two cells.
DELIMITERS = ",;\t"
# Before anybody played by these rules; and far from where calendars end.
EARLIEST = 1900
NAMES = (*SEATS, "winner", "discarder")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a sheet: its number (the header is 1) and its cells by column, as they were meant."""

    number: int
    cells: Mapping[str, str]

    @property
    def game(self) -> tuple[str, str]:
        """What all rows of one game share."""
        return self.cells["league"], self.cells["game"]

    @property
    def seats(self) -> list[str]:
        """The names of the four, East first."""
        return [self.cells[seat] for seat in SEATS]

    def at(self) -> datetime:
        """When it was played. A day alone is its first minute.

        :raises RowRefused: if it is no moment.
        """
        cell = self.cells["date"]
        try:
            at = datetime.fromisoformat(cell)
            at = at if at.tzinfo else timezone.make_aware(at)
            if at.year > EARLIEST and at <= timezone.now():
                return at
        except (ValueError, OverflowError):
            pass
        sentence = _(
            "date: “%(cell)s” is no moment of the past. Write 2026-03-31 or 2026-03-31 19:30."
        )
        raise RowRefused(sentence % {"cell": cell})

    def whole_number(self, column: str) -> int | None:
        """:raises RowRefused: if the cell holds anything else."""
        cell = self.cells[column]
        if not cell:
            return None
        try:
            return int(cell)
        except ValueError as error:
            sentence = _("%(column)s: “%(cell)s” is no whole number.")
            raise RowRefused(sentence % {"column": column, "cell": cell}) from error

    def answer(self, column: str) -> bool | None:
        """:raises RowRefused: if the cell holds anything but yes and no."""
        cell = self.cells[column].lower()
        if cell not in ANSWERS:
            sentence = _("%(column)s: write yes or no, or nothing.")
            raise RowRefused(sentence % {"column": column})
        return ANSWERS[cell]


def read_rows(file: TextIO) -> Iterator[Row]:
    """The rows of a sheet that hold anything.

    :raises SheetRefused: if it is none, or lacks columns.
    """
    try:
        yield from _rows(file)
    except (csv.Error, UnicodeDecodeError) as error:
        sentence = _("This is no sheet of hands (%(why)s). Save it as CSV, in UTF-8.")
        raise SheetRefused([sentence % {"why": error}]) from error


def _rows(file: TextIO) -> Iterator[Row]:
    first = file.readline()
    delimiter = max(DELIMITERS, key=first.count)
    header = [name.strip().lower() for name in next(csv.reader([first], delimiter=delimiter), [])]
    _require_columns(header)
    for number, cells in enumerate(csv.reader(file, delimiter=delimiter), start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header):
            sentence = _("Row %(number)s: more cells than columns: put quotes around “%(cell)s”.")
            raise SheetRefused([sentence % {"number": number, "cell": cells[len(header)]}])
        said = {name: _meant(name, cell) for name, cell in zip(header, cells, strict=False)}
        yield Row(number, dict.fromkeys(COLUMNS, "") | said)


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
        raise SheetRefused([_("The column “%(name)s” is there twice.") % {"name": twice[0]}])
