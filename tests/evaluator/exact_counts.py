"""How many one-suit hands win, counted: known figures that prove the search (as perft does in chess).

    python -m tests.evaluator.exact_counts

counts every hand of 14 to 18 bamboo tiles, at most four of a kind, and prints the table.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from scoring.evaluator.counts import ONE
from scoring.evaluator.readings import readings

SIZES = range(14, 19)


def one_suit_hands(size: int, rank: int = 0) -> Iterator[int]:
    """The counts of every hand of ``size`` bamboo tiles from ``rank`` (0 to 8) up."""
    if rank == 9:
        if size == 0:
            yield 0
        return
    if size > 4 * (9 - rank):
        return
    for copies in range(min(4, size) + 1):
        for rest in one_suit_hands(size - copies, rank + 1):
            yield copies * ONE[rank] + rest


def by_interpretations(size: int) -> Counter[int]:
    """Number of hands of ``size`` tiles by their number of interpretations; 0 do not win."""
    return Counter(len(readings(hand, (), winds=0)) for hand in one_suit_hands(size))


def main() -> None:
    for size in SIZES:
        counted = by_interpretations(size)
        winning = sum(counted[ways] for ways in counted if ways)
        ways = ", ".join(f"{counted[n]:,} with {n}" for n in sorted(counted) if n)
        sys.stdout.write(f"{size} tiles: {winning:,} of {counted.total():,} win ({ways})\n")


if __name__ == "__main__":
    main()
