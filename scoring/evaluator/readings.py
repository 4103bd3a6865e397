"""The readings of a hand: every combination of its suits' splits that makes five sets and a pair.

What a suit may be read as, with the traits of each way, is remembered by the suit's counts; so most
hands are read by four look-ups and three additions.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .counts import BITS, EVERYTHING, HONORS_MASK, ONE, SUIT_MASKS, SUITS, counts_of, has_five
from .search import Sets, splits
from .sets import KINDS, SETS_FROM, Set
from .tiles import TILES, WINDS, Wind
from .traits import FIVE_SETS, FIVE_SETS_MASK, NOT_GREEN, ORPHANS, traits_of_set, traits_of_suit

REMEMBERED = 2**15  # suits
BAMBOO, CHARACTERS, DOTS = SUIT_MASKS
SUIT_BITS = 9 * BITS
# Honors, and whatever no hand has: bits beyond the tiles, the sign of a negative number.
NO_SUITS = ~sum(SUIT_MASKS)
WINDS_MASK = 15


class Part:
    """One suit, or the honors, read one way; there is one object a way, as long as it is remembered."""

    __slots__ = ("elsewhere", "sets", "traits", "winds")

    def __init__(self, sets: Sets, traits: int, winds: int = 0, elsewhere: int = 0) -> None:
        """``traits`` are packed; ``winds`` are :func:`winds_key` for the honors.

        ``elsewhere`` are the packed traits of characters or dots that are read in the same way.
        """
        self.sets, self.traits, self.winds = sets, traits, winds
        self.elsewhere = elsewhere


Ways = tuple[Part, ...]
Choices = tuple[Ways, Ways, Ways, Ways]


class Reading(NamedTuple):
    """A hand read as five sets."""

    traits: int  # packed
    parts: tuple[Part, Part, Part, Part]

    @property
    def sets(self) -> Sets:
        """The five sets, suit by suit, the honors last."""
        bamboo, characters, dots, honors = self.parts
        return bamboo.sets + characters.sets + dots.sets + honors.sets


def readings(counts: int, melds: Sets, winds: int, how_won: int = 0) -> list[Reading]:
    """Every reading of the tiles ``counts``, in the book's order; none for a hand that does not win.

    Thirteen orphans have one reading, without sets.

    :param melds: sets among them that are laid down already and are not rearranged.
    :param winds: :func:`winds_key` of the prevailing wind and the player's own.
    :param how_won: packed traits that do not depend on the sets.

    >>> from scoring.evaluator.notation import parse_hand
    >>> winds = winds_key(Wind.EAST, Wind.SOUTH)
    >>> for reading in readings(parse_hand("111222333B 55C GGG").counts, (), winds):
    ...     print(*reading.sets, sep=" | ")
    1B 1B 1B | 2B 2B 2B | 3B 3B 3B | 5C 5C | G G G
    1B 2B 3B | 1B 2B 3B | 1B 2B 3B | 5C 5C | G G G
    """
    if melds:
        choices = _choices_with(melds, counts, winds)
    else:
        choices = (
            parts_of_suit(counts & BAMBOO),
            parts_of_suit(counts & CHARACTERS),
            parts_of_suit(counts & DOTS),
            parts_of_honors(counts & HONORS_MASK | winds),
        )
    five_sets = []
    for parts in product(*choices):
        bamboo, characters, dots, honors = parts
        traits = bamboo.traits + characters.traits + dots.traits + honors.traits
        if traits & FIVE_SETS_MASK == FIVE_SETS:
            five_sets.append(Reading(traits + how_won, parts))
    if not five_sets and counts in THIRTEEN_ORPHANS:
        return [Reading(ORPHANS + how_won, NO_SETS)]
    return five_sets


def only_traits(counts: int, winds: int) -> int | None:
    """The packed traits of tiles none of which are laid down, if each suit reads in just one way.

    None if a suit reads in several ways, or in none: then only :func:`readings` can tell. Most hands
    are told here, without any sets; of a suit only the shape matters, so all suits share a memory.
    The traits need not be those of five sets.

    >>> from scoring.evaluator.notation import parse_hand
    >>> winds = winds_key(Wind.EAST, Wind.SOUTH)
    >>> [only_traits(parse_hand(text).counts, winds) is None for text in (
    ...     "222B 345B 66C 222D GGG", "111222333B 55C GGG", "222B 345B 66C 222D GG9C")]
    [False, True, True]

    :raises ValueError: for more copies of a kind than a wall has, or bits beyond its kinds.
    """
    bamboo = parts_of_suit(counts & BAMBOO)
    characters = parts_of_suit(counts >> SUIT_BITS & BAMBOO)
    dots = parts_of_suit(counts >> 2 * SUIT_BITS & BAMBOO)
    honors = parts_of_honors(counts & NO_SUITS | winds)
    if len(bamboo) == len(characters) == len(dots) == len(honors) == 1:
        return bamboo[0].traits + characters[0].elsewhere + dots[0].elsewhere + honors[0].traits
    return None


def winds_key(prevailing_wind: Wind, my_wind: Wind) -> int:
    """Both winds in four bits: they lie where honors have no counts.

    >>> winds_key(Wind.WEST, Wind.SOUTH) == 0b10_01
    True
    """
    return WINDS.index(prevailing_wind) << 2 | WINDS.index(my_wind)


@lru_cache(maxsize=REMEMBERED)
def parts_of_suit(counts: int) -> tuple[Part, ...]:
    """Every way to read the tiles of one suit.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> [len(part.sets) for part in parts_of_suit(counts_of(parse_tiles("12355B")))]
    [2]

    :raises ValueError: for more copies of a kind than a wall has.
    """
    _require_counts(counts)
    return tuple([_part(sets, counts, 0) for sets in splits(counts)])


@lru_cache(maxsize=REMEMBERED // 8)
def parts_of_honors(key: int) -> tuple[Part, ...]:
    """Every way to read the honors: their counts, and the winds in the bits below them.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> winds = winds_key(Wind.EAST, Wind.SOUTH)
    >>> [str(part.sets[0]) for part in parts_of_honors(counts_of(parse_tiles("GGG")) | winds)]
    ['G G G']

    :raises ValueError: for more copies of a kind than a wall has, or bits beyond its kinds.
    """
    winds = key & WINDS_MASK
    _require_counts(key - winds)
    return tuple([_part(sets, key - winds, winds) for sets in splits(key - winds)])


@lru_cache(maxsize=REMEMBERED // 8)
def parts_with(melds: Sets, counts: int, winds: int) -> tuple[Part, ...]:
    """Every way to read the tiles of one suit, or the honors, some of which are laid down.

    >>> from scoring.evaluator.notation import parse_hand
    >>> hand = parse_hand("222B* 345B 55B 222D GGG")
    >>> [part] = parts_with(hand.melds, hand.counts & BAMBOO, 0)
    >>> [(str(tile_set), tile_set.concealed) for tile_set in part.sets]
    [('2B 2B 2B', False), ('3B 4B 5B', True), ('5B 5B', True)]
    """
    loose = counts - sum([meld.counts for meld in melds])
    return tuple(
        _part(tuple(sorted(melds + sets, key=_book_order)), counts, winds) for sets in splits(loose)
    )


def forget() -> None:
    """Forget how suits are read: for measuring. Verdicts, cards and advice stay remembered.

    >>> forget(); parts_of_suit.cache_info().currsize
    0
    """
    for remembering in (parts_of_suit, parts_of_honors, parts_with):
        remembering.cache_clear()


def _choices_with(melds: Sets, counts: int, winds: int) -> Choices:
    bamboo, characters, dots, honors = [
        parts_with(
            tuple([meld for meld in melds if meld.counts & mask]),
            counts & mask,
            winds if mask is HONORS_MASK else 0,
        )
        for mask in SUITS
    ]
    return bamboo, characters, dots, honors


def _require_counts(counts: int) -> None:
    """Nobody asks for others but who makes counts without the checks of a hand."""
    if not 0 <= counts <= EVERYTHING or has_five(counts):
        raise ValueError(f"{counts:#x} are no counts of tiles.")


def _part(sets: Sets, counts: int, winds: int) -> Part:
    own = [SET_TRAITS[tile_set.counts | winds] for tile_set in sets]
    traits = traits_of_suit(own, counts)
    # What sets other suits apart: not one of their tiles is green.
    elsewhere = traits | NOT_GREEN if counts else traits
    return Part(sets, traits, winds, elsewhere)


def _book_order(tile_set: Set) -> tuple[int, int]:
    return tile_set.tiles[0].index, KINDS.index(type(tile_set))


NO_SETS = (Part((), 0),) * 4
ORPHAN_KINDS = [tile for tile in TILES if not tile.simple()]
THIRTEEN_ORPHANS = frozenset(counts_of(ORPHAN_KINDS) + ONE[twice.index] for twice in ORPHAN_KINDS)


def _set_traits() -> Iterator[tuple[int, int]]:
    for tile_set in (tile_set for heads in SETS_FROM for tile_set in heads):
        pairs_of_winds = (
            product(WINDS, WINDS) if tile_set.suit() is None else [(Wind.EAST, Wind.EAST)]
        )
        for prevailing, own in pairs_of_winds:
            key = winds_key(prevailing, own)
            yield tile_set.counts | key, traits_of_set(tile_set, prevailing, own).pack()


# By the counts of the set, for honors with the winds.
SET_TRAITS = dict(_set_traits())
