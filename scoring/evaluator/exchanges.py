"""Every single exchange of a tile that makes a hand win.

A tile goes from one suit and comes to one, perhaps the same: so the other suits must be whole as they
are. What a suit can be split into with one more, with one less and after an exchange is remembered.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .counts import COPIES, ONE, SUITS, copies, tiles_of
from .readings import THIRTEEN_ORPHANS
from .search import Sets, splits
from .tiles import TILES, Tile
from .traits import SIMPLES_MASK

REMEMBERED = 2**14  # suits
KINDS = len(TILES)

PAIR = 16  # more than a hand has sets

# What a suit can be split into, as a number: its sets, and PAIR for each pair among them.
Shape = int
# Kinds, or exchanges of kinds, by number; by what the suit can be split into after them.
Changes = dict[Shape, list[int]]


class Exchange(NamedTuple):
    """A tile to give away and the tile to take for it."""

    given: Tile
    taken: Tile

    def __str__(self) -> str:
        return f"{self.given.code} → {self.taken.code}"


class SuitSplits(NamedTuple):
    """What one suit can be split into: as it is, with one tile less, with one more."""

    own: tuple[Shape, ...]
    going: Changes
    coming: Changes


# By number: the kind given times 34, and the kind taken.
EXCHANGES = tuple(Exchange(given, taken) for given, taken in product(TILES, TILES))
GIVEN = tuple(tile.index * KINDS for tile in TILES)


def winning_exchanges(counts: int, melds: Sets = ()) -> list[Exchange]:
    """Every exchange of one tile, none of a meld, that makes a hand win; sorted by tiles.

    >>> from scoring.evaluator.notation import parse_hand
    >>> print(*winning_exchanges(parse_hand("222B 345B 55B 222D GG9C").counts), sep=", ")
    9C → 2B, 9C → 5B, 9C → G
    """
    return [EXCHANGES[number] for number in exchange_numbers(counts, melds)]


def exchange_numbers(counts: int, melds: Sets = ()) -> list[int]:
    """:func:`winning_exchanges` by their numbers in ``EXCHANGES``.

    >>> from scoring.evaluator.notation import parse_hand
    >>> exchange_numbers(parse_hand("123B 456B 789B 123C 56D").counts)
    [771, 804]
    """
    loose = counts - sum([meld.counts for meld in melds]) if melds else counts
    suits = [_suit(loose & mask, counts & mask, i) for i, mask in enumerate(SUITS)]
    wanted = 5 - len(melds) + PAIR
    numbers: list[int] = []
    changes = _suits_to_change(tuple([not suit.own for suit in suits]))
    for own in product(*[suit.own or BROKEN for suit in suits]):
        lacking = wanted - sum(own)
        for i, j in changes:
            if i == j:
                within = _within(loose & SUITS[i], counts & SUITS[i], i)
                numbers += within.get(lacking + own[i], ())
            elif coming := suits[j].coming:
                both = lacking + own[i] + own[j]
                for less, given in suits[i].going.items():
                    if taken := coming.get(both - less):
                        numbers += [gone + come for gone in given for come in taken]
    if not melds and counts & SIMPLES_MASK in ONE_SIMPLE_OR_NONE:
        numbers += _towards_orphans(counts)
    return sorted(set(numbers))


@lru_cache(maxsize=16)
def _suits_to_change(broken: tuple[bool, ...]) -> list[tuple[int, int]]:
    """From which suit a tile may go and to which it may come.

    The others stay and must be whole: with three broken suits nothing can be done.
    """
    where = {i for i, suit_is_broken in enumerate(broken) if suit_is_broken}
    return [(i, j) for i, j in product(range(4), repeat=2) if where <= {i, j}]


@lru_cache(maxsize=REMEMBERED)
def shapes(counts: int) -> tuple[Shape, ...]:
    """What the tiles of one suit can be split into; nothing if they cannot.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> from scoring.evaluator.counts import counts_of
    >>> shapes(counts_of(parse_tiles("12355B"))), shapes(counts_of(parse_tiles("1235B")))
    ((18,), ())
    """
    shapes = {
        len(sets) + PAIR * sum(tile_set.pair() for tile_set in sets) for sets in splits(counts)
    }
    return tuple(shapes)


@lru_cache(maxsize=REMEMBERED)
def _suit(counts: int, whole: int, suit: int) -> SuitSplits:
    """``whole`` is the suit with what lies in melds."""
    going = {GIVEN[tile.index]: counts - ONE[tile.index] for tile in tiles_of(counts)}
    coming = {tile.index: counts + ONE[tile.index] for tile in _free(whole, suit)}
    return SuitSplits(shapes(counts), _by_shape(going), _by_shape(coming))


@lru_cache(maxsize=REMEMBERED)
def _within(counts: int, whole: int, suit: int) -> Changes:
    """The exchanges of one tile of a suit for another of it."""
    return _by_shape(
        {
            GIVEN[given.index] + taken.index: counts - ONE[given.index] + ONE[taken.index]
            for given in tiles_of(counts)
            for taken in _free(whole, suit)
            if given is not taken
        }
    )


def _by_shape(after: dict[int, int]) -> Changes:
    """``after``: what the suit is after each change."""
    grouped: Changes = {}
    for number, counts in after.items():
        for shape in shapes(counts):
            grouped.setdefault(shape, []).append(number)
    return grouped


def _free(whole: int, suit: int) -> list[Tile]:
    """The kinds of which the wall has one more."""
    return [tile for tile in OF_SUIT[suit] if copies(whole, tile) < COPIES]


def _towards_orphans(counts: int) -> Iterator[int]:
    simples = tiles_of(counts & SIMPLES_MASK)
    for given in dict.fromkeys(simples or tiles_of(counts)):
        for taken in TILES:
            becomes = counts - ONE[given.index] + ONE[taken.index]
            if given is not taken and becomes in THIRTEEN_ORPHANS:
                yield GIVEN[given.index] + taken.index


BROKEN: tuple[Shape] = (0,)
OF_SUIT = (TILES[:9], TILES[9:18], TILES[18:27], TILES[27:])
ONE_SIMPLE_OR_NONE = frozenset([0, *(ONE[tile.index] for tile in TILES if tile.simple())])
