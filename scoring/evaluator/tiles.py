"""The 34 kinds of tile, and the wall of 136 (``docs/rules.md``, Tiles)."""

from collections.abc import Iterator
from enum import StrEnum
from random import Random
from typing import Self, TypeVar

from .problems import HandError, refuse
from .spelling import normalise


class Suit(StrEnum):
    """The three suits, by the letter of their codes."""

    BAMBOO = "B"
    CHARACTERS = "C"
    DOTS = "D"

    @property
    def label(self) -> str:
        return self.name.capitalize()


class Wind(StrEnum):
    """The four winds, in the order in which the deal passes."""

    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"

    @property
    def label(self) -> str:
        return self.name.capitalize()


class Dragon(StrEnum):
    """The three dragons."""

    RED = "R"
    GREEN = "G"
    WHITE = "Wh"

    @property
    def label(self) -> str:
        return self.name.capitalize()


SUITS = tuple(Suit)
WINDS = tuple(Wind)
DRAGONS = tuple(Dragon)


class Tile:
    """One kind of tile. There is one object a kind: compare by identity.

    ``SimpleSuitTile(2, "B")``, ``HonorsTile("Green")`` and the like are the objects that :func:`tile`
    gives. ``index`` is 0 to 33 in the order 1B…9B 1C…9C 1D…9D E S W N R G Wh. Nothing of a tile can be
    changed: everybody has the same.
    """

    __slots__ = ("char", "code", "index", "name")
    index: int
    code: str
    name: str
    char: str

    def __new__(cls, *args: str | int) -> Self:
        """:raises ValueError: if that tile is of another class, or there is none (HandError)."""
        made = tile(*args)
        if not isinstance(made, cls):
            raise ValueError(f"{made!r} is no {cls.__name__}.")
        return made

    def __setattr__(self, name: str, value: object) -> None:
        """:raises AttributeError: always."""
        raise AttributeError(f"{self!r} is the one of its kind: it stays as it is.")

    def __delattr__(self, name: str) -> None:
        """:raises AttributeError: always."""
        raise AttributeError(f"{self!r} is the one of its kind: it stays as it is.")

    def __repr__(self) -> str:
        return f"tile({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def __lt__(self, other: "Tile") -> bool:
        return self.index < other.index

    def __le__(self, other: "Tile") -> bool:
        return self.index <= other.index

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (tile, (self.code,))

    def simple(self) -> bool:
        """Whether it is a suit tile from 2 to 8."""
        return False

    def lucky(self, prevailing_wind: Wind | str, my_wind: Wind | str) -> bool:
        """Whether it is a dragon, the prevailing wind or the player's own wind.

        :raises HandError: for what is no wind, whatever the tile.
        """
        wind(prevailing_wind), wind(my_wind)
        return False


class SuitTile(Tile):
    """A tile of a suit, rank 1 to 9."""

    __slots__ = ("rank", "suit")
    rank: int
    suit: Suit


class TerminalSuitTile(SuitTile):
    """A 1 or a 9."""

    __slots__ = ()


class SimpleSuitTile(SuitTile):
    """A 2 to 8."""

    __slots__ = ()

    def simple(self) -> bool:
        return True


class HonorsTile(Tile):
    """A wind or a dragon."""

    __slots__ = ("honor",)
    honor: Wind | Dragon

    def lucky(self, prevailing_wind: Wind | str, my_wind: Wind | str) -> bool:
        winds = wind(prevailing_wind), wind(my_wind)
        return isinstance(self.honor, Dragon) or self.honor in winds


T = TypeVar("T", bound=Tile)


