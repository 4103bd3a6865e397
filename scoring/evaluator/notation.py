"""Text and tiles, both ways.

A hand is written in any of the spellings of ``docs/rules.md``: codes (``2B``), runs of ranks before a suit
(``222B 345B``), honors alone or in runs (``G``, ``GGG``, ``WhWhWh``), names in any case (``Green``,
``east``) or in full (``2 of Bamboo``, ``Green dragon``) and the Unicode tiles; spaces and commas are
free. ``W`` is West, the white dragon is ``Wh``.
A mark after a set says that it was declared: ``222B*`` lies open on the table, ``2222B#`` was laid
down concealed. One that stands before a set is refused, since it could be meant for either. So
``222B* 345B 55B 222D GGG`` is a whole hand: a marked set is among the tiles. Only sets that are given
apart from the text may lie beside them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .counts import COPIES, contains, copies, counts_of, has_five
from .counts import MOST as MOST_OF_A_KIND
from .problems import HandError, Problem, refuse
from .sets import Set, set_of
from .spelling import END, NAMES, names_to_codes, normalise
from .text import Text
from .tiles import BY_CHAR, BY_NAME, SUITS, TILES, SuitTile, Tile, Wind, wind

LONGEST = 400
FEWEST_TILES, MOST_TILES = 14, 18
NUMBERS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight"}
TOKEN = re.compile(
    rf"([1-9]+)([BCD])|((?:{NAMES}){END}|(?!{NAMES})(?:Wh|[ESWNRG]))|([\U0001F000-\U0001F021])",
    re.I | re.A,
)
OPEN, CLOSED = "*", "#"
MARKS = re.compile(r"\s*([*#])")
# With a space before and none after, nobody can say which of the two sets is meant.
MARK_BEFORE = re.compile(r"(?:^|[\s,;])(\*#|[*#])(?=[^\s,;*#])")
# By the letter of a suit, in either case, and by the figure of a rank.
BY_RANK = {
    letter: {
        str(tile.rank): tile for tile in TILES if isinstance(tile, SuitTile) and tile.suit is suit
    }
    for suit in SUITS
    for letter in (suit.value, suit.value.casefold())
}


class ParsedHand(NamedTuple):
    """All tiles of a hand as they were written, those of the declared sets among them."""

    tiles: tuple[Tile, ...]
    melds: tuple[Set, ...]
    counts: int


def parse_tiles(text: object, field: str = "tiles") -> tuple[Tile, ...]:
    """The tiles of a text or of a list of codes, in the order written.

    :raises HandError: naming every part that is no tile.

    >>> parse_tiles("222b GREEN,Wh")
    (tile('2B'), tile('2B'), tile('2B'), tile('G'), tile('Wh'))
    """
    return _tiles(_plain(text, field), field)[0]


def parse_hand(text: object, melds: object = None, *, lacking: int = 0) -> ParsedHand:
    """A whole hand with its declared sets, from a text that may mark them.

    ``lacking``: 1 for a hand that waits for its last tile.

    ``melds`` is a list of ``"222B"`` (open), ``["2B", "2B", "2B"]`` (open) or ``{"tiles": …,
    "concealed": true}``. The tiles are the whole hand, or what lies beside these melds; sets that
    the text marks are always among the tiles, also where ``melds`` names them again.

    :raises HandError: all that is wrong: unknown tiles, a fifth copy, a wrong number, melds that are
        no sets or not in the hand.

    >>> parse_hand("222B* 345B 55B 222D GGG").melds
    (ThreeSet([tile('2B'), tile('2B'), tile('2B')], concealed=False),)
    """
    tiles, counts, marked = _tiles(_plain(text, "tiles"), "tiles")
    declared = [_meld(word.tiles, word.mark == CLOSED, "tiles") for word in marked]
    if melds is not None:
        apart = list(_melds(melds))
        for meld in declared:
            if meld in apart:
                apart.remove(meld)  # said twice, it is there once
        declared += apart
        if _lie_beside(apart, tiles, lacking):
            tiles += tuple(one for meld in apart for one in meld.tiles)
            counts += sum(meld.counts for meld in apart)
    check(len(tiles), counts, declared, lacking)
    return ParsedHand(tiles, tuple(declared), counts)


def check(size: int, counts: int, melds: Sequence[Set] = (), lacking: int = 0) -> None:
    """What every hand has to be, whether it wins or not.

    :raises HandError: for a wrong number of tiles, a fifth copy, melds that are not among the tiles.

    >>> tiles = parse_tiles("222B 345B 55B 222D GG")
    >>> check(len(tiles), counts_of(tiles), lacking=1)
    >>> check(len(tiles), counts_of(tiles))
    Traceback (most recent call last):
    scoring.evaluator.problems.HandError: 13 tiles: a winning hand has 14, and one more for each \
