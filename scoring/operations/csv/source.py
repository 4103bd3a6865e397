"""The lines and rows of a file that some program wrote, one at a time and never too much of it.

A row is what is between two line breaks, unless quotes hold one. What cannot be read (a line without
end, letters in another encoding, quotes that are never closed) is told with the line it begins on, and
reading goes on after it.
"""

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TextIO

from django.utils.translation import gettext as _

from .errors import SheetRefused

LONGEST = 131_072  # characters of a row: as many as one cell may have
MOST_BREAKS = 100  # line breaks within a row
MOST_LINES = 2_000_000  # with those that are empty: a spreadsheet has a million
# What the programs of different countries put between two cells.
DELIMITERS = ",;\t"
# Excel's way to say it: a line before the header, which is none of the sheet's rows.
NAMED = re.compile(r'"?sep=([,;\t|])"?\s*', re.IGNORECASE)
# What is left of bytes that are none of the encoding; NUL is every second byte of another one.
UNREADABLE = re.compile("[\0\ufffd\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file, counted from 1; its ``text``, or why it cannot be read."""

    number: int
    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A row: the line on which it begins; its ``cells``, or why it cannot be read."""

    line: int
    cells: Sequence[str]
    problem: str = ""


def lines_of(file: TextIO) -> Iterator[SourceLine]:
    """The lines of ``file``, with their line breaks; of one that is too long nothing is kept.

    :raises SheetRefused: for the first line that is too much.
    """
    number = 0
    while text := file.readline(LONGEST + 1):
        number += 1
        if number > MOST_LINES:
            sentence = _("There are more than %(most)s lines: split the file.")
            raise SheetRefused([sentence % {"most": MOST_LINES}])
        problem = ""
        if len(text) > LONGEST:
            _skip(file, text)
            text, problem = (
                "",
                _("The line is longer than %(most)s characters.") % {"most": LONGEST},
            )
        elif UNREADABLE.search(text):
            text, problem = "", _("The line cannot be read: save the file as CSV, in UTF-8.")
        yield SourceLine(number, text, problem)


def records_of(lines: Iterator[SourceLine], delimiter: str) -> Iterator[Record]:
    """The rows that ``lines`` make."""
    ahead: deque[SourceLine] = deque()
    while (line := ahead.popleft() if ahead else next(lines, None)) is not None:
        if line.problem:
            yield Record(line.number, (), line.problem)
            continue
        taken = _whole_row(line, chain(_drained(ahead), lines), delimiter)
        cells = _cells([line.text for line in taken], delimiter)
        if cells is None:
            ahead.extendleft(reversed(taken[1:]))
            problem = _(
                "A quotation mark is opened here and never closed: close it, or leave it out."
            )
            yield Record(line.number, (), problem)
        else:
            yield Record(line.number, cells)


def delimiter_of(text: str) -> str:
    """What stands between the cells of ``text``."""
    return max(DELIMITERS, key=text.count)


def named_delimiter(text: str) -> str:
    """What ``sep=;`` says of the lines that follow; empty for any other line.

    >>> named_delimiter("sep=;"), named_delimiter("tiles;seat")
    (';', '')
    """
    match = NAMED.fullmatch(text)
    return match[1] if match else ""


def left_over(cells: Sequence[str], header: Sequence[str]) -> str:
    """Why ``cells`` are no row below ``header``: something stands beyond its columns. Or empty."""
    for cell in map(str.strip, cells[len(header) :]):
        if cell:
            sentence = _("more cells than columns: put quotes around “%(cell)s”.")
            return sentence % {"cell": cell[:80]}
    return ""


def _skip(file: TextIO, text: str) -> None:
    while text and not text.endswith(("\n", "\r")):
        text = file.readline(LONGEST)


def _drained(ahead: deque[SourceLine]) -> Iterator[SourceLine]:
    while ahead:
        yield ahead.popleft()


def _whole_row(
    first: SourceLine, following: Iterator[SourceLine], delimiter: str
) -> list[SourceLine]:
    """``first``, and the lines to which its quotes go on, as far as they may."""
    taken, size = [first], len(first.text)
    while _cells([line.text for line in taken], delimiter) is None:
        line = next(following, None)
        if line is None:
            break
        taken.append(line)
        size += len(line.text)
        if line.problem or size > LONGEST or len(taken) > MOST_BREAKS:
            break
    return taken


def _cells(texts: list[str], delimiter: str) -> list[str] | None:
    """The cells of a row; None if a quotation mark in it is not closed."""
    try:
        return next(csv.reader(texts, delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            return None
    # Something stands behind a closing mark. People mean it as it stands.
    return next(csv.reader(texts, delimiter=delimiter), [])
