"""What the rules may know of a hand that is read as five sets.

Every trait is a sum over the suits of the hand, so a suit's traits can be worked out once, packed
into one number and remembered; the traits of a hand are then one addition a suit. A field is as wide
as its largest sum, so that none runs over into the next.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .counts import HONORS_MASK, all_copies, counts_of
from .sets import Set
from .tiles import TILES, TerminalSuitTile, Wind


class Traits(NamedTuple):
    """Counts, each summed over bamboo, characters, dots and honors.

    ``points`` are whole points of the sets, without the 20 for winning. ``chow_ranks`` and
    ``pung_ranks`` have two bits a rank: in how many suits a chow begins, a pung or kong stands there.
    """

    sets: int = 0
    pairs: int = 0
    points: int = 0
    lucky: int = 0  # doubles of pungs and kongs of dragons and winds that count
    chows: int = 0
    all_simple_sets: int = 0  # sets without any terminal or honor
    suits_with_simples: int = 0
    suits_with_others: int = 0  # with terminals; honors count as one more
    suits: int = 0  # bamboo, characters, dots
    honors: int = 0  # 1 if there are any
    dragon_triplets: int = 0
    dragon_pairs: int = 0
    wind_triplets: int = 0
    wind_pairs: int = 0
    straights: int = 0  # suits with the chows 123, 456, 789
    gates: int = 0  # suits with 1112345678999 and one more
    concealed: int = 0  # 1 if no set lies open
    self_drawn: int = 0  # 1 if the winner drew the last tile
    orphans: int = 0  # 1 for thirteen orphans, which has no sets
    chow_ranks: int = 0
    pung_ranks: int = 0

    def pack(self) -> int:
        """The traits as one number; numbers of several suits add up."""
        return sum(value << shift for value, shift in zip(self, SHIFTS, strict=True))

    @classmethod
    def unpack(cls, packed: int) -> "Traits":
        """The inverse of :meth:`pack`.

        >>> suit, honors = Traits(sets=3, pairs=1, points=8), Traits(sets=1, points=8)
        >>> Traits.unpack(suit.pack() + honors.pack()) == Traits(sets=4, pairs=1, points=16)
        True
        """
        return cls(*(packed >> s & mask for s, mask in zip(SHIFTS, MASKS, strict=True)))


WIDTHS = Traits(
    sets=4,
    pairs=3,
    points=9,
    lucky=4,
    chows=3,
    all_simple_sets=4,
    suits_with_simples=2,
    suits_with_others=3,
    suits=2,
    honors=1,
    dragon_triplets=3,
    dragon_pairs=2,
    wind_triplets=3,
    wind_pairs=2,
    straights=2,
    gates=2,
    concealed=1,
    self_drawn=1,
    orphans=1,
    chow_ranks=2 * 7,
    pung_ranks=2 * 9,
)
SHIFTS = tuple(sum(WIDTHS[:i]) for i in range(len(WIDTHS)))
MASKS = tuple((1 << width) - 1 for width in WIDTHS)

FIVE_SETS = Traits(sets=5, pairs=1).pack()
FIVE_SETS_MASK = (1 << WIDTHS.sets + WIDTHS.pairs) - 1
CONCEALED = Traits(concealed=1).pack()
SELF_DRAWN = Traits(self_drawn=1).pack()
ORPHANS = Traits(orphans=1).pack()


def traits_of_set(found: Set, prevailing_wind: Wind, my_wind: Wind) -> Traits:
    """What a set adds, whatever stands beside it.

    >>> from scoring.evaluator.sets import ThreeSet
    >>> green = ThreeSet([TILES[32]] * 3)
    >>> traits = traits_of_set(green, Wind.EAST, Wind.SOUTH)
    >>> traits.points, traits.lucky, traits.dragon_triplets
    (8, 1, 1)
    """
    triplet, pair = found.triplet(), found.pair()
    lucky = found.lucky(prevailing_wind, my_wind)
    suit, rank = found.suit(), found.tiles[0].index % 9
    return Traits(
        sets=1,
        pairs=int(pair),
        points=found.points(prevailing_wind, my_wind),
        lucky=lucky + (lucky and found.wind() and prevailing_wind == my_wind),
        chows=int(found.kind == "chow"),
        all_simple_sets=int(found.all_simple()),
        dragon_triplets=int(found.big_dragon()),
        dragon_pairs=int(found.little_dragon()),
        wind_triplets=int(triplet and found.wind()),
        wind_pairs=int(pair and found.wind()),
        pung_ranks=1 << 2 * rank if triplet and suit else 0,
    )


def traits_of_suit(sets: Iterable[Set], counts: int) -> int:
    """What a suit, or the honors, adds beyond its sets, packed; ``counts`` are all its tiles.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> traits = Traits.unpack(traits_of_suit([], counts_of(parse_tiles("258B"))))
    >>> traits.suits, traits.suits_with_simples, traits.suits_with_others
    (1, 1, 0)
    """
    if not counts:
        return 0
    if counts & HONORS_MASK:
        return HONORS
    packed = SUIT
    if counts & SIMPLES_MASK:
        packed += WITH_SIMPLES
    if counts & TERMINALS_MASK:
        packed += WITH_TERMINALS
    if counts in NINE_GATES:
        packed += GATES
    chows = {each.counts for each in sets if each.kind == "chow"}
    if chows:
        packed += sum([CHOW_RANKS[chow] for chow in chows])
    if len(chows) > 2 and any(straight <= chows for straight in STRAIGHTS):
        packed += STRAIGHT
    return packed


SUIT = Traits(suits=1).pack()
HONORS = Traits(honors=1, suits_with_others=1).pack()
WITH_SIMPLES = Traits(suits_with_simples=1).pack()
WITH_TERMINALS = Traits(suits_with_others=1).pack()
STRAIGHT = Traits(straights=1).pack()
GATES = Traits(gates=1).pack()
SUITS = (TILES[:9], TILES[9:18], TILES[18:27])
# Chows by their counts.
CHOW_RANKS = {
    counts_of(suit[rank : rank + 3]): Traits(chow_ranks=1 << 2 * rank).pack()
    for suit in SUITS
    for rank in range(7)
}
STRAIGHTS = tuple({counts_of(suit[i : i + 3]) for i in (0, 3, 6)} for suit in SUITS)

SIMPLES_MASK = all_copies(each for each in TILES if each.simple())
TERMINALS_MASK = all_copies(each for each in TILES if isinstance(each, TerminalSuitTile))
NINE_GATES = frozenset(
    counts_of(suit) + counts_of((suit[0], suit[0], suit[8], suit[8], one_more))
    for suit in SUITS
    for one_more in suit
)


def in_three_suits(ranks: int) -> bool:
    """Whether two bits a rank say "three suits" for any rank.

    >>> in_three_suits(0b11_00_01), in_three_suits(0b10_10_01)
    (True, False)
    """
    return any(ranks >> shift & 3 == 3 for shift in range(0, WIDTHS.pung_ranks, 2))