kong (at most 18).
    """
    problems: list[Problem] = []
    fewest, most = numbers_of_tiles(melds) if melds else (FEWEST_TILES, MOST_TILES)
    if not fewest <= size + lacking <= most:
        problems += _too_many_copies(size, counts)
        problems.append(_wrong_count(size, fewest, most, lacking))
    elif has_five(counts):
        problems += _too_many_copies(size, counts)
    if melds:
        problems += _not_among(counts, melds)
    if problems:
        raise HandError(problems)


def numbers_of_tiles(melds: Sequence[Set]) -> tuple[int, int]:
    """How many tiles a winning hand with ``melds`` has, at least and at most.

    A declared kong takes one more, and a pung or a chow leaves room for one kong less.

    >>> numbers_of_tiles(parse_hand("1111B# 234B* 567B 789B 99B").melds)
    (15, 17)
    """
    if len(melds) > 4:
        return FEWEST_TILES, MOST_TILES
    kongs = sum([len(meld.tiles) == COPIES for meld in melds])
    return FEWEST_TILES + kongs, MOST_TILES - len(melds) + kongs


def parse_wind(text: object, field: str = "seat") -> Wind:
    """A wind by letter or name.

    :raises HandError: if it is none.

    >>> parse_wind("south")
    <Wind.SOUTH: 'S'>
    """
    return wind(text, field)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles in the shortest spelling: ``222345B GGG``.

    >>> format_tiles(parse_tiles("2B 2B 3B G G"))
    '223B GG'
    """
    words: list[str] = []
    for tile in tiles:
        kind, rank = (tile.code[1:], tile.code[0]) if tile.index < 27 else (tile.code, tile.code)
        if words and _kind(words[-1]) == kind:
            words[-1] = words[-1][:-1] + rank + kind if tile.index < 27 else words[-1] + rank
        else:
            words.append(tile.code)
    return " ".join(words)


def format_hand(tiles: Iterable[Tile], sets: Iterable[Set] = (), *, declared: bool = True) -> str:
    """A hand set by set, then what is left, in the spelling that :func:`parse_hand` reads.

    ``declared``: whether the sets were laid down, and are marked ``*`` or ``#``.

    >>> hand = parse_hand("222B* 345B 55B 222D GGG")
    >>> format_hand(hand.tiles, hand.melds)
    '222B* 34555B 222D GGG'
    """
    left = Counter(tiles)
    words = []
    for tile_set in sets:
        left.subtract(tile_set.tiles)
        mark = (CLOSED if tile_set.concealed else OPEN) if declared else ""
        words.append(format_tiles(tile_set.tiles) + mark)
    rest = format_tiles(sorted(left.elements()))
    return " ".join([*words, rest] if rest else words)


def _kind(word: str) -> str:
    return word[-1] if word[0].isdigit() else ("Wh" if word.startswith("Wh") else word[0])


def _plain(text: object, field: str) -> str:
    """What was typed as one text, in plain characters."""
    if isinstance(text, list | tuple):
        if len(text) > 4 * MOST_TILES or not all(isinstance(part, str) for part in text):
            raise refuse(field, "not_tiles", "Give tiles as a text or as a list of codes.")
        text = " ".join(text)
    if not isinstance(text, str):
        raise refuse(field, "not_tiles", "Give tiles as a text or as a list of codes.")
    if len(text) > LONGEST:
        raise refuse(field, "too_long", "A hand is at most {most} characters.", most=LONGEST)
    return text if text.isascii() else normalise(text)


