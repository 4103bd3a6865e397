"""Count exactly how many tiles have to be exchanged until a hand wins.

For every suit, how many of its tiles can stay if it is to become so many sets and pairs; then the best
split of four sets and a pair over the suits. Everything that cannot stay is exchanged.

"So many" is "at most so many" throughout: whatever sets lack can be laid where a hand has nothing, for
it leaves more than half of the 34 kinds alone. So sets that keep no tile need not be tried.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .counts import BITS, COPIES, MOST, SUITS
from .notation import FEWEST_TILES
from .readings import ORPHAN_KINDS
from .search import Sets

REMEMBERED = 2**13  # suits
SETS = 4
NEVER = -99  # tiles: less than any hand
MOST_CHOWS = 2  # of the same ranks: three are three pungs
# Per suit: where its counts begin, their mask, and of how many ranks chows can be.
PLACES = tuple((9 * BITS * i, mask, 0 if i == 3 else 9) for i, mask in enumerate(SUITS))
THREE_RANKS = (1 << 3 * BITS) - 1
TWO_ALIKE = sum(0b110 << BITS * rank for rank in range(3))  # 2, 3 or 4 of any of them


class Goal(NamedTuple):
    """What a suit is to become, at most: how many kongs, other sets and pairs."""

    kongs: int
    others: int
    pairs: int


NOTHING = Goal(0, 0, 0)
Kept = tuple[int, ...]  # the most tiles that can stay, by the number of a goal
Pairs = tuple[tuple[int, int], ...]  # of numbers of goals


class Begin(NamedTuple):
    """Sets that may begin at a rank: the tiles they take there alike, and how many chows there are.

    ``goals`` are those that allow them, each with what then is left for the ranks above.
    """

    alike: int
    chows: int
    goals: Pairs


class Goals(NamedTuple):
    """Every goal up to one, by number, the largest last."""

    all: tuple[Goal, ...]
    begins: tuple[Begin, ...]
    splits: tuple[Pairs, ...]  # of each: every two goals that it can be split into


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
    laid_kongs = sum([meld.kind == "kong" for meld in melds])
    in_melds = sum([len(meld.tiles) for meld in melds])
    laid = sum([meld.counts for meld in melds])
    whole = max(size, FEWEST_TILES + laid_kongs)
    kongs = whole - FEWEST_TILES - laid_kongs
    most = size - in_melds
    if kongs + len(melds) > SETS:  # there is no room for the kongs that it needs
        return most
    wanted = Goal(kongs, SETS - len(melds) - kongs, pairs=1)
    splits = goals_up_to(wanted).splits
    bamboo, characters, dots, honors = [
        most_kept((counts - laid & mask) >> shift, (laid & mask) >> shift, wanted, room)
        for shift, mask, room in PLACES
    ]
    some, others = _joined(bamboo, characters, splits), _joined(dots, honors, splits)
    kept = max([some[one] + others[other] for one, other in splits[-1]])
    fewest = whole - in_melds - kept
    if not melds and whole == FEWEST_TILES:
        fewest = min(fewest, _from_orphans(counts))
    return min(fewest - (whole - size), most)


def _joined(one: Kept, other: Kept, splits: tuple[Pairs, ...]) -> Kept:
    """What two suits can keep together."""
    return tuple([max([one[i] + other[j] for i, j in pairs]) for pairs in splits])


@lru_cache(maxsize=REMEMBERED)
def most_kept(counts: int, laid: int, wanted: Goal, room: int) -> Kept:
    """For every goal up to ``wanted`` the most tiles of one suit that can stay.

    :param counts: its tiles, the lowest rank in the lowest bits, as in ``laid``: the copies in melds.
    :param room: how many ranks there are for chows; none for honors.

    >>> from scoring.evaluator.counts import counts_of
    >>> from scoring.evaluator.notation import parse_tiles
    >>> goals = Goal(kongs=0, others=1, pairs=1)
    >>> goals_up_to(goals).all
    (Goal(kongs=0, others=0, pairs=0), Goal(kongs=0, others=0, pairs=1), \
Goal(kongs=0, others=1, pairs=0), Goal(kongs=0, others=1, pairs=1))
    >>> most_kept(counts_of(parse_tiles("1124B")), 0, goals, room=9)
    (0, 2, 2, 4)
    """
    return _most_kept(counts, laid, wanted, room, 0, 0)


@lru_cache(maxsize=2 * REMEMBERED)
def _most_kept(counts: int, laid: int, wanted: Goal, room: int, running: int, ending: int) -> Kept:
    """:func:`most_kept` of the ranks from one upwards.

    ``running`` chows that began below it still take it and the next, ``ending`` chows only it.
    """
    goals, begins, _splits = goals_up_to(wanted)
    begun = running + ending
    if not counts and not begun:
        return (0,) * len(goals)
    have, free = counts & MOST, COPIES - (laid & MOST)
    chows = 0
    if room >= 3:
        chows = MOST_CHOWS if counts & TWO_ALIKE else int(counts & THREE_RANKS > 0)
    most = [NEVER] * len(goals)
    for begin in begins:
        in_chows = begin.chows + begun
        needed = begin.alike + in_chows
        # Nothing is gained by alike tiles that chows keep anyway, nor by chows of which none is there.
        if needed > free or begin.chows > chows or (begin.alike and have <= in_chows):
            continue
        above = _most_kept(counts >> BITS, laid >> BITS, wanted, room - 1, begin.chows, running)
        stay = min(have, needed)
        for goal, rest in begin.goals:
            most[goal] = max(most[goal], above[rest] + stay)
    return tuple(most)


@lru_cache(maxsize=16)
def goals_up_to(wanted: Goal) -> Goals:
    """Every goal up to ``wanted``, what may begin at a rank, and how goals are split.

    >>> [begin[:2] for begin in goals_up_to(Goal(kongs=0, others=1, pairs=0)).begins]
    [(0, 0), (0, 1), (3, 0)]
    """
    goals = tuple(Goal(*numbers) for numbers in product(*[range(most + 1) for most in wanted]))
    alike = ((0, NOTHING), (2, Goal(0, 0, 1)), (3, Goal(0, 1, 0)), (4, Goal(1, 0, 0)))
    begins = [
        Begin(tiles, chows, _rests(goals, Goal(own.kongs, own.others + chows, own.pairs)))
        for tiles, own in alike
        for chows in range(MOST_CHOWS + 1)
    ]
    splits: list[list[tuple[int, int]]] = [[] for _goal in goals]
    for part, own in enumerate(goals):
        for goal, rest in _rests(goals, own):
            splits[goal].append((part, rest))
    return Goals(goals, tuple(begin for begin in begins if begin.goals), tuple(map(tuple, splits)))


def _rests(goals: tuple[Goal, ...], own: Goal) -> Pairs:
    """The goals that allow ``own``, each with what is left of it."""
    numbers = {goal: number for number, goal in enumerate(goals)}
    rests = [(number, Goal(*map(int.__sub__, goal, own))) for goal, number in numbers.items()]
    return tuple((number, numbers[rest]) for number, rest in rests if rest in numbers)


def _copies(counts: int, index: int) -> int:
    return counts >> BITS * index & MOST


def _from_orphans(counts: int) -> int:
    kinds = sum(1 for tile in ORPHAN_KINDS if _copies(counts, tile.index))
    twice = any(_copies(counts, tile.index) > 1 for tile in ORPHAN_KINDS)
    return FEWEST_TILES - kinds - twice
