"""The words that rule books may use: of a tile, of a set, of the whole hand, and of sets together.

This is also what the workshop offers while somebody types, so each word says what it means.
"""

from collections.abc import Callable
from typing import NamedTuple

from scoring.evaluator.tiles import TILES, TerminalSuitTile

GREEN = frozenset(tile.index for tile in TILES if tile.code in ("2B", "3B", "4B", "6B", "8B", "G"))
TERMINAL = frozenset(tile.index for tile in TILES if isinstance(tile, TerminalSuitTile))
SIMPLE = frozenset(tile.index for tile in TILES if tile.simple())
EAST_INDEX, RED_INDEX = 27, 31


class TileFact(NamedTuple):
    """A ``tile`` by its index (0 to 33), under the winds (0 to 3) of its player and of the round."""

    tile: int
    seat: int
    prevailing: int


class Group(NamedTuple):
    """Tiles that belong together, by their indexes in order.

    ``kind``: single, pair, chow, pung, kong, knitted (one rank in three suits), knitted_pair (in
    two) or knitted_run (1 4 7, 2 5 8 or 3 6 9 of a suit). ``claimed``: the fourth tile of a concealed pung was claimed. ``last``: the winning tile
    completed it.
    """

    kind: str
    tiles: tuple[int, ...]
    concealed: bool = True
    claimed: bool = False
    last: bool = False


SET_KINDS = frozenset(("pair", "chow", "pung", "kong"))


class SetFact(NamedTuple):
    """A set under the winds (0 to 3) of its player and of the round."""

    group: Group
    seat: int
    prevailing: int


class Word(NamedTuple):
    """What a word is asked by, and what it means."""

    ask: Callable[..., int]
    meaning: str


def _tile(meaning: str, ask: Callable[[int], int]) -> Word:
    return Word(lambda fact: ask(fact.tile), meaning)


def _suit(number: int) -> Callable[[int], bool]:
    return lambda index: index // 9 == number


def _is(index: int) -> Callable[[int], bool]:
    return lambda other: other == index


