"""A second scorer, slow and obvious, written from docs/rules.md alone.

The evaluator is compared with it on random hands. It shares no code with `scoring.evaluator`: tiles
are plain codes ("2B", "E", "Wh"), every reading of a hand is found by trying, nothing is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

SUITS = "BCD"
WINDS = ["E", "S", "W", "N"]
DRAGONS = ["R", "G", "Wh"]
HONORS = WINDS + DRAGONS
TILES = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + HONORS
GREEN = ["2B", "3B", "4B", "6B", "8B", "G"]
TERMINALS = [f"{rank}{suit}" for suit in SUITS for rank in (1, 9)]
KINDS = ["kong", "pung", "chow", "pair"]  # the order in which the seeds try them

LISTED_CONSISTENCY = [
    "all_simples",
    "no_simples",
    "terminal_or_honor_in_each",
    "one_suit_with_honors",
    "one_suit",
    "little_three_dragons",
]


class Group(NamedTuple):
    """A set of tiles: "pung", ("2B", "2B", "2B"), lying open or not."""

    kind: str
    tiles: tuple[str, ...]
    concealed: bool = True


class Meld(NamedTuple):
    """A declared set: it is not rearranged."""

    tiles: tuple[str, ...]
    concealed: bool


@dataclass(frozen=True)
class House:
    """The house options of docs/rules.md."""

    limit: int = 500
    rounding: int = 10
    interpretation: str = "best"
    consistency: str = "highest"
    straights: frozenset[str] = frozenset()
    dealer_doubles: bool = True
    dealer_stays_on_win: bool = True
    dealer_stays_on_draw: bool = True
    discarder: str = "equal"
    all_green: bool = False


@dataclass(frozen=True)
class Hand:
    """A whole hand, the tiles of its melds included. `concealed` None: nobody said.

    `self_drawn` is for a rule that asks; none does yet.
    """

    tiles: tuple[str, ...]
    seat: str
    prevailing: str
    melds: tuple[Meld, ...] = ()
    concealed: bool | None = None
    self_drawn: bool = False

    @property
    def is_concealed(self) -> bool:
        if self.concealed is None:
            return all(meld.concealed for meld in self.melds)
        return self.concealed


@dataclass(frozen=True)
class Interpretation:
    groups: tuple[Group, ...]
    points: int
    doubles: dict[str, int]
    total: int
    final: int


@dataclass(frozen=True)
class Card:
    """`chosen` is None for thirteen orphans, which has no sets."""

    winning: bool
    final: int | None = None
    limits: tuple[str, ...] = ()
    chosen: Interpretation | None = None
    interpretations: tuple[Interpretation, ...] = ()


def has_its_number(hand: Hand) -> bool:
    """Whether there are 14 tiles and one more for each kong that was, and that still can be, declared."""
    kongs = [len(meld.tiles) == 4 for meld in hand.melds]
    return 14 + kongs.count(True) <= len(hand.tiles) <= 18 - kongs.count(False)


def score(hand: Hand, house: House) -> Card:
    """Score a hand as docs/rules.md says, every interpretation of it."""
    if is_thirteen_orphans(hand):
        return Card(True, house.limit, ("thirteen_orphans",))
    return card(decompositions(hand), hand, house)


def card(ways: list[tuple[Group, ...]], hand: Hand, house: House) -> Card:
    """The card of a hand that can be seen in these ways."""
    interpretations = [scored(groups, hand, house) for groups in ways]
    if not interpretations:
        return Card(False)
    if house.interpretation == "best":
        # max() keeps the first of equals: the seeds' order breaks the last tie.
        chosen = max(interpretations, key=lambda one: (one.final, one.total, one.points))
    else:
        chosen = interpretations[0]
    return Card(True, chosen.final, limits(chosen.groups, hand), chosen, tuple(interpretations))


def scored(groups: tuple[Group, ...], hand: Hand, house: House) -> Interpretation:
    points = 20 + sum(points_of(group, hand) for group in groups)
    doubles = doubles_of(groups, hand, house)
    total = points * 2 ** sum(doubles.values())
    rounded = half_up(Fraction(total, house.rounding)) * house.rounding
    final = house.limit if limits(groups, hand) else min(rounded, house.limit)
    return Interpretation(groups, points, doubles, total, final)


# --- the sets of a hand ---------------------------------------------------------------------------


def decompositions(hand: Hand) -> list[tuple[Group, ...]]:
    """Every way to see five sets with one pair, in the seeds' order, no way twice."""
    declared = [Group(kind_of(meld.tiles), meld.tiles, meld.concealed) for meld in hand.melds]
    loose = list(hand.tiles)
    for group in declared:
        for tile in group.tiles:
            loose.remove(tile)
    all_ways = []
    for groups in splits(sorted(loose, key=TILES.index)):
        every = tuple(sorted(declared + groups, key=seeds_order))
        kinds = [group.kind for group in every]
        if len(every) == 5 and kinds.count("pair") == 1 and every not in all_ways:
            all_ways.append(every)
    return all_ways


def splits(tiles: list[str]) -> Iterator[list[Group]]:
    """Split sorted tiles wholly into sets: the lowest tile goes into every set it can belong to."""
    if not tiles:
        yield []
        return
    lowest = tiles[0]
    for kind, wanted in [
        ("kong", [lowest] * 4),
        ("pung", [lowest] * 3),
        ("chow", chow_from(lowest)),
        ("pair", [lowest] * 2),
    ]:
        if wanted and all(tiles.count(tile) >= wanted.count(tile) for tile in wanted):
            rest = list(tiles)
            for tile in wanted:
                rest.remove(tile)
            for others in splits(rest):
                yield [Group(kind, tuple(wanted)), *others]


