"""Find the sets that use the most tiles of a hand that does not win, and what is left over."""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .counts import ONE, SUITS, contains, copies, tiles_of
from .notation import format_tiles
from .search import HEADS, Sets
from .tiles import TILES, Tile

REMEMBERED = 2**14  # suits
MOST_SETS = 4  # and a pair


class Fit(NamedTuple):
    """The sets that one suit gives, at most one of them a pair, and the tiles that are left over."""

    sets: Sets
    left: tuple[Tile, ...]
    whole: int  # sets that are no pair
    used: int  # tiles in them
    size: int  # all tiles
    words: tuple[str, ...]  # the sets as one writes them, and so the tiles left over
    left_words: tuple[str, ...]


def best_fit(counts: int, melds: Sets = ()) -> tuple[Sets, tuple[Tile, ...]]:
    """The sets that use the most tiles (at most four and a pair, ``melds`` among them), and the rest.

    Of those that use as many, the most sets; of these, the first in the order of suits and of the book.

    >>> from scoring.evaluator.notation import parse_hand
    >>> sets, left = best_fit(parse_hand("222B 345B 55B 222D GG9C").counts)
    >>> print(*sets, sep=" | "); print(*left)
    2B 2B 2B | 3B 4B 5B | 5B 5B | 2D 2D 2D
    9C G G
    >>> sets, left = best_fit(parse_hand("22D 4D 5555D 6666D 777D GGG").counts)
    >>> print(*sets, sep=" | "); print(*left)
    2D 2D | 5D 5D 5D 5D | 6D 6D 6D 6D | 7D 7D 7D | G G G
    4D
    """
    fits = fits_of(counts, melds)
    return sets_of(fits, melds), sum([fit.left for fit in fits], ())


def sets_of(fits: list[Fit], melds: Sets) -> Sets:
    """The melds, then the sets of every suit.

    >>> from scoring.evaluator.notation import parse_hand
    >>> print(*sets_of(fits_of(parse_hand("222B 345B 55B 222D GG9C").counts), ()), sep=" | ")
    2B 2B 2B | 3B 4B 5B | 5B 5B | 2D 2D 2D
    """
    return sum([fit.sets for fit in fits], melds)


def fits_of(counts: int, melds: Sets = ()) -> list[Fit]:
    """:func:`best_fit` suit by suit, the melds left aside.

    >>> from scoring.evaluator.notation import parse_hand
    >>> [fit.words for fit in fits_of(parse_hand("222B 345B 55B 222D GG9C").counts)]
    [('222B', '345B', '55B'), (), ('222D',), ()]
    """
    loose = counts - sum([meld.counts for meld in melds]) if melds else counts
    parts = [loose & mask for mask in SUITS]
    ways = [fits_of_suit(part) for part in parts]
    fits = [without for without, _paired in ways]
    # The pair goes where it adds the most; tiles are compared first, then sets.
    adds = [
        (paired.used - without.used, len(paired.sets) - len(without.sets))
        for without, paired in ways
    ]
    most = max(adds)
    if most > (0, 0):
        chosen = adds.index(most)
        fits[chosen] = ways[chosen][1]
    room = MOST_SETS - len(melds)
    return fits if sum([fit.whole for fit in fits]) <= room else _with_room(parts, room)


def _with_room(parts: list[int], room: int) -> list[Fit]:
    """The best of all ways to divide the room for sets among the suits, the first suits first."""
    rooms = [
        shares for shares in product(range(room, -1, -1), repeat=len(parts)) if sum(shares) == room
    ]
    ways = [
        [
            fits_of_suit(part, own)[i == paired]
            for i, (part, own) in enumerate(zip(parts, shares, strict=True))
        ]
        for shares in rooms
        for paired in range(len(parts))
    ]
    return max(ways, key=_used_by)


def _used_by(fits: list[Fit]) -> tuple[int, int]:
    return sum([fit.used for fit in fits]), sum([len(fit.sets) for fit in fits])


@lru_cache(maxsize=REMEMBERED)
def fits_of_suit(counts: int, room: int = MOST_SETS) -> tuple[Fit, Fit]:
    """The sets of one suit that use the most tiles; the second time with a pair, if that uses more.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> from scoring.evaluator.counts import counts_of
    >>> without, paired = fits_of_suit(counts_of(parse_tiles("12355B")))
    >>> without.words, without.left_words, paired.words
    (('123B',), ('55B',), ('123B', '55B'))
    """
    return _fit(counts, 0, room), _fit(counts, 1, room)


def _fit(counts: int, pairs: int, room: int) -> Fit:
    sets = _most_used(counts, pairs, room)
    used = sum(len(tile_set.tiles) for tile_set in sets)
    left = tuple(tiles_of(counts - sum(tile_set.counts for tile_set in sets)))
    return Fit(
        sets,
        left,
        whole=sum(not tile_set.pair() for tile_set in sets),
        used=used,
        size=used + len(left),
        words=tuple(format_tiles(tile_set.tiles) for tile_set in sets),
        left_words=tuple(format_tiles(left).split()),
    )


@lru_cache(maxsize=REMEMBERED)
def _most_used(counts: int, pairs: int, room: int) -> Sets:
    if not counts:
        return ()
    lowest = next(tile for tile in TILES if copies(counts, tile))
    candidates: list[Sets] = []
    for head, its_counts in HEADS[lowest.index]:
        pair = int(head.pair())
        if contains(counts, its_counts) and (pairs if pair else room):
            rest = _most_used(counts - its_counts, pairs - pair, room - 1 + pair)
            candidates.append((head, *rest))
    candidates.append(_most_used(counts - ONE[lowest.index], pairs, room))
    return max(candidates, key=_used)


def _used(sets: Sets) -> tuple[int, int]:
    return sum([len(tile_set.tiles) for tile_set in sets]), len(sets)