def _one(name: str) -> str:
    """An ``name``, or a ``name``."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def rank_of(index: int) -> int:
    """1 to 9; 0 for honors.

    >>> rank_of(8), rank_of(9), rank_of(27)
    (9, 1, 0)
    """
    return index % 9 + 1 if index < EAST_INDEX else 0


_HONORS = ("east", "south", "west", "north", "red", "green_dragon", "white")

TILE_WORDS: dict[str, Word] = {
    "simple": _tile("a 2 to 8 of a suit", lambda index: index in SIMPLE),
    "terminal": _tile("a 1 or a 9", lambda index: index in TERMINAL),
    "honor": _tile("a wind or a dragon", lambda index: index >= EAST_INDEX),
    "wind": _tile("a wind", lambda index: EAST_INDEX <= index < RED_INDEX),
    "dragon": _tile("a dragon", lambda index: index >= RED_INDEX),
    "suited": _tile("a tile of a suit", lambda index: index < EAST_INDEX),
    "bamboo": _tile("bamboo", _suit(0)),
    "characters": _tile("characters", _suit(1)),
    "dots": _tile("dots", _suit(2)),
    "green": _tile("2, 3, 4, 6 or 8 of bamboo, or a green dragon", lambda index: index in GREEN),
    "rank": _tile("its number, 1 to 9; 0 for honors", rank_of),
    "own_wind": Word(
        lambda fact: fact.tile == EAST_INDEX + fact.seat, "the wind of the player's seat"
    ),
    "round_wind": Word(
        lambda fact: fact.tile == EAST_INDEX + fact.prevailing, "the wind of the round"
    ),
    **{
        name: _tile(_one(TILES[EAST_INDEX + place].name.lower()), _is(EAST_INDEX + place))
        for place, name in enumerate(_HONORS)
    },
}


def _of_all(word: Word) -> Callable[[SetFact], bool]:
    """Whether each tile of a set is such."""
    return lambda fact: all(
        word.ask(TileFact(index, fact.seat, fact.prevailing)) for index in fact.group.tiles
    )


def _kind(*kinds: str) -> Callable[[SetFact], bool]:
    return lambda fact: fact.group.kind in kinds


SET_WORDS: dict[str, Word] = {
    "single": Word(_kind("single"), "a tile by itself"),
    "pair": Word(_kind("pair"), "two alike"),
    "chow": Word(_kind("chow"), "three in a row of one suit"),
    "pung": Word(_kind("pung"), "three alike"),
    "kong": Word(_kind("kong"), "four alike"),
    "triplet": Word(_kind("pung", "kong"), "three or four alike"),
    "knitted": Word(_kind("knitted"), "one rank in each of three suits"),
    "knitted_pair": Word(_kind("knitted_pair"), "one rank in two suits"),
    "knitted_run": Word(_kind("knitted_run"), "1 4 7, 2 5 8 or 3 6 9 of a suit"),
    "open": Word(lambda fact: not fact.group.concealed, "it lies open on the table"),
    "concealed": Word(lambda fact: fact.group.concealed, "nothing of it was claimed"),
    "claimed_kong": Word(
        lambda fact: fact.group.claimed,
        "a kong whose fourth tile was claimed to a concealed pung",
    ),
    "hidden": Word(
        lambda fact: fact.group.concealed or fact.group.claimed, "concealed, or a claimed kong"
    ),
    "last": Word(lambda fact: fact.group.last, "the winning tile completed it"),
    "outside": Word(
        lambda fact: any(index not in SIMPLE for index in fact.group.tiles),
        "it has a terminal or an honor",
    ),
    **{
        name: Word(_of_all(word), f"each tile: {word.meaning}") for name, word in TILE_WORDS.items()
    },
    "rank": Word(lambda fact: rank_of(fact.group.tiles[0]), "its lowest number; 0 for honors"),
}
TILE_FACTS = {name: word.ask for name, word in TILE_WORDS.items()}
SET_FACTS = {name: word.ask for name, word in SET_WORDS.items()}

# How a hand was won: exactly one of these. What is drawn, and what an opponent gave.
WON_BY = {
    "self_drawn": "the winner drew the last tile",
    "discard": "the last tile was claimed from a discard",
    "last_tile": "self-drawn, the last tile of the wall",
    "last_discard": "on the discard after the last tile of the wall",
    "replacement": "self-drawn after a kong",
    "kong_on_kong": "self-drawn after a kong that was made with the replacement of a kong",
    "robbing_kong": "on the tile with which somebody added to a pung",
    "heaven": "the dealer is dealt a win",
    "earth_discard": "not the dealer, on the dealer’s first discard",
    "earth_draw": "not the dealer, by the own first draw",
}
DRAWN = frozenset(
    ("self_drawn", "last_tile", "replacement", "kong_on_kong", "heaven", "earth_draw")
)

# What the table says of a hand besides.
FLAGS = {
    "original_call": "the player called for the last tile from the first draw on",
    "calling_declared": "the player said to be calling",
    "last_of_kind": "the other three of the winning tile are seen on the table",
    "only_place": "no other tile would have won",
    "nine_wins": "the dealer has won nine times in a row",
    "thirteen_wins": "the dealer has won thirteen times in a row",
    "goulash": "a hand after a draw, played without chows",
    "jokerless": "the hand has no joker",
    "riichi": "the player declared to be calling, and staked a stick",
    "double_riichi": "the same, at the first turn",
    "ippatsu": "won within a turn of that",
}
# Who can have won in such a way: only who deals, or only who does not.
BY_DEALER = frozenset(("heaven", "nine_wins", "thirteen_wins"))
BY_OTHERS = frozenset(("earth_discard", "earth_draw"))
# With these the player staked a stick.
STAKED = ("riichi", "double_riichi")

# What lies beside the hand.
BESIDE = {"dora_indicators": "tiles of the dead wall: each of the kind that follows counts extra"}

HAND_FACTS: dict[str, str] = {
    "won": "the hand wins",
    "whole": "all tiles of the hand are told: thirteen, a kong taken as three, or a win",
    "drawn": "the winner drew the last tile, in whatever way",
    "dealer": "the player deals",
    "double_wind": "the player's wind is also that of the round",
    "flowers": "how many flowers the player has",
    "seasons": "how many seasons the player has",
    "own_flower": "the player has the flower of the seat",
    "own_season": "the player has the season of the seat",
    **{f"won_by_{name}": meaning for name, meaning in WON_BY.items()},
    **FLAGS,
}

# The facts of bonus tiles: 0 in books that do not play them.
OF_BONUS_TILES = ("flowers", "seasons", "own_flower", "own_season")

# Shorter names for what the words above say.
NAMED: dict[str, str] = {
    "chows": "count(chow)",
    "triplets": "count(triplet)",
    "pungs": "count(pung)",
    "kongs": "count(kong)",
    "pairs": "count(pair)",
    "open_sets": "count(open)",
    "concealed_hand": "count(open) == 0",
    "claimed_nothing": "count(open and not last) == 0",
    "concealed_triplets": "count(triplet and concealed)",
    "honors": "tiles(honor)",
    "simples": "tiles(simple)",
    "terminals": "tiles(terminal)",
    "suits": "(tiles(bamboo) > 0) + (tiles(characters) > 0) + (tiles(dots) > 0)",
    "dragon_triplets": "count(triplet and dragon)",
    "dragon_pairs": "count(pair and dragon)",
    "wind_triplets": "count(triplet and wind)",
    "wind_pairs": "count(pair and wind)",
    "lucky": "count(triplet and (dragon or own_wind)) + count(triplet and round_wind)",
    "worthless": "chows == 4 and count(pair and (dragon or own_wind or round_wind)) == 0",
    "bonus": "flowers + seasons",
}

SHAPES: dict[str, str] = {
    "straights": "suits with chows 123, 456 and 789",
    "same_chows": "the most chows that are alike, of one suit and rank",
    "twin_chows": "how many times two chows are alike",
    "similar_chows": "ranks at which each suit has a chow",
    "similar_triplets": "ranks at which each suit has a pung or kong",
    "similar_triplets_with_pair": "ranks with pungs or kongs in two suits and the pair in the third",
    "triplets_in_a_row": "the most pungs or kongs in a row in one suit",
    "gates": "1112345678999 of one suit, and any tile of it",
    "gates_called": "nine gates, and the last tile is the one too many",
    "sequence_wait": "the last tile made a chow at its open end",
    "different_pairs": "how many pairs of different tiles there are",
}
