"""The book's own procedure on a hand, step by step, as its page shows it."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.hand import Hand
from scoring.evaluator.trace import Action, Step, found_by_the_book, trace

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
    step: Step


@dataclass(frozen=True, slots=True)
class Thinking:
    """Every step, whether the hand wins, and whether the book would have found that."""

    thoughts: list[Thought]
    wins: bool
    book_finds_it: bool

    @property
    def missed_by_the_book(self) -> bool:
        return self.wins and not self.book_finds_it


def thinking_of(hand: Hand) -> Thinking:
    """All steps of ``hand``: some hundred where it does not win."""
    thoughts = [
        Thought(number, NAMES[step.action], step) for number, step in enumerate(trace(hand), 1)
    ]
    return Thinking(thoughts, hand.mahjongg(), found_by_the_book(hand))
