"""Every way to see five sets in a hand.

The tiles of one suit never mix with another's, so each suit is split by itself; honors count as a
suit. Within a suit all copies of the lowest tile are placed at once: as a four, a three or a pair, and
each that is left over begins a sequence. What remains is split in the same way. A hand is then one way
a suit, such that there are five sets in all and exactly one is a pair.

The book's own procedure lets a sequence take only the next tile of the sorted stack and so misses
hands (223344); :mod:`scoring.evaluator.trace` shows where. This search is complete.
"""

from collections.abc import Iterator
from typing import NamedTuple

from .counts import BITS, COPIES, MOST, counts_of
from .sets import KINDS, Set, sets_from
from .tiles import TILES, Tile

Sets = tuple[Set, ...]

# Per tile: the sets that begin with it, each with its counts.
HEADS = tuple(
    tuple((tile_set, counts_of(tile_set.tiles)) for tile_set in sets_from(tile)) for tile in TILES
)


class Start(NamedTuple):
    """Sets that begin with the lowest tile of a suit and take all its copies."""

    sets: Sets
    counts: int
    pairs: int
    chows: int


def _starts(tile: Tile, copies: int) -> Iterator[Start]:
    heads = {tile_set.kind: tile_set for tile_set in sets_from(tile)}
    chow: Sets = (heads["chow"],) if "chow" in heads else ()
    starts: list[Sets] = [chow * copies] if chow else []
    for kind in ("kong", "pung", "pair"):
        left = copies - heads[kind].size
        if left == 0 or (left > 0 and chow):
            starts.append(tuple(sorted((heads[kind], *chow * left), key=_place)))
    for sets in sorted(starts, key=lambda sets: [_place(tile_set) for tile_set in sets]):
        pairs, chows = (
            sum(tile_set.kind == kind for tile_set in sets) for kind in ("pair", "chow")
        )
        yield Start(sets, sum(tile_set.counts for tile_set in sets), pairs, chows)


def _place(tile_set: Set) -> int:
    return KINDS.index(type(tile_set))


# Per tile, by its copies; in the book's order, which is that of their first sets, then of their second.
STARTS = tuple(
    tuple(tuple(_starts(tile, copies)) for copies in range(COPIES + 1)) for tile in TILES
)


def splits(counts: int, pairs: int = 1) -> list[Sets]:
    """Every distinct way to split the tiles of one suit wholly into sets, at most ``pairs`` of them pairs.

    In the book's order: fours, threes, sequences, pair, from the lowest tile. Nothing to split is one
    way; that it cannot be done is an empty list.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> for way in splits(counts_of(parse_tiles("22233344455B"))):
    ...     print(*way, sep=" | ")
    2B 2B 2B | 3B 3B 3B | 4B 4B 4B | 5B 5B
    2B 3B 4B | 2B 3B 4B | 2B 3B 4B | 5B 5B
    2B 3B 4B | 2B 2B | 3B 4B 5B | 3B 4B 5B
    """
    if not counts:
        return [()]
    ways: list[Sets] = []
    _split(counts, pairs, (), ways)
    return ways


def _split(counts: int, pairs: int, before: Sets, ways: list[Sets]) -> None:
    """Add to ``ways`` every way to split ``counts``, some tiles, after the sets ``before``."""
    lowest = ((counts & -counts).bit_length() - 1) // BITS
    copies = counts >> BITS * lowest
    second, third = copies >> BITS & MOST, copies >> 2 * BITS & MOST
    for sets, taken, its_pairs, chows in STARTS[lowest][copies & MOST]:
        if its_pairs > pairs or chows > second or chows > third:
            continue
        if left := counts - taken:
            _split(left, pairs - its_pairs, before + sets, ways)
        else:
            ways.append(before + sets)
