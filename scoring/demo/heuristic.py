"""What a player sees in the tiles of one suit: how far they are on the way to sets."""

from collections.abc import Iterator
from functools import lru_cache

# What each shape is worth to somebody who wants four sets and a pair. They order discards, and have
# nothing to do with the score. A set is worth most for each of its tiles: a suit that promises a SET
# for every three tiles is all sets.
SET, SIDES, PAIR, GAP, MIDDLE = 12, 6, 5, 4, 1

# How many there are of each rank: nine of a suit, seven of the honors, which make no chows.
Counts = tuple[int, ...]


@lru_cache(maxsize=200_000)
def heuristic(counts: Counts, pungs: bool = False) -> int:
    """The worth of the best way to see ``counts`` as sets and beginnings of sets.

    :param pungs: chows are worth nothing to this player.
    """
    rank = next((rank for rank, count in enumerate(counts) if count), None)
    if rank is None:
        return 0
    alone = MIDDLE if len(counts) == 9 and 2 <= rank <= 6 else 0
    best = alone + heuristic(without(counts, rank), pungs)
    for worth, shape in _shapes(counts, rank, pungs):
        best = max(best, worth + heuristic(without(counts, *shape), pungs))
    return best


@lru_cache(maxsize=200_000)
def discard_cost(counts: Counts, pungs: bool = False) -> tuple[tuple[int, int], ...]:
    """(rank, what is lost with one tile of it), for each rank that is there."""
    now = heuristic(counts, pungs)
    return tuple(
        (rank, now - heuristic(without(counts, rank), pungs))
        for rank, count in enumerate(counts)
        if count
    )


def without(counts: Counts, *ranks: int) -> Counts:
    """``counts`` less one tile of each of ``ranks``."""
    left = list(counts)
    for rank in ranks:
        left[rank] -= 1
    return tuple(left)


def _shapes(counts: Counts, rank: int, pungs: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every shape that begins with the lowest tile, with its worth."""
    if counts[rank] >= 3:
        yield SET, (rank, rank, rank)
    if counts[rank] >= 2:
        yield PAIR, (rank, rank)
    if pungs or len(counts) != 9:
        return
    one_up, two_up = (rank + step < 9 and counts[rank + step] for step in (1, 2))
    if one_up and two_up:
        yield SET, (rank, rank + 1, rank + 2)
    if one_up:
        yield SIDES if 1 <= rank <= 6 else GAP, (rank, rank + 1)
    if two_up:
        yield GAP, (rank, rank + 2)
