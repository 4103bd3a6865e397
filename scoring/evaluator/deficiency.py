"""How far a hand is from winning: the fewest tiles that have to be exchanged, exactly.

For every suit, how many of its tiles can stay if it is to become so many sets and pairs; then the best
split of four sets and a pair over the suits. Everything that cannot stay is exchanged.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .counts import BITS, COPIES, HONORS_MASK, MOST, SUIT_MASKS
from .notation import FEWEST_TILES
from .readings import ORPHAN_KINDS
from .search import Sets

REMEMBERED = 2**12  # suits
SUITS = ((0, 9, SUIT_MASKS[0]), (9, 9, SUIT_MASKS[1]), (18, 9, SUIT_MASKS[2]), (27, 7, HONORS_MASK))
SETS = 4


class Goal(NamedTuple):
    """What a suit is to become: how many sets, how many of them kongs, how many pairs."""

    sets: int
    kongs: int
    pairs: int


Kept = dict[Goal, int]


def deficiency(counts: int, size: int, melds: Sets = ()) -> int:
    """The fewest exchanges of a tile that make a hand of ``size`` tiles win; melds stay.

    A hand of 13 tiles, and one more for each kong among ``melds``, draws one besides: 0 says that it
    waits for its last tile, as does 0 of more tiles that it wins. A hand of 15 to 18 tiles needs
    one, two, three or four kongs. Never more than the tiles that lie in no meld.

    >>> from scoring.evaluator.counts import counts_of
    >>> from scoring.evaluator.notation import parse_tiles
    >>> [deficiency(counts_of(parse_tiles(text)), 14) for text in (
    ...     "222B 345B 55B 222D GGG", "222B 345B 55B 222D GG9C", "147B 147C 147D ESWNR")]
    [0, 1, 6]
    """
    kongs = sum(meld.kind == "kong" for meld in melds)
    whole = max(size, FEWEST_TILES + kongs)
    laid = sum([meld.counts for meld in melds])
    wanted = Goal(SETS - len(melds), whole - FEWEST_TILES - kongs, pairs=1)
    kept: Kept = {Goal(0, 0, 0): 0}
    for first, kinds, mask in SUITS:
        suit = most_kept(counts - laid & mask, laid & mask, first, kinds, wanted.kongs)
        kept = _joined(kept, suit, wanted)
    in_melds = sum(len(meld.tiles) for meld in melds)
    fewest = whole - in_melds - kept.get(wanted, -whole)
    if not melds and whole == FEWEST_TILES:
        fewest = min(fewest, _from_orphans(counts))
    return min(fewest - (whole - size), size - in_melds)


def _joined(some: Kept, others: Kept, wanted: Goal) -> Kept:
    best: Kept = {}
    for (goal, kept), (other, more) in product(some.items(), others.items()):
        both = Goal(*map(int.__add__, goal, other))
        if all(have <= want for have, want in zip(both, wanted, strict=True)):
            best[both] = max(kept + more, best.get(both, 0))
    return best


@lru_cache(maxsize=REMEMBERED)
def most_kept(counts: int, laid: int, first: int, kinds: int, kongs: int) -> Kept:
    """For every goal of one suit the most of its tiles that can stay.

    ``laid`` are the copies that lie in melds; ``first`` and ``kinds`` say which tiles the suit has.

    >>> from scoring.evaluator.counts import counts_of
    >>> from scoring.evaluator.notation import parse_tiles
    >>> kept = most_kept(counts_of(parse_tiles("1124B")), 0, 0, 9, 0)
    >>> kept[Goal(sets=1, kongs=0, pairs=0)], kept[Goal(sets=1, kongs=0, pairs=1)]
    (2, 4)
    """
    # Rank by rank; besides the goal so far, how many chows still take this rank and the next.
    states: dict[tuple[Goal, int, int], int] = {(Goal(0, 0, 0), 0, 0): 0}
    for index in range(first, first + kinds):
        have, free = _copies(counts, index), COPIES - _copies(laid, index)
        room = 2 if kinds == 7 else first + kinds - index
        then: dict[tuple[Goal, int, int], int] = {}
        for (goal, running, ending), kept in states.items():
            for head, used, chows in _choices(goal, kongs, allow_chows=room >= 3):
                needed = used + chows + running + ending
                if needed > free:
                    continue
                key = (head, chows, running)
                then[key] = max(then.get(key, 0), kept + min(have, needed))
        states = then
    return {goal: kept for (goal, _running, _ending), kept in states.items()}


@lru_cache(maxsize=REMEMBERED)
def _choices(goal: Goal, kongs: int, allow_chows: bool) -> tuple[tuple[Goal, int, int], ...]:
    """What may begin at a rank: the goal then, the tiles of alike sets there, and the new chows."""
    alike = [(Goal(0, 0, 0), 0), (Goal(0, 0, 1), 2), (Goal(1, 0, 0), 3), (Goal(1, 1, 0), 4)]
    found = []
    for (more, used), chows in product(alike, range(COPIES + 1 if allow_chows else 1)):
        then = Goal(goal.sets + more.sets + chows, goal.kongs + more.kongs, goal.pairs + more.pairs)
        if then.sets <= SETS and then.kongs <= kongs and then.pairs <= 1:
            found.append((then, used, chows))
    return tuple(found)


def _copies(counts: int, index: int) -> int:
    return counts >> BITS * index & MOST


def _from_orphans(counts: int) -> int:
    kinds = sum(1 for each in ORPHAN_KINDS if _copies(counts, each.index))
    twice = any(_copies(counts, each.index) > 1 for each in ORPHAN_KINDS)
    return FEWEST_TILES - kinds - twice
