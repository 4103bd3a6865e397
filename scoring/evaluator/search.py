"""Every way to see five sets in a hand.

The tiles of one suit never mix with another's, so each suit is split by itself; honors count as a
suit. Within a suit the lowest tile left must belong to some set: try the four, the three, the
sequence and the pair that begin with it, in the book's order, and split what remains. A hand is then
one way a suit, such that there are five sets in all and exactly one is a pair.

The book's own procedure lets a sequence take only the next tile of the sorted stack and so misses
hands (223344); :mod:`scoring.evaluator.trace` shows where. This search is complete.
"""

from .counts import BITS, COPIES, MOST, contains, counts_of
from .sets import KINDS, PairSet, SequenceSet, Set, sets_from
from .tiles import TILES

Sets = tuple[Set, ...]

# Per tile: the sets that begin with it, each with its counts.
HEADS = tuple(tuple((each, counts_of(each.tiles)) for each in sets_from(tile)) for tile in TILES)

# Besides by its copies: those of which there are enough of it, each with its place in the book's order.
CHOW, PAIR = KINDS.index(SequenceSet), KINDS.index(PairSet)
HEADS_BY_COPIES = tuple(
    tuple(
        tuple(
            (KINDS.index(type(head)), head, its_counts)
            for head, its_counts in heads
            if head.tiles.count(tile) <= copies
        )
        for copies in range(COPIES + 1)
    )
    for tile, heads in zip(TILES, HEADS, strict=True)
)


def splits(counts: int) -> list[Sets]:
    """Every distinct way to split the tiles of one suit wholly into sets with at most one pair.

    In the book's order: fours, threes, sequences, pair, from the lowest tile. Nothing to split is one
    way; that it cannot be done is an empty list.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> for way in splits(counts_of(parse_tiles("22233344455B"))):
    ...     print(*way, sep=" | ")
    2B 2B 2B | 3B 3B 3B | 4B 4B 4B | 5B 5B
    2B 3B 4B | 2B 3B 4B | 2B 3B 4B | 5B 5B
    2B 3B 4B | 2B 2B | 3B 4B 5B | 3B 4B 5B
    """
    return _split(counts, first_head=0, pairs=1)


def _split(counts: int, first_head: int, pairs: int) -> list[Sets]:
    """``first_head``: with which of its sets the lowest tile goes on, so that none comes twice."""
    if not counts:
        return WHOLE
    lowest = ((counts & -counts).bit_length() - 1) // BITS
    found = []
    for order, head, its_counts in HEADS_BY_COPIES[lowest][counts >> BITS * lowest & MOST]:
        fits = pairs if order == PAIR else order != CHOW or contains(counts, its_counts)
        if order < first_head or not fits:
            continue
        left = counts - its_counts
        again = left & MOST << BITS * lowest
        for tail in _split(left, order if again else 0, 0 if order == PAIR else pairs):
            found.append((head, *tail))
    return found


WHOLE: list[Sets] = [()]
