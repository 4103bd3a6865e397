"""Every winning hand, listed without asking any scorer: sets are laid together, suit by suit.

A hand is four parts: bamboo, characters, dots and honors. Parts that allow the same numbers of sets
and pairs are one *group*, so the winning hands are products of groups: all combinations that come to
five sets with one pair. The size of a product is a multiplication; that gives the number of hands,
and any hand by its number, without a list of millions.

A hand is what a player holds: the tiles. One that can be read in several ways is one hand.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

RANKS, HONORS = 9, 7
SUITS = "BCD"
WINDS, DRAGONS = ("E", "S", "W", "N"), ("R", "G", "Wh")
HONOR_CODES = WINDS + DRAGONS
MOST_KONGS = 4
POSITIONS = tuple(product(WINDS, WINDS))  # own wind, prevailing wind

Counts = tuple[int, ...]  # of each rank, or of each honor
Way = tuple[int, int]  # sets (the pair among them), pairs


class Group(NamedTuple):
    """Parts of so many tiles that can be laid out in the same ways."""

    tiles: int
    ways: frozenset[Way]
    parts: tuple[Counts, ...]

    def __hash__(self) -> int:
        return hash((self.tiles, self.ways))


class Block(NamedTuple):
    """All hands with a part of each of four groups: bamboo, characters, dots, honors."""

    groups: tuple[Group, Group, Group, Group]

    def __len__(self) -> int:
        return prod(len(group.parts) for group in self.groups)

    def hand(self, number: int) -> tuple[Counts, ...]:
        """Hand ``number`` (from 0) of the block; the honors change first."""
        parts = []
        for group in reversed(self.groups):
            number, which = divmod(number, len(group.parts))
            parts.append(group.parts[which])
        return tuple(reversed(parts))


@cache
def suit_groups(kongs: int) -> tuple[Group, ...]:
    """The parts of a suit with at most so many kongs; no tiles at all are one."""
    return _groups(RANKS, [0x111 << 4 * rank for rank in range(RANKS - 2)], kongs)


@cache
def honor_groups(kongs: int) -> tuple[Group, ...]:
    """The parts of honors with at most so many kongs; no tiles at all are one."""
    return _groups(HONORS, [], kongs)


def groups_for(kongs: int) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Suits and honors for hands with so many kongs; there is one list for all that have any."""
    most = MOST_KONGS if kongs else 0
    return suit_groups(most), honor_groups(most)


@cache
def blocks(kongs: int) -> tuple[Block, ...]:
    """All hands of 14 tiles and one more for each of ``kongs`` kongs; no hand is in two blocks."""
    suits, honors = groups_for(kongs)
    return tuple(
        Block((b, c, d, h))
        for b, c, d in product(suits, repeat=3)
        if b.tiles + c.tiles + d.tiles <= 14 + kongs
        for h in honors
        if h.tiles + b.tiles + c.tiles + d.tiles == 14 + kongs and _wins((b, c, d, h))
    )


@cache
def blocks_of_classes(kongs: int) -> tuple[Block, ...]:
    """The blocks whose suits stand in order: one for each way to name the suits."""
    place = {group: number for number, group in enumerate(groups_for(kongs)[0])}
    return tuple(
        block
        for block in blocks(kongs)
        if place[block.groups[0]] <= place[block.groups[1]] <= place[block.groups[2]]
    )


def number_of_hands(kongs: int) -> int:
    """How many winning hands there are, thirteen orphans left out."""
    return sum(map(len, blocks(kongs)))


def hands(kongs: int, step: int = 1) -> Iterator[tuple[Counts, ...]]:
    """Every ``step``-th winning hand, beginning with the first."""
    at = 0
    for block in blocks(kongs):
        for number in range(-at % step, len(block), step):
            yield block.hand(number)
        at += len(block)


def thirteen_orphans() -> list[tuple[Counts, ...]]:
    """The 13 hands that win without sets."""
    all_hands = []
    for twice in range(13):
        kinds = [1 + (kind == twice) for kind in range(13)]
        ends = [(kinds[i], *[0] * 7, kinds[i + 1]) for i in (0, 2, 4)]
        all_hands.append((*ends, tuple(kinds[6:])))
    return all_hands


def positions(honors: Counts) -> list[tuple[str, str]]:
    """For each of the 16 positions the one that stands for it: those that are left can matter.

    The rules look at winds in two places: the points of a pair, and the doubles of a pung or kong. Both
    ask of a set that the hand has whether its tile is the own wind, and whether it is the prevailing
    one. So all winds that the hand does not hold are the same to it, and the first of them stands for
    all; whether own and prevailing wind are equal matters only for a wind that it holds.
    """
    seen = {wind: wind if copies else "" for wind, copies in zip(WINDS, honors, strict=False)}
    first: dict[tuple[str, str], tuple[str, str]] = {}
    return [
        first.setdefault((seen[own], seen[prevailing]), (own, prevailing))
        for own, prevailing in POSITIONS
    ]


