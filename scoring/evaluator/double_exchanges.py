"""Every way to exchange two tiles so that a hand wins.

Two tiles go, from one suit or from two, and two others come. So for each suit all whole suits are laid
out that lack at most two of its tiles and have at most two others; then four suits are put together such
that two tiles go and two come in all.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .counts import BITS, COPIES, MOST, ONE, SUITS
from .exchanges import EXCHANGES, KINDS, PAIR, Exchange, Shape
from .search import Sets

REMEMBERED = 2**6  # suits; each may have some hundred ways
TWO = 2  # tiles are exchanged
SETS = 4  # and a pair
# Per suit: its first kind, its mask, how many kinds it has, and of how many ranks chows can be.
PLACES = tuple(
    (9 * i, mask, 7 if i == 3 else 9, 0 if i == 3 else 9) for i, mask in enumerate(SUITS)
)
ALIKE = ((0, 0), (2, 1 + PAIR), (3, 1), (4, 1))  # tiles, and the shape of the set that they are

Kinds = tuple[int, ...]
Moved = tuple[int, int]  # how many tiles go, how many come


class SuitChange(NamedTuple):
    """What a suit can be split into after kinds have gone and come, by their places in the suit."""

    shape: Shape
    gone: Kinds
    come: Kinds


class DoubleExchange(NamedTuple):
    """Two exchanges, as one number, and the counts of all tiles after them."""

    number: int
    counts: int

    @property
    def exchanges(self) -> tuple[Exchange, Exchange]:
        """The exchange of the lower tiles, then that of the others."""
        one, other = divmod(self.number, len(EXCHANGES))
        return EXCHANGES[one], EXCHANGES[other]


def winning_double_exchanges(counts: int, melds: Sets = ()) -> list[DoubleExchange]:
    """The exchanges of two tiles, none of a meld, for two others that make a hand win; sorted by tiles.

    >>> from scoring.evaluator.notation import parse_hand
    >>> exchanges = winning_double_exchanges(parse_hand("123B 456C 789D 222D RG").counts)
    >>> print(*exchanges[0].exchanges, sep=", ")
    1B → 4B, R → G
    """
    laid = sum([meld.counts for meld in melds])
    loose = counts - laid
    suits = [
        whole_suits((loose & mask) >> BITS * first, (laid & mask) >> BITS * first, kinds, ranks)
        for first, mask, kinds, ranks in PLACES
    ]
    wanted = SETS + 1 - len(melds) + PAIR
    exchanges = set()
    for moved in DIVIDED:
        ways = [suit.get(its_moved, ()) for suit, its_moved in zip(suits, moved, strict=True)]
        for changes in product(*ways):
            if sum([change.shape for change in changes]) == wanted:
                exchanges.add(_exchanged(counts, changes))
    return sorted(exchanges)


def _exchanged(counts: int, changes: tuple[SuitChange, ...]) -> DoubleExchange:
    gone = [9 * suit + kind for suit, change in enumerate(changes) for kind in change.gone]
    come = [9 * suit + kind for suit, change in enumerate(changes) for kind in change.come]
    (lower, upper), (low, high) = gone, come
    number = (lower * KINDS + low) * len(EXCHANGES) + upper * KINDS + high
    return DoubleExchange(number, counts - ONE[lower] - ONE[upper] + ONE[low] + ONE[high])


@lru_cache(maxsize=REMEMBERED)
def whole_suits(
    counts: int, laid: int, kinds: int, ranks: int
) -> dict[Moved, tuple[SuitChange, ...]]:
    """Every way to make a suit whole by at most two tiles that go and two others that come.

    :param counts: its tiles, the lowest in the lowest bits, as in ``laid``: the copies in melds.
    :param kinds: how many it has; chows can be of the first ``ranks`` of them.

    >>> from scoring.evaluator.counts import counts_of
    >>> from scoring.evaluator.notation import parse_tiles
    >>> ways = whole_suits(counts_of(parse_tiles("1B")), 0, 1, 0)
    >>> ways[0, 1], ways[0, 2]
    ((SuitChange(shape=17, gone=(), come=(0,)),), (SuitChange(shape=1, gone=(), come=(0, 0)),))
    """
    # Kind by kind: what was changed so far, the chows that take the next two kinds, and the next only.
    states: set[tuple[Shape, Kinds, Kinds, int, int]] = {(0, (), (), 0, 0)}
    for kind in range(kinds):
        have = counts >> BITS * kind & MOST
        free = COPIES - (laid >> BITS * kind & MOST)
        most_chows = COPIES if kind + 2 < ranks else 0
        then = set()
        for shape, gone, come, running, ending in states:
            least, most = have - TWO + len(gone), min(free, have + TWO - len(come))
            for alike, its_shape in ALIKE:
                begun = alike + running + ending
                if its_shape > PAIR <= shape or begun > most:
                    continue
                for chows in range(max(0, least - begun), min(most_chows, most - begun) + 1):
                    change = begun + chows - have
                    less = gone + (kind,) * -change if change < 0 else gone
                    more = come + (kind,) * change if change > 0 else come
                    then.add((shape + its_shape + chows, less, more, chows, running))
        states = then
    changes: dict[Moved, list[SuitChange]] = {}
    for shape, gone, come, _running, _ending in states:
        changes.setdefault((len(gone), len(come)), []).append(SuitChange(shape, gone, come))
    return {moved: tuple(ways) for moved, ways in changes.items()}


# How many tiles go from each suit and come to it.
_TWICE = [counts for counts in product(range(TWO + 1), repeat=len(SUITS)) if sum(counts) == TWO]
DIVIDED = tuple(tuple(zip(*pair, strict=True)) for pair in product(_TWICE, repeat=2))
