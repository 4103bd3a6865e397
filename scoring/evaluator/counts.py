"""The tiles of a hand as one number.

A hand is searched by how many it has of each kind, not by their order. Five bits a kind, in the order
of ``TILES``, hold that in a single integer: adding hands is adding numbers, a suit is a mask, and the
same suit is always the same number, fit to be remembered by.

>>> from scoring.evaluator.tiles import tile
>>> counts = counts_of([tile("1B"), tile("1B"), tile("2B")])
>>> counts == 0b00001_00010, tiles_of(counts)
(True, [tile('1B'), tile('1B'), tile('2B')])
"""

from collections.abc import Iterable

from .tiles import TILES, Tile

BITS = 5
MOST = (1 << BITS) - 1  # the most copies of a kind that a number can hold
COPIES = 4  # of each kind in a wall

ONE: tuple[int, ...] = tuple(1 << BITS * tile.index for tile in TILES)


def all_copies(kinds: Iterable[Tile]) -> int:
    """A mask for the counts of ``kinds``.

    >>> all_copies(TILES[:2]) == 0b11111_11111
    True
    """
    return sum(MOST * ONE[kind.index] for kind in kinds)


SUIT_MASKS = tuple(all_copies(TILES[9 * i : 9 * i + 9]) for i in range(3))
HONORS_MASK = all_copies(TILES[27:])
SUITS = (*SUIT_MASKS, HONORS_MASK)  # a hand falls into these

EVERYTHING = (1 << BITS * len(TILES)) - 1

# A fifth copy carries into the highest bit of its five, once eleven more of each kind are added.
_ELEVEN_MORE: int = sum(((1 << BITS - 1) - COPIES - 1) * one for one in ONE)
_TEN_BITS = (1 << 2 * BITS) - 1
_EVEN: int = sum(MOST * one for one in ONE[::2])
_HIGHEST: int = sum((1 << BITS - 1) * one for one in ONE)


def counts_of(tiles: Iterable[Tile]) -> int:
    """How many of each kind there are, up to 18 tiles.

    >>> counts_of(TILES[:2]) == 0b00001_00001
    True
    """
    ones: list[int] = [ONE[tile.index] for tile in tiles]
    return sum(ones)


def tiles_of(counts: int) -> list[Tile]:
    """The tiles, sorted, that make ``counts``.

    >>> tiles_of(2 * ONE[0] + ONE[33])
    [tile('1B'), tile('1B'), tile('Wh')]
    """
    return [tile for tile in TILES for _copy in range(copies(counts, tile))]


def copies(counts: int, kind: Tile) -> int:
    """How many of ``kind`` there are.

    >>> copies(3 * ONE[5], TILES[5])
    3
    """
    return counts >> BITS * kind.index & MOST


def contains(counts: int, others: int) -> bool:
    """Whether all of ``others`` are among ``counts``: no five bits borrow from their neighbour.

    >>> contains(3 * ONE[5], 2 * ONE[5]), contains(3 * ONE[5], ONE[6])
    (True, False)
    """
    return (counts | _HIGHEST) - others & _HIGHEST == _HIGHEST


def has_five(counts: int) -> bool:
    """Whether there are more of any kind than a wall has.

    >>> from scoring.evaluator.tiles import tile
    >>> has_five(counts_of([tile("R")] * 4)), has_five(counts_of([tile("R")] * 5))
    (False, True)
    """
    return (counts | counts + _ELEVEN_MORE) & _HIGHEST != 0


def size_of(counts: int) -> int:
    """How many tiles there are, up to four of each kind.

    >>> size_of(3 * ONE[5] + 2 * ONE[8]), size_of(4 * sum(ONE))
    (5, 136)
    """
    # Each kind and its neighbour in ten bits: the remainder by all ten of them is the sum.
    return ((counts & _EVEN) + (counts >> BITS & _EVEN)) % _TEN_BITS
