"""From the lines of a hand to its score, by the counting that a book names."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .book import Counting, Pattern

MOST_DOUBLES = 30  # that change a score
MOST_SHOWN = 1000  # of a hand that has more
HIGHEST = 1_000_000  # of any line, and of any score
# What a pattern may be worth, by the kind of counting; a share of the limit only where there is one.
UNITS_OF = {
    "points": ("points", "doubles", "limit"),
    "faan": ("faan", "limit"),
    "sum": ("points",),
    "card": ("points", "doubles"),
}


class Line(NamedTuple):
    """A pattern that a hand has, how many times, and what that is worth in all."""

    pattern: Pattern
    times: int
    value: int


class BookVerdict(NamedTuple):
    """What an arrangement is worth. Points and totals are whole points; ``limit`` is in percent.

    ``total`` is neither rounded nor limited; ``final`` is the score. With faan, ``total`` are the faan.
    ``shares``, where a book has such: what the discarder or the dealer pays, and what each other.
    """

    lines: tuple[Line, ...]
    points: int
    doubles: int
    faan: int
    limit: int
    total: int
    final: int
    meets_minimum: bool
    shares: tuple[int, int] = (0, 0)

    @property
    def worth(self) -> tuple[int, int, int, int, int]:
        """What the best arrangement has most of; of two that reach the limit, its name decides."""
        return self.final, self.limit, self.total, self.faan, self.points

    @property
    def rank(self) -> tuple[bool, tuple[int, int, int, int, int]]:
        """The place among the arrangements of a win: one that may be declared is before any other."""
        return self.meets_minimum, self.worth


NOTHING = BookVerdict((), 0, 0, 0, 0, 0, 0, True)


class LineSums(NamedTuple):
    """What the lines add up to, the highest share of the limit, in percent, and doubles set apart."""

    points: int
    doubles: int
    faan: int
    limit: int
    apart: int = 0


class Totals(NamedTuple):
    """The last three figures of a verdict."""

    total: int
    final: int
    meets_minimum: bool


def counted(lines: Sequence[Line], *, first_of_group: bool = False) -> list[Line]:
    """Of these lines those that count: the best, or first, of each group, none that another replaces."""
    best: dict[str, Line] = {}
    for line in lines:
        group = line.pattern.group
        better = group not in best or (line.value > best[group].value and not first_of_group)
        if group and better:
            best[group] = line
    kept = [line for line in lines if not line.pattern.group or best[line.pattern.group] is line]
    replaced = {name for line in kept for name in line.pattern.replaces}
    kinds = {line.pattern.replaces_kind for line in kept} - {""}
    kept = [
        line for line in kept if line.pattern.id not in replaced and line.pattern.kind not in kinds
    ]
    if alone := [line for line in kept if line.pattern.alone]:
        return [max(alone, key=lambda line: line.value)]
    return _without_other_doubles(kept)


def _without_other_doubles(lines: list[Line]) -> list[Line]:
    """``lines``; beside the best doubles that are the only ones, no others but those of bonus tiles."""
    only = [line for line in lines if line.pattern.only_doubles]
    if not only:
        return lines
    best = max(only, key=lambda line: line.value)
    return [
        line
        for line in lines
        if line is best or line.pattern.unit != "doubles" or line.pattern.beside_limit
    ]


def count(counting: Counting, lines: Sequence[Line], *, claimed: int = 0) -> BookVerdict:
    """The verdict that these lines add up to; ``claimed`` is the value of a card's line."""
    sums = added(lines)
    sums = sums._replace(points=sums.points + claimed)
    return verdict(counting, lines, sums)


def added(lines: Sequence[Line]) -> LineSums:
    """What ``lines`` add up to."""
    points, doubles, faan, limit = (
        [line.value for line in lines if line.pattern.unit == unit]
        for unit in ("points", "doubles", "faan", "limit")
    )
    apart = max((line.value for line in lines if line.pattern.apart), default=0)
    return LineSums(sum(points), sum(doubles), sum(faan), max(limit, default=0), apart)


