"""Estimate how far the tiles of one suit are on the way to sets, as a player would."""

from collections.abc import Iterator
from functools import lru_cache

# What each shape is worth to somebody who wants four sets and a pair. They order discards, and have
# nothing to do with the score. A set is worth most for each of its tiles: a suit that promises a SET
# for every three tiles is all sets.
SET, SIDES, PAIR, GAP, MIDDLE = 12, 6, 5, 4, 1

# How many there are of each rank: nine of a suit, seven of the honors, which make no chows.
Counts = tuple[int, ...]


# More chows, and beginnings of chows, than a suit can have.
ANY_NUMBER = 9


@lru_cache(maxsize=200_000)
def heuristic(counts: Counts, chows: int = ANY_NUMBER) -> int:
    """The worth of the best way to see ``counts`` as sets and beginnings of sets.

    :param chows: how many chows at most, and beginnings of chows, are worth something to this player.
    """
    rank = next((rank for rank, count in enumerate(counts) if count), None)
    if rank is None:
        return 0
    alone = MIDDLE if len(counts) == 9 and 2 <= rank <= 6 else 0
    best = alone + heuristic(without(counts, rank), chows)
    for worth, shape in _alike(counts, rank):
        best = max(best, worth + heuristic(without(counts, *shape), chows))
    if chows:
        for worth, shape in _in_a_row(counts, rank):
            fewer = chows if chows == ANY_NUMBER else chows - 1
            best = max(best, worth + heuristic(without(counts, *shape), fewer))
    return best


@lru_cache(maxsize=200_000)
def discard_cost(counts: Counts, chows: int = ANY_NUMBER) -> tuple[tuple[int, int], ...]:
    """(rank, what is lost with one tile of it), for each rank that is there."""
    now = heuristic(counts, chows)
    return tuple(
        (rank, now - heuristic(without(counts, rank), chows))
        for rank, count in enumerate(counts)
        if count
    )


def without(counts: Counts, *ranks: int) -> Counts:
    """``counts`` less one tile of each of ``ranks``."""
    left = list(counts)
    for rank in ranks:
        left[rank] -= 1
    return tuple(left)


def _alike(counts: Counts, rank: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The sets and pairs of the lowest tile, with their worth."""
    if counts[rank] >= 3:
        yield SET, (rank, rank, rank)
    if counts[rank] >= 2:
        yield PAIR, (rank, rank)


def _in_a_row(counts: Counts, rank: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The chows that begin with the lowest tile, whole or not, with their worth."""
    if len(counts) != 9:
        return
    one_up, two_up = (rank + step < 9 and counts[rank + step] for step in (1, 2))
    if one_up and two_up:
        yield SET, (rank, rank + 1, rank + 2)
    if one_up:
        yield SIDES if 1 <= rank <= 6 else GAP, (rank, rank + 1)
    if two_up:
        yield GAP, (rank, rank + 2)