def chow_from(tile: str) -> list[str]:
    """The chow that begins with a tile; none begins with an honor, an 8 or a 9."""
    if tile in HONORS or tile[0] in "89":
        return []
    rank, suit = int(tile[0]), tile[1]
    return [f"{rank}{suit}", f"{rank + 1}{suit}", f"{rank + 2}{suit}"]


def kind_of(tiles: tuple[str, ...]) -> str:
    if len(set(tiles)) > 1:
        return "chow"
    return {2: "pair", 3: "pung", 4: "kong"}[len(tiles)]


def seeds_order(group: Group) -> tuple[int, int]:
    return TILES.index(group.tiles[0]), KINDS.index(group.kind)


# --- points and doubles ---------------------------------------------------------------------------


def points_of(group: Group, hand: Hand) -> int:
    tile = group.tiles[0]
    if group.kind == "chow":
        return 0
    if group.kind == "pair":
        points = 2 if tile in DRAGONS else 0
        points += 2 if tile == hand.seat else 0
        points += 2 if tile == hand.prevailing else 0
        return points
    if group.kind == "pung":
        return 4 if is_simple(tile) else 8
    return 16 if is_simple(tile) else 32


def doubles_of(groups: tuple[Group, ...], hand: Hand, house: House) -> dict[str, int]:
    """The doubles that a hand earns, by the id of the rule."""
    doubles = {
        "lucky_sets": lucky_sets(groups, hand),
        "groups": int(not any(group.kind == "chow" for group in groups)),
        "sequences": int(has_straight(groups, house)),
        "no_points": int(all(points_of(group, hand) == 0 for group in groups)),
    }
    if house.all_green and all(tile in GREEN for group in groups for tile in group.tiles):
        doubles["all_green"] = 2
    doubles |= consistency(groups, house)
    return {rule: worth for rule, worth in doubles.items() if worth}


def lucky_sets(groups: tuple[Group, ...], hand: Hand) -> int:
    doubles = 0
    for group in groups:
        tile = group.tiles[0]
        if group.kind in ("pung", "kong"):
            doubles += 1 if tile in DRAGONS else 0
            doubles += 1 if tile == hand.seat else 0
            doubles += 1 if tile == hand.prevailing else 0
    return doubles


def has_straight(groups: tuple[Group, ...], house: House) -> bool:
    chows = [group.tiles[0] for group in groups if group.kind == "chow"]
    pungs = [group.tiles[0] for group in groups if group.kind in ("pung", "kong")]
    if any(f"1{s}" in chows and f"4{s}" in chows and f"7{s}" in chows for s in SUITS):
        return True
    if "same_rank_chows" in house.straights and in_three_suits(chows):
        return True
    return "same_rank_pungs" in house.straights and in_three_suits(pungs)


def in_three_suits(first_tiles: list[str]) -> bool:
    return any(
        f"{rank}B" in first_tiles and f"{rank}C" in first_tiles and f"{rank}D" in first_tiles
        for rank in range(1, 10)
    )


def consistency(groups: tuple[Group, ...], house: House) -> dict[str, int]:
    """At most one of six: the highest, or the first in the listed order."""
    tiles = [tile for group in groups for tile in group.tiles]
    suits = {tile[1] for tile in tiles if tile not in HONORS}
    honors = any(tile in HONORS for tile in tiles)
    dragon_sets = [g.kind for g in groups if g.tiles[0] in DRAGONS]
    worth = {
        "all_simples": int(all(is_simple(tile) for tile in tiles)),
        "no_simples": int(not any(is_simple(tile) for tile in tiles)),
        "terminal_or_honor_in_each": int(
            all(any(not is_simple(tile) for tile in group.tiles) for group in groups)
        ),
        "one_suit_with_honors": int(len(suits) <= 1 and honors),
        "one_suit": 4 if len(suits) == 1 and not honors else 0,
        "little_three_dragons": int(len(dragon_sets) == 3 and "pair" in dragon_sets),
    }
    apply = [rule for rule in LISTED_CONSISTENCY if worth[rule]]
    if not apply:
        return {}
    rule = apply[0] if house.consistency == "listed" else max(apply, key=lambda one: worth[one])
    return {rule: worth[rule]}


def is_simple(tile: str) -> bool:
    return tile not in HONORS and tile not in TERMINALS


def half_up(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


# --- limit hands ----------------------------------------------------------------------------------


def limits(groups: tuple[Group, ...], hand: Hand) -> tuple[str, ...]:
    """The limit hands that a winning hand is, thirteen orphans aside."""
    threes = [group.tiles[0] for group in groups if group.kind in ("pung", "kong")]
    pair = next(group.tiles[0] for group in groups if group.kind == "pair")
    winds = [tile for tile in threes if tile in WINDS]
    dragons = [tile for tile in threes if tile in DRAGONS]
    holds = {
        "big_three_dragons": len(dragons) == 3,
        "little_four_winds": len(winds) == 3 and pair in WINDS,
        "big_four_winds": len(winds) == 4,
        "all_honors": all(tile in HONORS for tile in hand.tiles),
        "all_terminals": all(tile in TERMINALS for tile in hand.tiles),
        "nine_gates": is_nine_gates(hand),
    }
    return tuple(name for name, yes in holds.items() if yes)


def is_thirteen_orphans(hand: Hand) -> bool:
    return len(hand.tiles) == 14 and set(hand.tiles) == set(TERMINALS + HONORS)


def is_nine_gates(hand: Hand) -> bool:
    if len(hand.tiles) != 14 or not hand.is_concealed:
        return False
    for suit in SUITS:
        gates = [f"{rank}{suit}" for rank in "1112345678999"]
        for any_tile in range(1, 10):
            if sorted([*gates, f"{any_tile}{suit}"]) == sorted(hand.tiles):
                return True
    return False
