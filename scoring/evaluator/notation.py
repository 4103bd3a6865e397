"""Text and tiles, both ways.

A hand is written in any of the spellings of ``rules.md``: codes (``2B``), runs of ranks before a suit
(``222B 345B``), honors alone or in runs (``G``, ``GGG``, ``WhWhWh``), names in any case (``Green``,
``east``) and the Unicode tiles; spaces and commas are free. A ``*`` after a group says that the set
lies open on the table: ``222B* 345B 55B 222D GGG``. ``W`` is West, the white dragon is ``Wh``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .problems import HandError, Problem, refuse
from .sets import Set, set_of
from .text import Text
from .tiles import BY_CHAR, BY_NAME, TILES, Tile, Wind

LONGEST = 400
MOST_TILES = 18
NUMBERS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight"}
NAMES = "East|South|West|North|Red|Green|White"
TOKEN = re.compile(rf"([1-9]+)([BCD])|({NAMES}|Wh|[ESWNRG])|([\U0001F000-\U0001F021])", re.I)


@dataclass(frozen=True, slots=True)
class ParsedHand:
    """All tiles of a hand, those of the declared sets among them."""

    tiles: tuple[Tile, ...]
    melds: tuple[Set, ...] = ()


def parse_tiles(text: object, field: str = "tiles") -> tuple[Tile, ...]:
    """The tiles of a text or of a list of codes, in the order written.

    :raises HandError: naming every part that is no tile.

    >>> parse_tiles("222b GREEN,Wh")
    (tile('2B'), tile('2B'), tile('2B'), tile('G'), tile('Wh'))
    """
    tiles: list[Tile] = []
    unknown: list[str] = []
    for word in _words(text, field):
        found = list(_read(word))
        unknown += [part for part in found if isinstance(part, str)]
        tiles += [part for part in found if isinstance(part, Tile)]
    if unknown:
        raise HandError(
            Problem(
                field,
                "unknown_tile",
                Text.of(
                    "There is no tile “{part}”. Write 1B to 9B, 1C to 9C, 1D to 9D, "
                    "E S W N, R G or Wh.",
                    part=part[:20],
                ),
            )
            for part in dict.fromkeys(unknown)
        )
    return tuple(tiles)


def parse_hand(text: object, melds: object = None) -> ParsedHand:
    """A whole hand with its declared sets, from a text that may mark open sets with ``*``.

    ``melds`` is a list of ``"222B"`` (open), ``["2B", "2B", "2B"]`` (open) or ``{"tiles": …,
    "concealed": true}``. The tiles are the whole hand, or what lies beside the melds.

    :raises HandError: all that is wrong: unknown tiles, a fifth copy, a wrong number, melds that are
        no sets or not in the hand.
    """
    words = _words(text, "tiles")
    tiles = parse_tiles([word.rstrip("*") for word in words])
    declared = [_meld(word.rstrip("*"), False, "tiles") for word in words if word.endswith("*")]
    declared += list(_melds(melds))
    size = sum(len(meld.tiles) for meld in declared)
    beside = len(tiles) < 14 <= len(tiles) + size <= MOST_TILES
    if declared and beside:
        tiles += tuple(one for meld in declared for one in meld.tiles)
    parsed = ParsedHand(tiles, tuple(declared))
    problems = list(_impossible(parsed))
    if problems:
        raise HandError(problems)
    return parsed


def parse_wind(text: object, field: str = "seat") -> Wind:
    """A wind by letter or name.

    :raises HandError: if it is none.

    >>> parse_wind("south")
    <Wind.SOUTH: 'S'>
    """
    found = BY_NAME.get(text.strip().casefold()) if isinstance(text, str) else None
    if found is None or found.code not in "ESWN":
        raise refuse(field, "unknown_wind", "A wind is E, S, W or N (East, South, West, North).")
    return Wind(found.code)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles in the shortest spelling: ``222345B GGG``.

    >>> format_tiles(parse_tiles("2B 2B 3B G G"))
    '223B GG'
    """
    words: list[str] = []
    for each in tiles:
        kind, rank = (each.code[1:], each.code[0]) if each.index < 27 else (each.code, each.code)
        if words and _kind(words[-1]) == kind:
            words[-1] = words[-1][:-1] + rank + kind if each.index < 27 else words[-1] + rank
        else:
            words.append(each.code)
    return " ".join(words)


