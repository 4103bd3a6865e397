"""Files of hands: read, scored, and written out again.

A file has one hand a line (``222B 345B 55B 222D GGG``; blank lines and lines that begin with # are
skipped), or it is CSV whose first line names its columns: ``tiles``, and if wanted ``seat``,
``prevailing``, ``melds``, ``concealed``, ``self_drawn``. What a line leaves out is as for the whole file.
The hands that ``export hands.csv`` writes are scored, too: their winds follow from the game they are of. By a
rule book in which losers score, each of their hands is a line of its own.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import TextIOBase
from typing import Any, TextIO

from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.circumstances import refuse_circumstances
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard, score
from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import WINDS
from scoring.evaluator.win import Win
from scoring.models.names import name_key
from scoring.operations.csv import (
    MOST_ROWS,
    RowRefused,
    SheetRefused,
    SourceLine,
    delimiter_of,
    left_over,
    lines_of,
    named_delimiter,
    records_of,
    require_one_reading,
)
from scoring.operations.csv.columns import ANSWERED
from scoring.operations.csv.errors import COLUMN_TWICE
from scoring.translation import card_in_words
from scoring.variants.book_rules import BookTableRules

from .book_rows import LOSER, card_of_row, loser_rows

# The number of a line, and what it says by column.
NumberedRow = tuple[int, dict[str, str]]

PROBLEM = "problem"  # why a line cannot be read
SEATS = tuple(wind.label.lower() for wind in WINDS)
# Of a sheet of games, from which the winds of a hand can be told.
GAMES = {"game", *SEATS, "outcome", "winner"}
COLUMNS = ("tiles", "seat", "prevailing", *Win._fields)
COLUMNS_READ = (*COLUMNS, "melds", "league", "game", *SEATS, "outcome", "winner", "others")
FIGURES = ("points", "doubles", "total", "final")
BOOK_FIGURES = ("points", "doubles", "faan", "total", "final")
ANSWERS = {"": None, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One line of a file: its number, its columns, and its card or what is wrong with it."""

    line: int
    entered: Mapping[str, str]
    card: Scorecard | BookCard | None
    problem: str = ""

    @property
    def lost(self) -> bool:
        """Whether it is the hand of somebody who lost, which need not win."""
        return self.entered.get("won_by") == LOSER


def read(file: TextIO, rules: RuleSet | Book) -> Iterator[NumberedRow]:
    """The number of each line with a hand, and what it says by column; or why it cannot be read.

    :param rules: by which the deal passes in a sheet of games.
    :raises SheetRefused: if it has too many rows.
    """
    lines, named = lines_of(file), ""
    hands = 0
    for line in lines:
        if line.problem:
            hands += 1
            _require_few(hands)
            yield line.number, {PROBLEM: line.problem}
        elif named_by_line := named_delimiter(line.text):
            named = named_by_line
        elif _is_hand(line.text):
            delimiter = named or delimiter_of(line.text)
            [head] = records_of(iter([line]), delimiter)
            header = [name.strip().lower() for name in head.cells]
            if "tiles" not in header:
                hands += 1
                _require_few(hands)
                yield line.number, {"tiles": line.text.strip()}
            elif twice := [name for name in COLUMNS_READ if header.count(name) > 1]:
                sentence = str(COLUMN_TWICE) % {"name": twice[0]}
                yield line.number, {PROBLEM: sentence}
                return
            else:
                rows = _rows(header, lines, delimiter)
                yield from _of_games(rows, rules) if set(header) >= GAMES else rows
                return


def scored(number: int, entered: Mapping[str, str], rules: RuleSet | Book) -> ScoredRow:
    """One line scored; what cannot be a hand has a problem instead."""
    if problem := entered.get(PROBLEM) or _lacking_wind(entered):
        return ScoredRow(number, entered, None, problem)
    try:
        if entered.get("won_by") != LOSER:
            # Of who did not win, perhaps not all tiles are known.
            require_one_reading(entered["tiles"], entered.get("melds") or "")
        return ScoredRow(number, entered, _card(entered, rules))
    except (HandError, RowRefused) as error:
        return ScoredRow(number, entered, None, str(error))


def _card(entered: Mapping[str, str], rules: RuleSet | Book) -> Scorecard | BookCard:
    """:raises HandError: if there can be no such hand."""
    win = _win(entered)
    if isinstance(rules, Book):
        return card_of_row(entered, win, rules)
    refuse_circumstances(rules.name, win)
    return score(
        entered["tiles"],
        entered["seat"],
        entered["prevailing"],
        melds=(entered.get("melds") or "").split() or None,
        win=win,
        rules=rules,
    )