def position_class(honors: Counts, own: str, prevailing: str) -> tuple[object, ...]:
    """Equal for honors and winds that differ by the names of winds and dragons only.

    Own and prevailing wind may change places, too: each gives the same points and doubles.
    """
    held = dict(zip(HONOR_CODES, honors, strict=True))
    others = sorted(held[wind] for wind in WINDS if wind not in (own, prevailing))
    counting = sorted((held[own], held[prevailing]))
    dragons = sorted(held[dragon] for dragon in DRAGONS)
    return own == prevailing, *counting, *others, *dragons


def codes(hand: tuple[Counts, ...]) -> tuple[str, ...]:
    """The tiles in order, as codes."""
    bamboo, characters, dots, honors = hand
    suits = codes_of_suit(bamboo, "B") + codes_of_suit(characters, "C") + codes_of_suit(dots, "D")
    return suits + codes_of_honors(honors)


def text(hand: tuple[Counts, ...]) -> str:
    """The tiles as people type them: ``222345B 55C GGG``."""
    suits = [text_of_suit(part, suit) for part, suit in zip(hand, SUITS, strict=False)]
    return " ".join(filter(None, [*suits, "".join(codes_of_honors(hand[3]))]))


@cache
def codes_of_suit(part: Counts, suit: str) -> tuple[str, ...]:
    return tuple(f"{rank}{suit}" for rank, n in enumerate(part, 1) for _copy in range(n))


@cache
def codes_of_honors(part: Counts) -> tuple[str, ...]:
    kinds = zip(HONOR_CODES, part, strict=True)
    return tuple(code for code, copies in kinds for _copy in range(copies))


@cache
def text_of_suit(part: Counts, suit: str) -> str:
    """``223B``; nothing for no tiles."""
    ranks = "".join(str(rank) * copies for rank, copies in enumerate(part, 1))
    return ranks and ranks + suit


def _wins(groups: tuple[Group, ...]) -> bool:
    """Whether one way of each comes to five sets with one pair. A part has one way, or a few."""
    ways = product(*[group.ways for group in groups])
    return any(tuple(map(sum, zip(*chosen, strict=True))) == (5, 1) for chosen in ways)


def _groups(kinds: int, runs: list[int], kongs: int) -> tuple[Group, ...]:
    """Lay up to five sets together, in every way, and sort what comes by what it is.

    Tiles are one number here, four bits for the copies of each kind, the first kind's the lowest.
    """
    sets = [(copies << 4 * kind, copies) for kind in range(kinds) for copies in (2, 3, 4)]
    sets += [(run, 3) for run in runs]
    too_many = sum(8 << 4 * kind for kind in range(kinds))
    three_more = sum(3 << 4 * kind for kind in range(kinds))  # a fifth copy makes eight of it
    laid = {(0, 0, 0)}  # tiles, how many they are, pairs
    ways: dict[tuple[int, int], set[Way]] = {}
    for number in range(6):
        for part, size, pairs in laid:
            if number - pairs < 5:
                ways.setdefault((size, part), set()).add((number, pairs))
        laid = {
            (more, size + its_size, pairs + (its_size == 2))
            for part, size, pairs in laid
            for its, its_size in sets
            if not pairs or its_size > 2
            if not (more := part + its) + three_more & too_many
            if size + its_size <= 3 * (number + 1) - (pairs or its_size == 2) + kongs
        }
    grouped: dict[tuple[int, tuple[Way, ...]], list[Counts]] = {}
    for (size, part), its_ways in ways.items():
        counts = tuple(part >> 4 * kind & 7 for kind in range(kinds))
        grouped.setdefault((size, tuple(sorted(its_ways))), []).append(counts)
    return tuple(
        Group(size, frozenset(its_ways), tuple(sorted(parts)))
        for (size, its_ways), parts in sorted(grouped.items())
    )


def arrangements(suits: tuple[Counts, ...]) -> list[tuple[Counts, ...]]:
    """The parts of three suits in every order that differs."""
    a, b, c = suits
    return sorted({(a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)})


def in_order(block: Block, number: int) -> tuple[Counts, ...] | None:
    """Combination ``number`` of the three suits of a block; None if another order of them is meant."""
    groups = block.groups[:3]
    suits, places = [], []
    for group in reversed(groups):
        number, which = divmod(number, len(group.parts))
        suits.append(group.parts[which])
        places.append(which)
    for near in (0, 1):
        if groups[2 - near] is groups[1 - near] and places[near] < places[near + 1]:
            return None
    return tuple(reversed(suits))