def format_hand(tiles: Iterable[Tile], melds: Iterable[Set] = ()) -> str:
    """A hand in the spelling that :func:`parse_hand` reads, open sets first, each with ``*``."""
    left = Counter(tiles)
    words = []
    for meld in melds:
        left.subtract(meld.tiles)
        words.append(format_tiles(meld.tiles) + ("" if meld.concealed else "*"))
    rest = format_tiles(sorted(left.elements()))
    return " ".join([*words, rest] if rest else words)


def _kind(word: str) -> str:
    return word[-1] if word[0].isdigit() else ("Wh" if word.startswith("Wh") else word[0])


def _words(text: object, field: str) -> list[str]:
    if isinstance(text, list | tuple):
        if len(text) > 4 * MOST_TILES or not all(isinstance(part, str) for part in text):
            raise refuse(field, "not_tiles", "Give tiles as a text or as a list of codes.")
        text = " ".join(text)
    if not isinstance(text, str):
        raise refuse(field, "not_tiles", "Give tiles as a text or as a list of codes.")
    if len(text) > LONGEST:
        raise refuse(field, "too_long", "A hand is at most {most} characters.", most=LONGEST)
    return re.sub(r"\s+\*", "*", re.sub(r"[\s,;]+", " ", text)).replace("*", "* ").split()


def _read(word: str) -> Iterator[Tile | str]:
    """Tiles of one word; what is none comes as text."""
    at = 0
    while at < len(word):
        match = TOKEN.match(word, at)
        if match is None:
            yield word[at:]
            return
        ranks, suit, honor, char = match.groups()
        if ranks:
            yield from (BY_NAME[(rank + suit).casefold()] for rank in ranks)
        elif honor:
            yield BY_NAME[honor.casefold()]
        else:
            yield BY_CHAR[char]
        at = match.end()


def _meld(tiles: object, concealed: bool, field: str) -> Set:
    found = set_of(parse_tiles(tiles, field), concealed=concealed)
    if found is None or found.pair():
        raise refuse(
            field,
            "no_meld",
            "A declared set is a pung, a kong or a chow: three or four alike, or three in a row.",
        )
    return found


def _melds(melds: object) -> Iterator[Set]:
    if melds is None:
        return
    if not isinstance(melds, list | tuple) or len(melds) > 4:
        raise refuse("melds", "not_melds", "Give the declared sets as a list of at most four.")
    for meld in melds:
        if isinstance(meld, Mapping):
            concealed = meld.get("concealed", False)
            if not isinstance(concealed, bool):
                raise refuse(
                    "melds", "not_melds", "“concealed” of a declared set is true or false."
                )
            yield _meld(meld.get("tiles"), concealed, "melds")
        elif isinstance(meld, str):
            yield _meld(meld.strip().rstrip("*"), False, "melds")
        else:
            yield _meld(meld, False, "melds")


def _impossible(parsed: ParsedHand) -> Iterator[Problem]:
    counts = Counter(parsed.tiles)
    for each in TILES:
        if counts[each] > 4:
            number = NUMBERS.get(counts[each], str(counts[each]))
            message = Text.of("{number} {tile}: a wall has four.", number=number, tile=each.name)
            yield Problem("tiles", "too_many_copies", message)
    size = len(parsed.tiles)
    if not 14 <= size <= MOST_TILES:
        message = Text.of(
            "{size} tiles: a winning hand has 14, and one more for each kong (at most 18).",
            size=size,
        )
        yield Problem("tiles", "wrong_count", message)
    declared = Counter(one for meld in parsed.melds for one in meld.tiles)
    if declared - counts:
        lacking = ", ".join(one.name for one in declared - counts)
        message = Text.of("The declared sets are not in the hand: {tiles} missing.", tiles=lacking)
        yield Problem("melds", "not_in_the_hand", message)
