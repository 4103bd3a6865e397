"""Random hands for the comparison with the reference: one seed, one hand, always the same.

Most are built from sets, so that they win and reach every double and limit; the others are one tile
off, or drawn blindly.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random

from tests.evaluator.reference import (
    DRAGONS,
    GREEN,
    HONORS,
    SUITS,
    TERMINALS,
    TILES,
    WINDS,
    Hand,
    House,
    Meld,
    chow_from,
    is_simple,
)

Tiles = tuple[str, ...]
Pool = Callable[[Tiles], bool]

SETS: dict[str, list[Tiles]] = {
    "chow": [tuple(chow_from(tile)) for tile in TILES if chow_from(tile)],
    "pung": [(tile,) * 3 for tile in TILES],
    "kong": [(tile,) * 4 for tile in TILES],
}
WEIGHTS = [{"chow": 5, "pung": 4, "kong": 2}] * 3 + [{"chow": 2, "pung": 1, "kong": 5}]
PAIRS: list[Tiles] = [(tile,) * 2 for tile in TILES]
CLUB, BOOK = House(), House(interpretation="first", consistency="listed")


@dataclass(frozen=True)
class Case:
    """A hand under a house's options, and how it is typed.

    "among": a list of all its tiles, the melds named besides; "apart": the melds stand beside the
    other tiles; "starred": one text, the open melds marked in it (if all are open).
    """

    hand: Hand
    house: House
    spelling: str

    @property
    def typed_tiles(self) -> list[str] | str:
        """What stands in the field for tiles."""
        if self.spelling == "among":
            return list(self.hand.tiles)
        loose = loose_tiles(self.hand.tiles, self.hand.melds)
        if self.spelling == "apart":
            return loose
        return " ".join([*("".join(meld.tiles) + "*" for meld in self.hand.melds), *loose])

    @property
    def typed_melds(self) -> list[dict] | None:
        """What stands in the field for melds."""
        if self.spelling == "starred":
            return None
        return [
            {"tiles": list(meld.tiles), "concealed": meld.concealed} for meld in self.hand.melds
        ]


def random_case(seed: int) -> Case:
    rng = Random(seed)
    hand = random_hand(rng)
    all_open = not any(meld.concealed for meld in hand.melds)
    spelling = rng.choice(["among", "apart", "starred" if all_open else "among"])
    if not is_unambiguous(hand):
        spelling = "among"
    house = random_house(rng)
    return Case(replace(hand, self_drawn=rng.random() < 0.5), house, spelling)


def is_unambiguous(hand: Hand) -> bool:
    """Whether what lies beside the melds is not taken for a whole hand.

    Fourteen tiles are one by themselves, unless there are kongs enough for them and the melds.
    """
    loose = loose_tiles(hand.tiles, hand.melds)
    counted = [loose.count(kind) for kind in set(loose)] + [len(meld.tiles) for meld in hand.melds]
    return len(loose) < 14 or counted.count(4) >= len(hand.tiles) - 14


def random_house(rng: Random) -> House:
    """Club, Book, or any mixture of the house options."""
    named = rng.choice([CLUB, BOOK, None])
    if named:
        return named
    variants = ["same_rank_chows", "same_rank_pungs"]
    return House(
        limit=rng.choice([20, 100, 235, 500, 1000, 100_000]),
        rounding=rng.choice([10, 1]),
        interpretation=rng.choice(["best", "first"]),
        consistency=rng.choice(["highest", "listed"]),
        straights=frozenset(rng.sample(variants, rng.randint(0, 2))),
        dealer_doubles=rng.random() < 0.7,
        dealer_stays_on_win=rng.random() < 0.7,
        dealer_stays_on_draw=rng.random() < 0.7,
        discarder=rng.choice(["equal", "double", "pays_for_all", "others_half", "split"]),
        all_green=rng.random() < 0.5,
    )


def random_hand(rng: Random) -> Hand:
    kind = rng.random()
    if kind < 0.1:
        return seated(rng, drawn_blindly(rng))
    if kind < 0.13:
        tiles = special(rng)
        return seated(rng, exchanged(rng, tiles, tiles) if rng.random() < 0.4 else tiles)
    groups = built(rng)
    tiles = [tile for group in groups for tile in group]
    melds = declared(rng, groups, tiles)
    if rng.random() < 0.25:
        tiles = exchanged(rng, tiles, loose_tiles(tiles, melds))
    return seated(rng, tiles, melds)


def seated(rng: Random, tiles: list[str], melds: tuple[Meld, ...] = ()) -> Hand:
    """Shuffle the tiles; sit down anywhere in any round; say or do not say that it is concealed."""
    closed = all(meld.concealed for meld in melds)
    concealed = rng.choice([None, None, False, True]) if closed else rng.choice([None, False])
    shuffled = tuple(rng.sample(tiles, len(tiles)))
    return Hand(shuffled, rng.choice(WINDS), rng.choice(WINDS), melds, concealed)


def built(rng: Random) -> list[Tiles]:
    """Four sets and a pair from one of the pools, never five alike."""
    pool = rng.choice(POOLS)(rng)
    sets = {kind: [one for one in every if pool(one)] for kind, every in SETS.items()}
    weights = rng.choice(WEIGHTS)
    kinds = [kind for kind in sets for _ in range(weights[kind]) if sets[kind]]
    pairs = [pair for pair in PAIRS if pool(pair)]
    while True:
        groups = begun(rng)
        while len(groups) < 4:
            groups.append(rng.choice(sets[rng.choice(kinds)]))
        groups.append(rng.choice(pairs))
        tiles = [tile for group in groups for tile in group]
        if all(tiles.count(tile) <= 4 for tile in tiles):
            return groups


def begun(rng: Random) -> list[Tiles]:
    """Mostly nothing; else the sets of a straight, of a variant of it, or threes in a row."""
    kind = rng.random()
    rank, suit = rng.randint(1, 7), rng.choice(SUITS)
    if kind < 0.06:
        return [tuple(chow_from(f"{first}{suit}")) for first in (1, 4, 7)]
    if kind < 0.1:
        return [tuple(chow_from(f"{rank}{any_suit}")) for any_suit in SUITS]
    if kind < 0.14:
        return [(f"{rank}{any_suit}",) * rng.choice([3, 3, 4]) for any_suit in SUITS]
    if kind < 0.2:
        return [(f"{rank + step}{suit}",) * 3 for step in range(3)]
    return []


def any_tiles(rng: Random) -> Pool:
    return lambda group: True


def one_suit(rng: Random) -> Pool:
    suit = rng.choice(SUITS)
    return lambda group: group[0][1:] == suit


def one_suit_with_honors(rng: Random) -> Pool:
    suit = rng.choice(SUITS)
    return lambda group: group[0] in HONORS or group[0][1:] == suit


def narrow(rng: Random) -> Pool:
    """A few neighbouring ranks: hands that can be read in many ways."""
    suit, low, honor = rng.choice(SUITS), rng.randint(1, 5), rng.choice(HONORS)
    near = [f"{rank}{suit}" for rank in range(low, low + 5)]
    return lambda group: set(group) <= {*near, honor}


def simples(rng: Random) -> Pool:
    return lambda group: all(is_simple(tile) for tile in group)


def outside(rng: Random) -> Pool:
    return lambda group: not all(is_simple(tile) for tile in group)


def honors(rng: Random) -> Pool:
    return lambda group: group[0] in HONORS


def terminals(rng: Random) -> Pool:
    return lambda group: set(group) <= set(TERMINALS)


def terminals_and_honors(rng: Random) -> Pool:
    return lambda group: set(group) <= set(TERMINALS + HONORS)


def winds(rng: Random) -> Pool:
    other = rng.choice(TILES)
    return lambda group: group[0] in WINDS or other in group


def four_winds(rng: Random) -> Pool:
    return lambda group: group[0] in WINDS or len(group) == 2


def green(rng: Random) -> Pool:
    return lambda group: set(group) <= set(GREEN)


def dragons(rng: Random) -> Pool:
    """Dragons and chows: more than one suit, or Little Three Dragons would seldom count."""
    return lambda group: group[0] in DRAGONS or len(set(group)) == 3


POOLS: list[Callable[[Random], Pool]] = [
    any_tiles,
    any_tiles,
    any_tiles,
    one_suit,
    one_suit_with_honors,
    narrow,
    narrow,
    narrow,
    simples,
    outside,
    honors,
    terminals,
    terminals_and_honors,
    winds,
    four_winds,
    dragons,
    green,
]


def declared(rng: Random, groups: list[Tiles], tiles: list[str]) -> tuple[Meld, ...]:
    """Melds of a built hand: some of its own sets, or sets that cut across them."""
    kind = rng.random()
    if kind < 0.4:
        return ()
    if kind < 0.7:
        chosen = rng.sample(groups[:4], rng.randint(1, 4))
        return tuple(Meld(group, rng.random() < 0.3) for group in chosen)
    left = list(tiles)
    melds = []
    for group in rng.sample([one for kind in SETS.values() for one in kind], 89):
        if len(melds) < 2 and all(left.count(tile) >= group.count(tile) for tile in group):
            melds.append(Meld(group, rng.random() < 0.3))
            for tile in group:
                left.remove(tile)
    return tuple(melds)


def loose_tiles(tiles: Iterable[str], melds: Iterable[Meld]) -> list[str]:
    """The tiles that lie in no meld."""
    loose = list(tiles)
    for meld in melds:
        for tile in meld.tiles:
            loose.remove(tile)
    return loose


def special(rng: Random) -> list[str]:
    """Thirteen orphans or nine gates."""
    if rng.random() < 0.5:
        return [*TERMINALS, *HONORS, rng.choice(TERMINALS + HONORS)]
    suit = rng.choice(SUITS)
    return [f"{rank}{suit}" for rank in "1112345678999" + rng.choice("123456789")]


def drawn_blindly(rng: Random) -> list[str]:
    """14 to 18 tiles of the wall, or of one suit of it."""
    suit = rng.choice(["", *SUITS])
    kinds = [tile for tile in TILES if tile.endswith(suit) or not suit]
    return rng.sample(kinds * 4, rng.choice([14, 14, 14, 15, 16, 17, 18]))


def exchanged(rng: Random, tiles: list[str], loose: list[str]) -> list[str]:
    """The hand with one of its loose tiles given for another."""
    out = rng.choice(loose)
    rest = list(tiles)
    rest.remove(out)
    near = [tile for tile in TILES if tile != out and rest.count(tile) < 4]
    return [*rest, rng.choice(near)]