def verdict(counting: Counting, lines: Sequence[Line], sums: LineSums) -> BookVerdict:
    """The verdict on lines that add up to ``sums``."""
    points, doubles, faan, limit, _apart = sums
    total, final, meets = COUNTINGS[counting.kind](counting, lines, sums)
    return BookVerdict(
        tuple(lines),
        points,
        min(doubles, MOST_SHOWN),
        faan,
        limit,
        total,
        min(final, HIGHEST),
        meets,
    )


def highest(counting: Counting) -> int:
    """The highest score of a hand, which false wins are paid by; 0 where there is none.

    >>> highest(Counting("faan", maximum=3, table=(1, 2, 4, 8, 16)))
    8
    """
    if counting.kind == "points":
        return counting.limit
    counted = counting.table[: counting.maximum + 1]
    return counted[-1] if counted else counting.maximum


def share_of(counting: Counting, percent: int) -> int:
    """What so many percent of the limit are worth, in whole points; 0 where there is no limit.

    >>> share_of(Counting("points", limit=500), 50)
    250
    """
    return highest(counting) * percent // 100


def roof_of(counting: Counting) -> int:
    """What a score is cut down to; 0 where nothing bounds it. Shares above the limit are not cut.

    >>> roof_of(Counting("points", limit=500, roof=False))
    0
    """
    return 0 if counting.kind == "points" and not counting.roof else highest(counting)


def units_of(counting: Counting) -> tuple[str, ...]:
    """What a pattern may be worth under this counting.

    >>> units_of(Counting("points"))
    ('points', 'doubles')
    """
    units = UNITS_OF[counting.kind]
    return units if highest(counting) else tuple(unit for unit in units if unit != "limit")


def _points(counting: Counting, lines: Sequence[Line], sums: LineSums) -> Totals:
    total = doubled(sums.points, sums.doubles)
    limited = sums.limit and counting.limit  # stored books may have shares of no limit
    if sums.apart or limited:
        points, doubles = beside(lines)
        total = doubled(points, doubles)
        if sums.apart:
            total += doubled(sums.points - points, sums.apart)
    meets = bool(sums.limit) or sums.doubles >= counting.minimum
    if limited:
        share = share_of(counting, sums.limit)
        return Totals(share + total, min(share + total, max(share, counting.limit)), meets)
    rounded = (total + counting.rounding // 2) // counting.rounding * counting.rounding
    capped = counting.roof and counting.limit
    return Totals(total, min(rounded, counting.limit) if capped else rounded, meets)


def beside(lines: Sequence[Line]) -> tuple[int, int]:
    """The points and the doubles of what is counted beside a limit hand: of bonus tiles, mostly."""
    beside = [line for line in lines if line.pattern.beside_limit]
    points, doubles = (
        sum(line.value for line in beside if line.pattern.unit == unit)
        for unit in ("points", "doubles")
    )
    return points, doubles


def _faan(counting: Counting, lines: Sequence[Line], sums: LineSums) -> Totals:
    faan = counting.maximum if sums.limit else sums.faan
    needed = sum(line.value for line in lines if line.pattern.for_minimum)
    meets = bool(sums.limit) or needed >= counting.minimum
    final = counting.table[min(faan, counting.maximum)] if counting.table else faan
    return Totals(faan, final, meets)


def _sum(counting: Counting, lines: Sequence[Line], sums: LineSums) -> Totals:
    total = max(sums.points, counting.least)
    alone = any(line.pattern.alone for line in lines)
    final = min(total, counting.maximum) if counting.maximum and not alone else total
    return Totals(total, final, total >= counting.minimum)


def _card(_counting: Counting, _lines: Sequence[Line], sums: LineSums) -> Totals:
    total = doubled(sums.points, sums.doubles)
    return Totals(total, total, True)


def doubled(points: int, doubles: int) -> int:
    """``points``, doubled so often, but not more often than any hand could be."""
    return points << min(doubles, MOST_DOUBLES)


COUNTINGS: dict[str, Callable[[Counting, Sequence[Line], LineSums], Totals]] = {
    "points": _points,
    "faan": _faan,
    "sum": _sum,
    "card": _card,
}

# What each reads of its table, besides which arrangement and which line of a group counts.
READS: Mapping[str, tuple[str, ...]] = {
    "points": ("limit", "rounding", "roof", "minimum"),
    "faan": ("minimum", "maximum", "table"),
    "sum": ("minimum", "maximum", "least"),
    "card": (),
}
