"""A few columns as a file for a spreadsheet: the same rows as CSV or as XLSX."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from itertools import chain

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from scoring.figures import rounded

from .csv.columns import safe

Cell = str | int | float | Decimal | Fraction | date | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of cells under ``headings``. A cell is text, a figure, a day, or nothing (None)."""

    headings: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def as_csv(sheet: Sheet) -> bytes:
    """UTF-8, with commas. No spreadsheet takes a text of it for a formula.

    The byte order mark tells spreadsheets that it is UTF-8: without one they take it for an older encoding.
    """
    text = StringIO()
    writer = csv.writer(text)
    for row in chain([sheet.headings], sheet.rows):
        writer.writerow([safe(cell) if isinstance(cell, str) else _number(cell) for cell in row])
    return text.getvalue().encode("utf-8-sig")


def as_xlsx(sheet: Sheet) -> bytes:
    """One sheet whose headings stay in sight. Figures are numbers, and texts are never formulas."""
    book = Workbook(write_only=True)
    page = book.create_sheet()
    page.freeze_panes = "A2"
    for row in chain([sheet.headings], sheet.rows):
        page.append([_cell(page, cell) for cell in row])
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _cell(page: object, value: Cell) -> object:
    if not isinstance(value, str):
        return _number(value)
    cell = WriteOnlyCell(page, ILLEGAL_CHARACTERS_RE.sub("", value))
    # What begins with an equals sign was taken for a formula.
    cell.data_type = "s"
    return cell


def _number(value: Cell) -> Cell:
    """``value`` as both kinds of file can hold it: a fraction as a decimal number."""
    if isinstance(value, Fraction):
        return rounded(value)
    return value


WRITERS = {"csv": as_csv, "xlsx": as_xlsx}
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
