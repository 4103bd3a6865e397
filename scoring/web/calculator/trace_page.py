"""The book's own procedure on a hand, step by step, as its page shows it."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.hand import Hand
from scoring.evaluator.trace import Action, TraceStep, found_by_the_book, trace

LONG = 60  # steps: more are folded in the middle
FIRST, LAST = 24, 12  # those that are not

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
class Thought:
    """One step, numbered from 1, with the name of what it does."""

    number: int
    name: str | Promise
    step: TraceStep


@dataclass(frozen=True, slots=True)
class Thinking:
    """Every step, whether the hand wins, and whether the book would have found that.

    Of many steps those between the first and the last are folded.
    """

    thoughts: list[Thought]
    wins: bool
    book_finds_it: bool

    @property
    def long(self) -> bool:
        return len(self.thoughts) > LONG

    @property
    def first(self) -> list[Thought]:
        return self.thoughts[:FIRST] if self.long else self.thoughts

    @property
    def folded(self) -> list[Thought]:
        return self.thoughts[FIRST:-LAST] if self.long else []

    @property
    def last(self) -> list[Thought]:
        return self.thoughts[-LAST:] if self.long else []

    @property
    def folded_beyond_the_book(self) -> int:
        """How many of the folded steps the book would not have done."""
        return sum(thought.step.beyond_the_book for thought in self.folded)

    @property
    def missed_by_the_book(self) -> bool:
        return self.wins and not self.book_finds_it


def thinking_of(hand: Hand) -> Thinking:
    """All steps of ``hand``: some hundred where it does not win, at times two thousand."""
    thoughts = [
        Thought(number, NAMES[step.action], step) for number, step in enumerate(trace(hand), 1)
    ]
    return Thinking(thoughts, hand.mahjongg(), found_by_the_book(hand))
