"""Figures that are added up in parts: two spans, the earlier one first, make one.

All of it is JSON. Amounts are whole points; players are ids, as text where they are keys.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

# A figure of an award: numbers, and last the hand at which it was reached, as a list.
Figure = list[Any]
# Sums by name, such as a player or a wind: what is in one place is added up.
Sums = dict[str, list[int]]


class At(NamedTuple):
    """A hand in the order of play: by evening, then by game, then as dealt. ``started`` is a time in seconds."""

    evening: date
    started: float
    game: int
    number: int
    pk: int
    checked: bool

    @classmethod
    def of(cls, figure: Figure) -> "At":
        """The hand at which ``figure`` was reached."""
        evening, *rest = figure[-1]
        return cls(date.fromisoformat(evening), *rest)


@dataclass(frozen=True, slots=True)
class AwardKind:
    """How the figures of an award are added up.

    :ivar one: the figure of what was done at one hand.
    :ivar together: that of two spans, the earlier one first.
    :ivar worth: what is compared; None while it is too little.
    """

    one: Callable[[Any, list[Any]], Figure]
    together: Callable[[Figure, Figure], Figure]
    worth: Callable[[Figure], int | Fraction | None]


def _row(good: bool, at: list[Any]) -> Figure:
    length = int(good)
    return [1, length, length, length, at, at]


def _rows(a: Figure, b: Figure) -> Figure:
    """Hands; the row at the begin; the row at the end; the longest; where the first and the longest ended."""
    hands, first, last, longest, first_at, longest_at = a
    b_hands, b_first, b_last, b_longest, b_first_at, b_longest_at = b
    # A row may go on from one span into the next.
    for length, at in ((last + b_first, b_first_at), (b_longest, b_longest_at)):
        if length > longest:
            longest, longest_at = length, at
    if first == hands and b_first:
        first, first_at = hands + b_first, b_first_at
    last = last + b_hands if b_last == b_hands else b_last
    return [hands + b_hands, first, last, longest, first_at, longest_at]


def _share(least: int) -> Callable[[Figure], Fraction | None]:
    return lambda a: Fraction(a[0], a[1]) if a[2] >= least and a[1] else None


def shares(least: int) -> AwardKind:
    """Of ``(part, whole, hands)`` the part of the whole, of those who played ``least`` hands."""
    return AwardKind(
        lambda done, at: [*done, at],
        lambda a, b: [*map(int.__add__, a[:-1], b[:-1]), b[-1]],
        _share(least),
    )


# The most at once: of equal ones the first.
BEST = AwardKind(
    lambda done, at: [done, at], lambda a, b: b if b[0] > a[0] else a, lambda figure: figure[0]
)
SUM = AwardKind(
    lambda done, at: [done, at], lambda a, b: [a[0] + b[0], b[1]], lambda figure: figure[0]
)
# The longest row of hands of which something is true.
ROW = AwardKind(_row, _rows, lambda figure: figure[3])


def add(sums: Sums, more: Mapping[str, Sequence[int]]) -> None:
    """Add ``more`` to ``sums``, number by number."""
    for name, numbers in more.items():
        own = sums.get(name)
        sums[name] = list(map(int.__add__, own, numbers)) if own else list(numbers)
