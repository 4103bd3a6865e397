"""A player's hand as a line of text, as rule books write their examples.

``222B* 345B 55B 222D GGG; last=5B; won_by=discard; seat=S; prevailing=E; bonus=F1,Y2;
flags=original_call``: first the tiles as everywhere in the club, sets on the table marked ``*`` (open) or
``#`` (a kong laid down concealed); then words, each after a semicolon. Who did not win has no
``won_by``. ``claimed_kong=2222B``: the fourth tile of that kong was claimed to a concealed pung.
``value=25``: the value of a card's line. ``dora_indicators=4B,E``: tiles of the dead wall.
"""

from collections.abc import Callable, Sequence
from typing import Any

from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError, Problem, refuse
from scoring.evaluator.tiles import Tile, wind

from .book import Book, Example, Pattern
from .compiled import Judged, compiled
from .counting import Line
from .declared import laid_out
from .hands import PlayerHand, check_hand, refuse_unknown
from .possible import check_for
from .vocabulary import Group

LONGEST = 400
Judge = Callable[[PlayerHand], list[Judged]]


def parse_player_hand(text: str) -> PlayerHand:
    """The hand that ``text`` says.

    :raises HandError: for tiles and words that nobody knows, and hands that cannot be.

    >>> hand = parse_player_hand("222B* 345B 55B 222D GGG; last=5B; won_by=discard; seat=S")
    >>> hand.melds[0].concealed, hand.last, hand.won_by, hand.seat.value
    (False, 4, 'discard', 'S')
    """
    if len(text) > LONGEST:
        raise refuse("hand", "too_long", "A hand is at most {most} characters.", most=LONGEST)
    tiles, *words = text.split(";")
    counts, melds = laid_out(tiles)
    given: dict[str, Any] = {}
    for word in words:
        key, _equals, value = (part.strip() for part in word.partition("="))
        if key not in WORDS:
            raise HandError([Problem("hand", "unknown", refuse_unknown("hand", key, WORDS))])
        name, read = WORDS[key]
        given[name] = read(value)
    if claimed := given.pop("claimed_kong", None):
        melds = _with_claimed(melds, claimed)
    hand = PlayerHand(counts, melds, **given)
    check_hand(hand)
    return hand


def lines_of(book: Book, text: str, judge: Judge | None = None) -> tuple[Line, ...]:
    """The lines that count of the hand in ``text``, in its best arrangement.

    ``judge`` finds the arrangements of a book that has a library for that.

    :raises HandError: as :func:`parse_player_hand`, and for what the book does not know.
    """
    hand = parse_player_hand(text)
    check_for(book, hand)
    engine = compiled(book)
    if not hand.won:
        return engine.loser(hand).verdict.lines
    judged = (judge or engine.judged)(hand)
    return judged[0].verdict.lines if judged else ()


def has(book: Book, pattern: Pattern, example: Example, judge: Judge | None = None) -> bool:
    """Whether the hand of ``example`` has ``pattern``, or one that says that it replaces it.

    :raises HandError: as :func:`lines_of`.
    """
    lines = lines_of(book, example.hand, judge)
    return any(line.pattern is pattern or pattern.id in line.pattern.replaces for line in lines)


def _with_claimed(melds: Sequence[Group], claimed: Sequence[Tile]) -> tuple[Group, ...]:
    kong = Group("kong", tuple(tile.index for tile in claimed), concealed=False)
    if kong not in melds:
        message = "Mark a claimed kong among the tiles, too: “2222B*; claimed_kong=2222B”."
        raise refuse("melds", "not_in_the_hand", message)
    return tuple(meld._replace(claimed=meld.claimed or meld == kong) for meld in melds)


def _one_tile(text: str) -> int:
    tiles = parse_tiles(text, "winning_tile")
    if len(tiles) != 1:
        raise refuse("winning_tile", "not_one", "The winning tile is one tile.")
    return tiles[0].index


def _indexes(text: str) -> tuple[int, ...]:
    return tuple(tile.index for tile in parse_tiles(text, "dora_indicators"))


def _value(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise refuse("claimed", "not_whole", "The value of a line is a whole number.")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


# The words of a hand's text: the field of PlayerHand that each gives, and how it is read.
WORDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "last": ("last", _one_tile),
    "won_by": ("won_by", str),
    "seat": ("seat", lambda text: wind(text, "seat")),
    "prevailing": ("prevailing", lambda text: wind(text, "prevailing")),
    "bonus": ("bonus", _names),
    "flags": ("flags", lambda text: frozenset(_names(text))),
    "claimed_kong": ("claimed_kong", lambda text: parse_tiles(text, "melds")),
    "value": ("claimed", _value),
    "dora_indicators": ("dora_indicators", _indexes),
}
