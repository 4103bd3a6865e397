"""The 34 kinds of tile, and the wall of 136 (``docs/rules.md``, Tiles)."""

from collections.abc import Iterator
from enum import StrEnum
from random import Random

from .problems import refuse
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

    ``index`` is 0 to 33 in the order 1B…9B 1C…9C 1D…9D E S W N R G Wh.
    """

    __slots__ = ("char", "code", "index", "name")

    def __init__(self, index: int, code: str, name: str, char: str) -> None:
        self.index, self.code, self.name, self.char = index, code, name, char

    def __repr__(self) -> str:
        return f"tile({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def __lt__(self, other: "Tile") -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (tile, (self.code,))

    def simple(self) -> bool:
        """Whether it is a suit tile from 2 to 8."""
        return False

    def lucky(self, prevailing_wind: Wind, my_wind: Wind) -> bool:
        """Whether it is a dragon, the prevailing wind or the player's own wind."""
        return False


class SuitTile(Tile):
    """A tile of a suit, rank 1 to 9."""

    __slots__ = ("rank", "suit")

    def __init__(self, index: int, rank: int, suit: Suit) -> None:
        first = {Suit.BAMBOO: 0x1F010, Suit.CHARACTERS: 0x1F007, Suit.DOTS: 0x1F019}[suit]
        super().__init__(
            index, f"{rank}{suit.value}", f"{rank} of {suit.label}", chr(first + rank - 1)
        )
        self.rank, self.suit = rank, suit


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

    def __init__(self, index: int, honor: Wind | Dragon) -> None:
        kind = "wind" if isinstance(honor, Wind) else "dragon"
        chars = {"E": 0x1F000, "S": 0x1F001, "W": 0x1F002, "N": 0x1F003}
        chars |= {"R": 0x1F004, "G": 0x1F005, "Wh": 0x1F006}
        super().__init__(index, honor.value, f"{honor.label} {kind}", chr(chars[honor.value]))
        self.honor = honor

    def lucky(self, prevailing_wind: Wind, my_wind: Wind) -> bool:
        return isinstance(self.honor, Dragon) or self.honor in (prevailing_wind, my_wind)


def _kinds() -> Iterator[Tile]:
    for s, suit in enumerate(Suit):
        for rank in range(1, 10):
            kind = TerminalSuitTile if rank in (1, 9) else SimpleSuitTile
            yield kind(9 * s + rank - 1, rank, suit)
    honors: tuple[Wind | Dragon, ...] = (*WINDS, *DRAGONS)
    for i, honor in enumerate(honors):
        yield HonorsTile(27 + i, honor)


TILES = tuple(_kinds())
BY_CODE = {each.code: each for each in TILES}
BY_NAME = {name.casefold(): each for each in TILES for name in (each.code, each.name)} | {
    each.honor.label.casefold(): each for each in TILES if isinstance(each, HonorsTile)
}
BY_CHAR = {each.char: each for each in TILES}
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
    found = BY_NAME.get(normalise(name).strip().casefold())
    if found is None:
        raise refuse("tiles", "unknown_tile", "There is no tile “{name}”.", name=name)
    return found


class Wall:
    """The 136 tiles, four of each kind; drawn from the end once shuffled.

    >>> wall = Wall(); len(wall), wall.tiles.count(tile("R"))
    (136, 4)
    """

    def __init__(self) -> None:
        self.tiles = [each for each in TILES for _copy in range(4)]

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
