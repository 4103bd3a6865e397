"""Pack what the rules ask about a hand of five sets into one integer.

Every trait is a sum over the suits of the hand, so a suit's traits can be worked out once, packed
into one number and remembered; the traits of a hand are then one addition a suit. A field is as wide
as its largest sum, so that none runs over into the next. Characters and dots have the same traits;
bamboo may have others, because some of its tiles are green.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .counts import EVERYTHING, HONORS_MASK, all_copies, counts_of
from .sets import Set
from .tiles import TILES, TerminalSuitTile, Wind
from .win import Win


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
    suits_not_green: int = 0  # with a tile that is not green; honors count as one more
    chow_ranks: int = 0
    pung_ranks: int = 0

    def pack(self) -> int:
        """The traits as one number; numbers of several suits add up.

        :raises ValueError: for a value that does not fit its field.

        >>> Traits(lucky=16).pack()
        Traceback (most recent call last):
        ValueError: lucky is from 0 to 15 where traits are packed, not 16.
        """
        for name, value, mask in zip(self._fields, self, MASKS, strict=True):
            if not 0 <= value <= mask:
                sentence = f"{name} is from 0 to {mask} where traits are packed, not {value}."
                raise ValueError(sentence)
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
    suits_not_green=3,
    chow_ranks=2 * 7,
    pung_ranks=2 * 9,
)
SHIFTS = tuple(sum(WIDTHS[:i]) for i in range(len(WIDTHS)))
MASKS = tuple((1 << width) - 1 for width in WIDTHS)

FIVE_SETS = Traits(sets=5, pairs=1).pack()
FIVE_SETS_MASK = (1 << WIDTHS.sets + WIDTHS.pairs) - 1
POINTS = Traits(points=1).pack()  # times whole points
CONCEALED = Traits(concealed=1).pack()
ORPHANS = Traits(orphans=1).pack()
READ = ("concealed", "self_drawn")  # what the club's own rules read of how a hand was won


def traits_of_win(win: Win) -> int:
    """What a hand has by how it was won, packed: each field that is ``READ`` is a trait of its name.

    >>> traits_of_win(Win()), traits_of_win(Win(concealed=True)) == CONCEALED
    (0, True)
    """
    return Traits(**{name: int(getattr(win, name) or 0) for name in READ}).pack()


def mask_of(*names: str) -> int:
    """The bits of the traits of these names, where traits are packed.

    >>> mask_of("sets", "pairs") == FIVE_SETS_MASK
    True
    """
    full = dict(zip(Traits._fields, MASKS, strict=True))
    return Traits(**{name: full[name] for name in names}).pack()


def traits_of_set(tile_set: Set, prevailing_wind: Wind, my_wind: Wind) -> Traits:
    """What a set adds, whatever stands beside it.

    >>> from scoring.evaluator.sets import ThreeSet
    >>> green = ThreeSet([TILES[32]] * 3)
    >>> traits = traits_of_set(green, Wind.EAST, Wind.SOUTH)
    >>> traits.points, traits.lucky, traits.dragon_triplets
    (8, 1, 1)
    """
    triplet, pair, chow = tile_set.triplet(), tile_set.pair(), tile_set.kind == "chow"
    lucky = tile_set.lucky(prevailing_wind, my_wind)
    suit, rank = tile_set.suit(), tile_set.tiles[0].index % 9
    return Traits(
        sets=1,
        pairs=int(pair),
        points=tile_set.points(prevailing_wind, my_wind),
        lucky=lucky + (lucky and tile_set.wind() and prevailing_wind == my_wind),
        chows=int(chow),
        all_simple_sets=int(tile_set.all_simple()),
        dragon_triplets=int(tile_set.big_dragon()),
        dragon_pairs=int(tile_set.little_dragon()),
        wind_triplets=int(triplet and tile_set.wind()),
        wind_pairs=int(pair and tile_set.wind()),
        chow_ranks=1 << 2 * rank if chow else 0,
        pung_ranks=1 << 2 * rank if triplet and suit else 0,
    )


def traits_of_suit(sets: Iterable[int], counts: int) -> int:
    """What a suit, or the honors, read as these sets has in all, packed.

    ``sets`` are the packed traits of each set, ``counts`` all the tiles.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> traits = Traits.unpack(traits_of_suit([], counts_of(parse_tiles("258B"))))
    >>> traits.suits, traits.suits_with_simples, traits.suits_with_others
    (1, 1, 0)
    """
    packed = ranks = 0
    for set_traits in sets:
        packed += set_traits & ADDED
        ranks |= set_traits
    # A chow that is there twice has its rank once: it is one suit.
    ranks &= RANKS
    packed += ranks
    if counts & NOT_GREEN_MASK:
        packed += NOT_GREEN
    if counts & HONORS_MASK:
        return packed + HONORS
    if counts & SIMPLES_MASK:
        packed += SIMPLES_AND_TERMINALS if counts & TERMINALS_MASK else SIMPLES
    elif counts:
        packed += TERMINALS
    if ranks & STRAIGHT_RANKS == STRAIGHT_RANKS:
        packed += STRAIGHT
    return packed + GATES if counts in NINE_GATES else packed


RANKS = mask_of("chow_ranks", "pung_ranks")
ADDED = ~RANKS
HONORS = Traits(honors=1, suits_with_others=1).pack()
SIMPLES = Traits(suits=1, suits_with_simples=1).pack()
TERMINALS = Traits(suits=1, suits_with_others=1).pack()
SIMPLES_AND_TERMINALS = Traits(suits=1, suits_with_simples=1, suits_with_others=1).pack()
NOT_GREEN = Traits(suits_not_green=1).pack()
STRAIGHT = Traits(straights=1).pack()
STRAIGHT_RANKS = Traits(chow_ranks=sum(1 << 2 * rank for rank in (0, 3, 6))).pack()
GATES = Traits(gates=1).pack()
SUITS = (TILES[:9], TILES[9:18], TILES[18:27])

GREEN_TILES = (*TILES[1:4], TILES[5], TILES[7], TILES[32])  # 2, 3, 4, 6, 8 of bamboo, green dragon
NOT_GREEN_MASK = EVERYTHING - all_copies(GREEN_TILES)
SIMPLES_MASK = all_copies(tile for tile in TILES if tile.simple())
TERMINALS_MASK = all_copies(tile for tile in TILES if isinstance(tile, TerminalSuitTile))
NINE_GATES = frozenset(
    counts_of(suit) + counts_of((suit[0], suit[0], suit[8], suit[8], one_more))
    for suit in SUITS
    for one_more in suit
)
