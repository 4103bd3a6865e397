"""Random hands as they are typed: winning ones of four sets and a pair, and some a tile short."""

from dataclasses import dataclass
from random import Random

from scoring.evaluator.hand import Hand
from scoring.evaluator.tiles import TILES, WINDS, Tile


@dataclass(frozen=True)
class Typed:
    """A concealed hand of 14 tiles, as text, with the winner's and the prevailing wind."""

    tiles: tuple[Tile, ...]
    text: str
    seat: str
    prevailing: str

    def hand(self) -> Hand:
        return Hand.from_notation(self.text, self.seat, self.prevailing)


def winning(count: int, rng: Random) -> list[Typed]:
    """``count`` different winning hands: half of them mixed, a quarter flushes, a quarter one suit.

    Neighbouring ranks are drawn often, so that many can be read in several ways.
    """
    hands: dict[tuple[Tile, ...], Typed] = {}
    while len(hands) < count:
        tiles = _built(rng, suits=rng.choice([(0, 1, 2, 3), (0, 1, 2, 3), (0, 3), (1,)]))
        if tiles:
            hands.setdefault(tiles, typed(tiles, rng))
    return list(hands.values())


def short_by_one(count: int, rng: Random) -> list[Typed]:
    """``count`` different hands that do not win; one exchange of a tile would make each win."""
    hands: dict[tuple[Tile, ...], Typed] = {}
    while len(hands) < count:
        (near,) = winning(1, rng)
        tiles = list(near.tiles)
        tiles[rng.randrange(14)] = rng.choice(TILES)
        tiles.sort()
        if max(map(tiles.count, tiles)) <= 4:
            hand = typed(tuple(tiles), rng)
            if not hand.hand().mahjongg():
                hands.setdefault(hand.tiles, hand)
    return list(hands.values())


def typed(tiles: tuple[Tile, ...], rng: Random) -> Typed:
    """``tiles`` with winds, in the spelling people use: ``222345B 55B 222D GGG``."""
    words = []
    for suit in "BCD":
        ranks = "".join(tile.code[0] for tile in tiles if tile.code[1:] == suit)
        words += [ranks + suit] if ranks else []
    words += ["".join(tile.code for tile in tiles if tile.index >= 27)]
    seat, prevailing = rng.choice(WINDS), rng.choice(WINDS)
    return Typed(tiles, " ".join(filter(None, words)), seat.value, prevailing.value)


def _built(rng: Random, suits: tuple[int, ...]) -> tuple[Tile, ...]:
    """Four pungs or chows and a pair of the suits (3: honors); empty if a wall has not as many."""
    held: list[int] = []
    for _set in range(4):
        suit = rng.choice(suits)
        if suit == 3:
            held += [27 + rng.randrange(7)] * 3
        elif rng.random() < 0.4:
            held += [9 * suit + rng.randrange(9)] * 3
        else:
            first = 9 * suit + rng.randrange(7)
            held += [first, first + 1, first + 2]
    suit = rng.choice(suits)
    held += [27 + rng.randrange(7) if suit == 3 else 9 * suit + rng.randrange(9)] * 2
    if max(map(held.count, held)) > 4:
        return ()
    return tuple(TILES[index] for index in sorted(held))
