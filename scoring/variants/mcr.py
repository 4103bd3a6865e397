"""MCR by PyMahjongGB, the library of Peking University (MIT)."""

import MahjongGB

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.counting import BookVerdict, Line, count
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.possible import melded
from scoring.evaluator.books.vocabulary import DRAWN, Group
from scoring.evaluator.counts import ONE, tiles_of

from .lines import pattern_of

# Bamboo, characters, dots, winds, and red, green, white: the library's names in the order of ours.
CODES = tuple(
    f"{letter}{number}"
    for letter, most in (("T", 9), ("W", 9), ("B", 9), ("F", 4), ("J", 3))
    for number in range(1, most + 1)
)
KINDS = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}
ABOUT_KONG = ("replacement", "robbing_kong")
WALL_LAST = ("last_tile", "last_discard")
# What the library says of a hand that it read, and that is none.
NOT_WINNING = "ERROR_NOT_WIN"


def verdict(book: Book, hand: PlayerHand) -> BookVerdict | None:
    """What the library says of a checked hand; None if it does not win."""
    seat, prevailing = hand.winds
    standing = tiles_of(hand.counts - ONE[hand.last])
    try:
        fans = MahjongGB.MahjongFanCalculator(
            pack=tuple(map(_pack, hand.melds)),
            hand=tuple(CODES[tile.index] for tile in standing),
            winTile=CODES[hand.last],
            flowerCount=len(hand.bonus),
            isSelfDrawn=hand.won_by in DRAWN,
            is4thTile="last_of_kind" in hand.flags,
            isAboutKong=hand.won_by in ABOUT_KONG,
            isWallLast=hand.won_by in WALL_LAST,
            seatWind=seat,
            prevalentWind=prevailing,
            verbose=True,
        )
    except TypeError as error:
        if str(error) != NOT_WINNING:
            raise
        return None
    return count(book.counting, [_line(book, *one) for one in fans])


def _pack(meld: Group) -> tuple[str, str, int]:
    """A declared set: a chow by its middle tile; 0 if nobody offered a tile, else who did."""
    tile = meld.tiles[0] if meld.kind != "chow" else sorted(meld.tiles)[1]
    return KINDS[meld.kind], CODES[tile], int(melded(meld))


def _line(book: Book, value: int, times: int, _chinese: str, name: str) -> Line:
    pattern = pattern_of(book, name.lower().replace(" ", "_").replace("-", "_"), name)
    return Line(pattern, times, times * value)