def _lacking_wind(entered: Mapping[str, str]) -> str:
    """Which winds neither the line nor the whole file gives, and how to; empty if none is lacking."""
    lacking = [name for name in ("seat", "prevailing") if not entered[name]]
    message = _("No %(name)s wind: fill in the column “%(name)s”, or give --%(name)s.")
    return " ".join(message % {"name": name} for name in lacking)


def write_csv(rows: Iterable[ScoredRow], out: TextIOBase, figures: Sequence[str]) -> None:
    """A line a hand: its first columns, whether it wins, its figures, or what is wrong with it."""
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["line", *COLUMNS[:3], "winning", *figures, "limits", "problem"])
    for row in rows:
        card = row.card
        problem = row.problem if card is None else card.why or ""
        shown = card.as_dict() if isinstance(card, BookCard) else None
        worth = [shown[name] if shown else getattr(card, name, None) for name in figures]
        limits = " ".join(card.limits) if card else ""
        winning = "" if card is None else "yes" if card.winning else "no"
        typed = [_safe(row.entered.get(name, "")) for name in COLUMNS[:3]]
        table.writerow([row.line, *typed, winning, *worth, limits, _safe(problem)])


def write_json(rows: Iterable[ScoredRow], out: TextIOBase, _figures: Sequence[str]) -> None:
    """One object a line: its first columns with its scorecard as the API gives it, or its problem."""
    for row in rows:
        card = row.card
        answer = {"problem": row.problem} if card is None else card_in_words(card.as_dict())
        typed = {name: row.entered.get(name, "") for name in COLUMNS[:3]}
        out.write(json.dumps({"line": row.line, **typed, **answer}, ensure_ascii=False) + "\n")


def _is_hand(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _rows(header: list[str], lines: Iterator[SourceLine], delimiter: str) -> Iterator[NumberedRow]:
    meant = (line for line in lines if line.problem or _is_hand(line.text))
    for count, record in enumerate(records_of(meant, delimiter), 1):
        _require_few(count)
        if record.problem:
            yield record.line, {PROBLEM: record.problem}
        elif problem := left_over(record.cells, header):
            yield record.line, {PROBLEM: problem}
        else:
            cells = [cell.strip() for cell in record.cells]
            yield record.line, dict(zip(header, cells, strict=False))


def _require_few(rows: int) -> None:
    """:raises SheetRefused: for the first row that is too much."""
    if rows > MOST_ROWS:
        sentence = _("There are more than %(most)s rows: split the file, and score its parts.")
        raise SheetRefused([sentence % {"most": MOST_ROWS}])


def _of_games(rows: Iterable[NumberedRow], rules: RuleSet | Book) -> Iterator[NumberedRow]:
    """The hands with tiles in a sheet of games, each with the winds that it was won under."""
    states: dict[tuple[str, str], TableState] = {}
    deal = BookTableRules(rules) if isinstance(rules, Book) else rules
    losers_score = isinstance(rules, Book) and rules.losers_score
    for number, row in rows:
        if PROBLEM in row:
            yield number, row
            continue
        game = row.get("league", ""), row["game"]
        state = states.get(game, TableState.start())
        seats = [name_key(row.get(seat, "")) for seat in SEATS]
        winner = name_key(row.get("winner", ""))
        place = seats.index(winner) if winner in seats and winner else None
        if row.get("tiles") or row.get("value"):
            seat = "" if place is None else state.seat_wind(place).value
            yield number, {"seat": seat, "prevailing": state.round.value, **row}
        if losers_score and (cell := row.get("others")):
            yield from _losers(number, cell, state)
        states[game] = state.after(place, deal)


def _losers(number: int, cell: str, state: TableState) -> Iterator[NumberedRow]:
    try:
        rows = list(loser_rows(cell, state))
    except ValueError as error:
        rows = [{PROBLEM: f"others: {error}"}]
    return ((number, row) for row in rows)


def _win(entered: Mapping[str, str]) -> Win:
    cells: dict[str, Any] = {name: entered.get(name) or None for name in Win._fields}
    cells |= {name: _answer(entered, name) for name in ANSWERED}
    for name in ("bonus", "flags"):
        cells[name] = (cells[name] or "").replace(",", " ").split()
    if value := cells["value"]:
        if not value.isdecimal():
            raise refuse("value", "not_a_number", "“value” is a whole number, or left out.")
        cells["value"] = int(value)
    return Win.of(cells)


def _answer(entered: Mapping[str, str], name: str) -> bool | None:
    answer = (entered.get(name) or "").lower()
    if answer not in ANSWERS:
        raise refuse(name, "not_an_answer", "“{name}” is yes or no, or left out.", name=name)
    return ANSWERS[answer]


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULAS) else cell