def _new(kind: type[T], **fields: object) -> T:
    """The object of a kind: made once, here."""
    made = object.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def _kinds() -> Iterator[Tile]:
    firsts = {Suit.BAMBOO: 0x1F010, Suit.CHARACTERS: 0x1F007, Suit.DOTS: 0x1F019}
    for s, suit in enumerate(Suit):
        for i in range(9):
            rank, kind = i + 1, TerminalSuitTile if i in (0, 8) else SimpleSuitTile
            yield _new(
                kind,
                index=9 * s + i,
                code=f"{rank}{suit.value}",
                name=f"{rank} of {suit.label}",
                char=chr(firsts[suit] + i),
                rank=rank,
                suit=suit,
            )
    honors: tuple[Wind | Dragon, ...] = (*WINDS, *DRAGONS)
    for i, honor in enumerate(honors):
        name = f"{honor.label} {'wind' if isinstance(honor, Wind) else 'dragon'}"
        char = chr(0x1F000 + i)
        yield _new(HonorsTile, index=27 + i, code=honor.value, name=name, char=char, honor=honor)


TILES = tuple(_kinds())
BY_CODE = {tile.code: tile for tile in TILES}
BY_NAME = {name.casefold(): tile for tile in TILES for name in (tile.code, tile.name)} | {
    tile.honor.label.casefold(): tile for tile in TILES if isinstance(tile, HonorsTile)
}
BY_CHAR = {tile.char: tile for tile in TILES}
# By letter, name and tile, in small letters and as they are.
WIND_BY_NAME = {
    spelt: wind
    for wind in WINDS
    for name in (wind.value, wind.label, f"{wind.label} wind", BY_CODE[wind.value].char)
    for spelt in (name, name.casefold())
}


def tile(*args: str | int) -> Tile:
    """``tile("Green")``, ``tile("2B")`` or ``tile(2, "B")``: the one tile object of that kind.

    Names as a scorecard prints them will do, too: ``tile("2 of Bamboo")``.

    :raises HandError: if there is no such tile.

    >>> tile(2, "B") is tile("2b"), tile("Green"), tile("2B").name
    (True, tile('G'), '2 of Bamboo')
    """
    name = "".join(str(arg) for arg in args)
    known = BY_NAME.get(normalise(name).strip().casefold())
    if known is None:
        raise refuse("tiles", "unknown_tile", "There is no tile “{name}”.", name=name)
    return known


def no_tiles(field: str = "tiles") -> HandError:
    """That something else was given where there should be tiles.

    >>> str(no_tiles())
    'Give tiles, such as tile("2B"). Hand.from_notation reads a text or codes.'
    """
    sentence = 'Give tiles, such as tile("2B"). Hand.from_notation reads a text or codes.'
    return refuse(field, "not_tiles", sentence)


def wind(text: object, field: str = "wind") -> Wind:
    """A wind by letter or name. ``field`` is what a refusal names.

    :raises HandError: if it is none.

    >>> wind("south"), wind(Wind.EAST)
    (<Wind.SOUTH: 'S'>, <Wind.EAST: 'E'>)
    """
    if isinstance(text, Wind):
        return text
    known = None
    if isinstance(text, str):
        known = WIND_BY_NAME.get(text)
        if known is None:
            known = WIND_BY_NAME.get(" ".join(normalise(text).split()).casefold())
    if known is None:
        raise refuse(field, "unknown_wind", "A wind is E, S, W or N (East, South, West, North).")
    return known


class Wall:
    """The 136 tiles, four of each kind; drawn from the end once shuffled.

    >>> wall = Wall(); len(wall), wall.tiles.count(tile("R"))
    (136, 4)
    """

    def __init__(self) -> None:
        self.tiles = [kind for kind in TILES for _copy in range(4)]

    def __len__(self) -> int:
        return len(self.tiles)

    def shuffle(self, rng: Random) -> None:
        rng.shuffle(self.tiles)

    def draw(self) -> Tile:
        """:raises IndexError: if the wall is out."""
        return self.tiles.pop()

    def deal(self, count: int = 13) -> list[Tile]:
        """The next ``count`` tiles."""
        return [self.draw() for _tile in range(count)]