def _tiles(text: str, field: str) -> "tuple[tuple[Tile, ...], int, list[HandText]]":
    """The tiles of all words, their counts, and the words that are marked."""
    read: tuple[Tile, ...] = ()
    counts = 0
    unknown, marked = [], []
    spaced = text.replace(",", " ").replace(";", " ")
    if OPEN in spaced or CLOSED in spaced:
        require_marks_after(spaced, field)
        spaced = MARKS.sub(r"\1 ", spaced)
    for word_text in spaced.split():
        word = tiles, its_counts, rest, mark = _read(word_text)
        read += tiles
        counts += its_counts
        if rest:
            unknown.append(rest)
        if mark:
            marked.append(word)
    if unknown:
        # Names of several words are rare: the text is read for them only where it says nothing else.
        named = names_to_codes(text)
        if named != text:
            return _tiles(named, field)
        template = (
            "There is no tile “{part}”. Write 1B to 9B, 1C to 9C, 1D to 9D, E S W N, R G or Wh."
        )
        parts = [part[:20] for part in dict.fromkeys(unknown)]
        raise HandError(
            Problem(field, "unknown_tile", Text.of(template, part=part)) for part in parts
        )
    return read, counts, marked


def _lie_beside(melds: Sequence[Set], tiles: Sequence[Tile], lacking: int) -> bool:
    """Whether ``tiles`` are a hand only together with the melds, which were given apart."""
    size = lacking + len(tiles) + sum(len(meld.tiles) for meld in melds)
    if size > MOST_TILES:
        return False
    copies_of = Counter(tiles)
    declared = Counter(one for meld in melds for one in meld.tiles)
    if len(tiles) + lacking < FEWEST_TILES <= size:
        # Those that the tiles hold already can be there once more only where a wall has so many.
        both = copies_of + declared
        return bool(declared - copies_of) or max(both.values()) <= COPIES
    # As many as a whole hand already (then it takes kongs to hold the melds besides), or too few.
    fours = [*copies_of.values(), *declared.values()].count(COPIES)
    return bool(declared - copies_of) and size - FEWEST_TILES <= fours


class HandText(NamedTuple):
    """A part of a hand's text: its tiles, what comes after them that is none, and its mark."""

    tiles: tuple[Tile, ...]
    counts: int
    rest: str
    mark: str


@lru_cache(maxsize=4096)
def _read(word: str) -> HandText:
    mark = word[-1] if word[-1] in (OPEN, CLOSED) else ""
    word = word.removesuffix(mark)
    tiles: list[Tile] = []
    at = 0
    while match := TOKEN.match(word, at):
        ranks, suit, honor, char = match.groups()
        if ranks:
            kinds = BY_RANK[suit]
            tiles += [kinds[rank] for rank in ranks]
        else:
            tiles.append(BY_NAME[honor.casefold()] if honor else BY_CHAR[char])
        at = match.end()
    counts = counts_of(tiles) if len(tiles) <= MOST_OF_A_KIND else 0
    return HandText(tuple(tiles), counts, word[at:] or ("" if tiles else mark), mark)


def shared_set(meld: Set) -> Set:
    """The set that all hands have for ``meld``, which stays the caller's own to change.

    :raises HandError: if ``meld`` is no whole pung, kong or chow.

    >>> mine = parse_hand("222B* 345B 55B 222D GGG").melds[0]
    >>> shared_set(mine) is shared_set(type(mine)(mine.tiles, concealed=False)) is mine
    True
    """
    return _meld(meld.tiles if meld.full() else (), meld.concealed, "melds")


