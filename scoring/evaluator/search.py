"""Every way to see five sets in a hand.

The tiles of one suit never mix with another's, so each suit is decomposed by itself, from its counts
of ranks, and remembered: there are few different suits. A hand is then one choice a suit such that
there are five sets and one pair in all. Within a suit the lowest tile left must belong to some set:
try the four, the three, the sequence and the pair that begin with it, in the book's order.
"""

from collections.abc import Iterator
from functools import lru_cache

from .sets import Set, set_of
from .tiles import TILES, Tile

Decomposition = tuple[Set, ...]


def interpretations(tiles: tuple[Tile, ...], melds: tuple[Set, ...] = ()) -> list[Decomposition]:
    """Every distinct way to read ``tiles`` as ``melds`` and sets, five in all, one of them a pair.

    In the book's order: fours, threes, sequences, pair, from the lowest tile. Empty: no win.
    """
    counts = [0] * 34
    for each in tiles:
        counts[each.index] += 1
    for meld in melds:
        for each in meld.tiles:
            counts[each.index] -= 1
    found: list[Decomposition] = [()]
    for first, last in ((0, 9), (9, 18), (18, 27), (27, 34)):
        suit = tuple(counts[first:last])
        ways = decompositions(first, suit) if any(suit) else ((),)
        found = [before + way for before in found for way in ways if _room(before, way)]
        if not found:
            return []
    wanted = 5 - len(melds)
    return [
        melds + sets
        for sets in found
        if len(sets) == wanted and sum(each.pair() for each in sets) == 1
    ]


def _room(before: Decomposition, way: Decomposition) -> bool:
    return len(before) + len(way) <= 5


@lru_cache(maxsize=60_000)
def decompositions(first: int, counts: tuple[int, ...]) -> tuple[Decomposition, ...]:
    """Every way to split one suit wholly into sets with at most one pair.

    :param first: index of the suit's first tile; 27 for honors, which make no sequences.
    :param counts: how many of each tile, nine of them (seven for honors).
    """
    distinct: dict[tuple[tuple[str, int], ...], Decomposition] = {}
    for way in _split(first, list(counts), pairs=1):
        key = tuple(sorted((each.kind, each.tiles[0].index) for each in way))
        distinct.setdefault(key, way)
    return tuple(distinct.values())


def _split(first: int, counts: list[int], pairs: int) -> Iterator[Decomposition]:
    rank = next((i for i, count in enumerate(counts) if count), None)
    if rank is None:
        yield ()
        return
    tile = TILES[first + rank]
    for size in (4, 3):
        if counts[rank] >= size:
            yield from _with(first, counts, pairs, [tile] * size)
    if first < 27 and rank <= 6 and counts[rank + 1] and counts[rank + 2]:
        yield from _with(first, counts, pairs, list(TILES[first + rank : first + rank + 3]))
    if pairs and counts[rank] >= 2:
        yield from _with(first, counts, pairs - 1, [tile] * 2)


def _with(first: int, counts: list[int], pairs: int, tiles: list[Tile]) -> Iterator[Decomposition]:
    head = set_of(tiles)
    assert head is not None
    for each in tiles:
        counts[each.index - first] -= 1
    for rest in _split(first, counts, pairs):
        yield (head, *rest)
    for each in tiles:
        counts[each.index - first] += 1


def clear_cache() -> None:
    """Forget every suit: for measuring a cold start."""
    decompositions.cache_clear()
