"""The book's own procedure on a hand, step by step, as its page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.hand import Hand
from scoring.evaluator.trace import Action, TraceStep, fold, found_by_the_book, trace

NAMES = {
    Action.SORT: _("Sort"),
    Action.BEGIN: _("New set"),
    Action.ADD: _("Add"),
    Action.LOOK_AHEAD: _("Look ahead"),
    Action.FALL_BACK: _("Fall back"),
    Action.GIVE_UP: _("Give up"),
    Action.WIN: _("Mah jongg"),
    Action.FAIL: _("No win"),
}


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One step, numbered from 1, with the name of what it does."""

    number: int
    name: str | Promise
    step: TraceStep


@dataclass(frozen=True, slots=True)
class TracePage:
    """Every step, whether the hand wins, and whether the book would have found that.

    Of many steps those between the first and the last are folded.
    """

    rows: list[TraceRow]
    wins: bool
    book_finds_it: bool

    @property
    def long(self) -> bool:
        return bool(self.folded)

    @property
    def first(self) -> Sequence[TraceRow]:
        return fold(self.rows)[0]

    @property
    def folded(self) -> Sequence[TraceRow]:
        return fold(self.rows)[1]

    @property
    def last(self) -> Sequence[TraceRow]:
        return fold(self.rows)[2]

    @property
    def folded_beyond_the_book(self) -> int:
        """How many of the folded steps the book would not have done."""
        return sum(row.step.beyond_the_book for row in self.folded)

    @property
    def missed_by_the_book(self) -> bool:
        return self.wins and not self.book_finds_it


def trace_page(hand: Hand) -> TracePage:
    """All steps of ``hand``: some hundred where it does not win, at times three thousand."""
    rows = [
        TraceRow(number, NAMES[step.action], step) for number, step in enumerate(trace(hand), 1)
    ]
    return TracePage(rows, hand.mahjongg(), found_by_the_book(hand))