def require_marks_after(text: str, field: str) -> None:
    """Let marks pass that stand after their sets.

    :raises HandError: for one that stands before a set.

    >>> require_marks_after("222B* 345B * 55B", "tiles")
    >>> require_marks_after("222B *345B", "tiles")
    Traceback (most recent call last):
    scoring.evaluator.problems.HandError: The mark * belongs after its set, as in 222B*.
    """
    if before := MARK_BEFORE.search(text):
        raise refuse(
            field,
            "mark_before",
            "The mark {mark} belongs after its set, as in 222B{mark}.",
            mark=before[1],
        )


def require_sets(melds: object) -> None:
    """Let declared sets pass.

    :raises HandError: for anything else.

    >>> require_sets(["222B"])
    Traceback (most recent call last):
    scoring.evaluator.problems.HandError: Give declared sets, such as ThreeSet(tiles). \
Hand.from_notation reads texts.
    """
    if not isinstance(melds, list | tuple) or not all(isinstance(meld, Set) for meld in melds):
        raise refuse(
            "melds",
            "not_sets",
            "Give declared sets, such as ThreeSet(tiles). Hand.from_notation reads texts.",
        )


def _meld(tiles: Sequence[Tile], concealed: bool, field: str) -> Set:
    meld = set_of(tiles, concealed=concealed)
    if meld is None or meld.pair():
        raise refuse(
            field,
            "no_meld",
            "A declared set is a pung, a kong or a chow: three or four alike, or three in a row.",
        )
    return meld


def _melds(melds: object) -> Iterator[Set]:
    if not isinstance(melds, list | tuple) or len(melds) > 4:
        raise refuse("melds", "not_melds", "Give the declared sets as a list of at most four.")
    for meld in melds:
        concealed: object = False
        tiles = meld
        if isinstance(meld, Mapping):
            tiles, concealed = meld.get("tiles"), meld.get("concealed", False)
        elif isinstance(meld, str):
            concealed = normalise(meld).rstrip().endswith(CLOSED)
        if not isinstance(concealed, bool):
            raise refuse("melds", "not_melds", "“concealed” of a declared set is true or false.")
        yield _meld(parse_tiles(tiles, "melds"), concealed, "melds")


def _too_many_copies(size: int, counts: int) -> Iterator[Problem]:
    for tile in TILES:
        held = copies(counts, tile)
        if held > COPIES and size <= MOST_OF_A_KIND:
            number = NUMBERS.get(held, str(held))
            message = Text.of("{number} {tile}: a wall has four.", number=number, tile=tile.name)
            yield Problem("tiles", "too_many_copies", message)


def _wrong_count(size: int, fewest: int, most: int, lacking: int) -> Problem:
    """``fewest`` and ``most`` are those of a winning hand with the declared sets."""
    kind = "waiting" if lacking else "winning"
    if size == 1:
        message = Text.of(
            "1 tile: a {kind} hand has at least {fewest}.", kind=kind, fewest=fewest - lacking
        )
    elif fewest == FEWEST_TILES and not fewest <= size + lacking <= MOST_TILES:
        message = Text.of(
            "{size} tiles: a {kind} hand has {fewest}, and one more for each kong (at most {most}).",
            size=size,
            kind=kind,
            fewest=FEWEST_TILES - lacking,
            most=MOST_TILES - lacking,
        )
    else:
        message = Text.of(
            "{size} tiles: a {kind} hand with these declared sets has {fewest}."
            if fewest == most
            else "{size} tiles: a {kind} hand with these declared sets has {fewest} to {most}.",
            size=size,
            kind=kind,
            fewest=fewest - lacking,
            most=most - lacking,
        )
    return Problem("tiles", "wrong_count", message)


def _not_among(counts: int, melds: Sequence[Set]) -> Iterator[Problem]:
    if len(melds) > 4:
        yield Problem("melds", "too_many_melds", Text("At most four sets of a hand are declared."))
        return
    declared = sum([meld.counts for meld in melds])
    if not contains(counts, declared):
        lacking = [tile.name for tile in TILES if copies(declared, tile) > copies(counts, tile)]
        names = ", ".join(lacking)
        message = Text.of("The declared sets are not in the hand: {tiles} missing.", tiles=names)
        yield Problem("melds", "not_in_the_hand", message)
