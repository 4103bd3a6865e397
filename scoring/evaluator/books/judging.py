"""From all that a book reads of a hand to the lines that it has.

The patterns of a book fall into parts that read much the same. What a part makes of the bits that it
reads is remembered, so that a hand is judged by a look at each part.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .book import Book, Pattern
from .counting import HIGHEST, BookVerdict, Line, LineSums, added, count, counted, verdict
from .expressions import Evaluate, Slot
from .layout import WON, Layout
from .refusals import MOST_WORTH

WIDEST = 9  # slots of a part
REMEMBERED = 2**13  # outcomes of a part


class PartLines(NamedTuple):
    """The lines of a part of the patterns, each with its number in the book, and what they add up to.

    ``plain``: no other line can take the place of one of these.
    """

    lines: list[tuple[int, Line]]
    sums: LineSums
    plain: bool


class PatternGroup:
    """Some patterns, by what they read."""

    def __init__(self, slots: set[Slot], patterns: list[int]) -> None:
        self.slots, self.patterns = slots, patterns
        self.known: dict[int, PartLines] = {}


class Judge:
    """Gives the verdict for a packed hand under a book."""

    def __init__(self, book: Book, layout: Layout) -> None:
        self.counting, self.layout = book.counting, layout
        self._patterns: list[tuple[Pattern, Evaluate, Evaluate]] = [
            (pattern, pattern.times.at(layout.places), pattern.value.at(layout.places))
            for pattern in book.patterns
        ]
        played = [
            number
            for number, pattern in enumerate(book.patterns)
            if not pattern.option or book.plays(pattern.option)
        ]
        self._parts = [
            (layout.mask(part.slots | {WON}), part.known, part)
            for part in _parts(book.patterns, played)
        ]

    def __call__(self, packed: int, claimed: int = 0, calling: Line | None = None) -> BookVerdict:
        """The verdict; ``claimed`` is the value of a card's line, ``calling`` a line of a loser."""
        numbered: list[tuple[int, Line]] = []
        points, doubles, faan, limit, apart, plain = claimed, 0, 0, 0, 0, calling is None
        for mask, known, part in self._parts:
            key = packed & mask
            part_lines = known.get(key) or self._find(part, key)
            lines, sums, its_plain = part_lines
            if lines:
                numbered += lines
                points += sums[0]
                doubles += sums[1]
                faan += sums[2]
                limit = max(limit, sums[3])
                apart += sums[4]
                plain = plain and its_plain
        numbered.sort()
        kept = [line for _number, line in numbered]
        if calling:
            kept.append(calling)
        if not plain:
            return count(
                self.counting,
                counted(kept, first_of_group=self.counting.first_of_group),
                claimed=claimed,
            )
        return verdict(self.counting, kept, LineSums(points, doubles, faan, limit, apart))

    def _find(self, part: PatternGroup, key: int) -> PartLines:
        values = self.layout.values(key)
        won = bool(key & self.layout.one(WON))
        lines = []
        for number in part.patterns:
            pattern, has, value = self._patterns[number]
            if pattern.who in ("all", "winner" if won else "losers") and (
                times := min(max(has(values), 0), MOST_WORTH)
            ):
                worth = min(times * min(max(value(values), 0), MOST_WORTH), HIGHEST)
                lines.append((number, Line(pattern, int(times), worth)))
        if len(part.known) >= REMEMBERED:
            part.known.clear()
        sums = added([line for _number, line in lines])
        plain = not any(_takes_place(line.pattern) for _number, line in lines)
        part_lines = part.known[key] = PartLines(lines, sums, plain)
        return part_lines


def _takes_place(pattern: Pattern) -> bool:
    """Whether it may count in place of another."""
    return bool(
        pattern.group
        or pattern.replaces
        or pattern.replaces_kind
        or pattern.alone
        or pattern.apart
        or pattern.only_doubles
    )


def _parts(patterns: Sequence[Pattern], played: Sequence[int]) -> list[PatternGroup]:
    """The patterns that are played, in parts of few slots: each goes where it adds the fewest."""
    parts: list[PatternGroup] = []
    reads = [{*pattern.times.slots, *pattern.value.slots} for pattern in patterns]
    for number in sorted(played, key=lambda number: -len(reads[number])):
        fitting = [part for part in parts if len(part.slots | reads[number]) <= WIDEST]
        if fitting:
            part = min(fitting, key=lambda part: len(reads[number] - part.slots))
            part.slots |= reads[number]
            part.patterns.append(number)
        else:
            parts.append(PatternGroup(set(reads[number]), [number]))
    return parts
