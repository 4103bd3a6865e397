"""The sets of a hand, in the vocabulary of the book: pair, three, four, sequence."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from .counts import ONE
from .tiles import TILES, Dragon, HonorsTile, Suit, SuitTile, Tile, Wind, no_tiles, wind


class Set(ABC):
    """Tiles that belong together. It grows by :meth:`add` until it is full, and :meth:`pop` undoes that.

    An empty set answers every question: it has no suit, is no wind, earns nothing.
    ``concealed`` is false for a set that lies open on the table; ``counts`` are its tiles as a number.
    The sets of hands are ``shared`` by all hands that have them: nothing of such a set can be changed.
    A set that still grows is another one after that, also to a dict that it is a key of.
    """

    kind: ClassVar[str]
    size: ClassVar[int]
    shared = False

    def __init__(self, tiles: Iterable[Tile] = (), *, concealed: bool = True) -> None:
        """:raises ValueError: if the tiles do not belong together."""
        self.tiles: tuple[Tile, ...] = ()
        self.counts = 0
        self.concealed = concealed
        for tile in tiles:
            self.add(tile)

    def __setattr__(self, name: str, value: object) -> None:
        """:raises ValueError: if others have the set, too."""
        self._require_own()
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """:raises ValueError: if others have the set, too."""
        self._require_own()
        super().__delattr__(name)

    def _require_own(self) -> None:
        if self.shared:
            raise ValueError(f"{self!r} is not yours to change: make one of its tiles.")

    def __repr__(self) -> str:
        tiles = ", ".join(map(repr, self.tiles))
        return f"{type(self).__name__}([{tiles}]{'' if self.concealed else ', concealed=False'})"

    def __str__(self) -> str:
        return " ".join(tile.code for tile in self.tiles)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Set):
            return NotImplemented
        mine, its = (self.kind, self.concealed), (other.kind, other.concealed)
        return mine == its and self.tiles == other.tiles

    def __hash__(self) -> int:
        return hash((self.kind, self.concealed, *self.tiles))

    def can_contain(self, tile: Tile) -> bool:
        """Whether ``tile`` may come next: anything into an empty set, nothing into a full one."""
        return not self.tiles or (not self.full() and self.follows(self.tiles[-1], tile))

    def follows(self, last: Tile, tile: Tile) -> bool:
        """Whether ``tile`` may come after ``last``: its like, but for a sequence."""
        return last is tile

    def add(self, tile: Tile) -> None:
        """:raises ValueError: if the set cannot contain ``tile``, or it is no tile (HandError)."""
        if not isinstance(tile, Tile):
            raise no_tiles()
        if not self.can_contain(tile):
            raise ValueError(f"{self!r} cannot contain {tile!r}.")
        self.tiles += (tile,)
        self.counts += ONE[tile.index]

    def pop(self) -> Tile:
        """Take the last tile off.

        :raises IndexError: if there is none.
        :raises ValueError: if others have the set, too: those of a hand are such.
        """
        if not self.tiles:
            raise IndexError(f"{self!r} is empty.")
        tile = self.tiles[-1]
        self.tiles = self.tiles[:-1]
        self.counts -= ONE[tile.index]
        return tile

    @abstractmethod
    def full(self) -> bool:
        """Whether it has all its tiles: each kind of set says it for itself."""
        return NotImplemented  # type: ignore[no-any-return]  # as in the book

    def fallback(self, tile_stack: list[Tile]) -> "Set | None":
        """Push the tiles back, in their order; the next kind of set with the first of the stack.

        Where the stack is empty, that set is, too. A pair has no kind after it: None.
        """
        tile_stack[:0] = self.tiles
        return None

    def _begin(self, kind: "type[Set]", tile_stack: list[Tile]) -> "Set":
        """Push the tiles back, and begin a set of that ``kind`` with what lies there first."""
        tile_stack[:0] = self.tiles
        begun = kind(tile_stack[:1])
        del tile_stack[:1]
        return begun

    def pair(self) -> bool:
        return False

    def triplet(self) -> bool:
        """Whether it is a pung or a kong."""
        return False

    def points(self, prevailing_wind: Wind | str, my_wind: Wind | str) -> int:
        """Whole points (``docs/rules.md``, Points); 0 for an empty set.

        :raises HandError: for what is no wind, whatever the set.
        """
        winds = wind(prevailing_wind), wind(my_wind)
        return self._worth(self._first, *winds) if self._first else 0

    def _worth(self, first: Tile, prevailing_wind: Wind, my_wind: Wind) -> int:
        """The points of a set whose first tile is ``first``."""
        return 0

    def lucky(self, prevailing_wind: Wind | str, my_wind: Wind | str) -> bool:
        """Whether it is a pung or kong of dragons or of a wind that counts; pairs never are.

        :raises HandError: for what is no wind, whatever the set.
        """
        winds = wind(prevailing_wind), wind(my_wind)
        return self.triplet() and self._first is not None and self._first.lucky(*winds)

    def sequence_suit(self) -> Suit | None:
        """The suit of a sequence."""
        return None

    def sequence_rank(self) -> int | None:
        """The lowest rank of a sequence."""
        return None

    def all_simple(self) -> bool:
        return all(tile.simple() for tile in self.tiles)

    def no_simple(self) -> bool:
        return not any(tile.simple() for tile in self.tiles)

    def one_term_honor(self) -> bool:
        """Whether it has at least one terminal or honor."""
        return not self.all_simple()

    def suit(self) -> Suit | None:
        """The suit of its tiles; None for honors."""
        return self._first.suit if isinstance(self._first, SuitTile) else None

    def wind(self) -> bool:
        """Whether its tiles are winds."""
        return isinstance(self._first, HonorsTile) and isinstance(self._first.honor, Wind)

    def dragon(self) -> bool:
        """Whether its tiles are dragons."""
        return isinstance(self._first, HonorsTile) and isinstance(self._first.honor, Dragon)

    def big_dragon(self) -> bool:
        """Whether it is a pung or kong of dragons."""
        return self.triplet() and self.dragon()

    def little_dragon(self) -> bool:
        """Whether it is a pair of dragons."""
        return self.pair() and self.dragon()

    @property
    def _first(self) -> Tile | None:
        return self.tiles[0] if self.tiles else None


class PairSet(Set):
    """Two alike."""

    kind, size = "pair", 2

    def full(self) -> bool:
        return len(self.tiles) == self.size

    def pair(self) -> bool:
        return True

    def _worth(self, first: Tile, prevailing_wind: Wind, my_wind: Wind) -> int:
        if not first.lucky(prevailing_wind, my_wind):
            return 0
        return 4 if self.wind() and prevailing_wind == my_wind else 2


class SequenceSet(Set):
    """Three in a row of one suit: a chow."""

    kind, size = "chow", 3

    def full(self) -> bool:
        return len(self.tiles) == self.size

    def follows(self, last: Tile, tile: Tile) -> bool:
        if not isinstance(last, SuitTile) or not isinstance(tile, SuitTile):
            return False
        return tile.suit is last.suit and tile.rank == last.rank + 1

    def fallback(self, tile_stack: list[Tile]) -> Set:
        return self._begin(PairSet, tile_stack)

    def sequence_suit(self) -> Suit | None:
        return self.suit()

    def sequence_rank(self) -> int | None:
        return self._first.rank if isinstance(self._first, SuitTile) else None


class ThreeSet(Set):
    """Three alike: a pung."""

    kind, size = "pung", 3

    def full(self) -> bool:
        return len(self.tiles) == self.size

    def fallback(self, tile_stack: list[Tile]) -> Set:
        return self._begin(SequenceSet, tile_stack)

    def triplet(self) -> bool:
        return True

    def _worth(self, first: Tile, prevailing_wind: Wind, my_wind: Wind) -> int:
        return 4 if first.simple() else 8


class FourSet(Set):
    """Four alike: a kong."""

    kind, size = "kong", 4

    def full(self) -> bool:
        return len(self.tiles) == self.size

    def fallback(self, tile_stack: list[Tile]) -> Set:
        return self._begin(ThreeSet, tile_stack)

    def triplet(self) -> bool:
        return True

    def _worth(self, first: Tile, prevailing_wind: Wind, my_wind: Wind) -> int:
        return 16 if first.simple() else 32


# In the book's order of preference.
KINDS: tuple[type[Set], ...] = (FourSet, ThreeSet, SequenceSet, PairSet)


def set_of(tiles: Sequence[Tile], *, concealed: bool = True) -> Set | None:
    """The full set that ``tiles`` are, in any order; None if they are none.

    >>> from scoring.evaluator.notation import parse_tiles
    >>> set_of(parse_tiles("453B"))
    SequenceSet([tile('3B'), tile('4B'), tile('5B')])
    """
    return full_set(tuple(sorted(tiles)), bool(concealed))


def full_set(tiles: tuple[Tile, ...], concealed: bool = True) -> Set | None:
    """As :func:`set_of`, for sorted tiles; there is one object a set.

    >>> full_set((TILES[0],) * 4), full_set(TILES[7:10])
    (FourSet([tile('1B'), tile('1B'), tile('1B'), tile('1B')]), None)
    >>> full_set((TILES[0],) * 4) is full_set((TILES[0],) * 4)
    True
    """
    return ALL_SETS.get((tiles, concealed))


def sets_from(first: Tile) -> tuple[Set, ...]:
    """Every full concealed set whose lowest tile is ``first``, in the book's order.

    >>> [tile_set.kind for tile_set in sets_from(TILES[0])], [tile_set.kind for tile_set in sets_from(TILES[8])]
    (['kong', 'pung', 'chow', 'pair'], ['kong', 'pung', 'pair'])
    """
    return SETS_FROM[first.index]


def _sets_from(first: Tile, *, concealed: bool = True) -> tuple[Set, ...]:
    run = TILES[first.index : first.index + 3]
    candidates = zip(KINDS, ((first,) * 4, (first,) * 3, run, (first,) * 2), strict=True)
    made = (_shared(kind, tiles, concealed=concealed) for kind, tiles in candidates)
    return tuple(tile_set for tile_set in made if tile_set is not None)


def _shared(kind: type[Set], tiles: tuple[Tile, ...], *, concealed: bool) -> Set | None:
    """The set that all hands have; None if the tiles are none of that kind."""
    tile_set = kind(concealed=concealed)
    for tile in tiles:
        if not tile_set.can_contain(tile):
            return None
        tile_set.add(tile)
    if not tile_set.full():
        return None
    tile_set.shared = True
    return tile_set


SETS_FROM = tuple(map(_sets_from, TILES))
OPEN_SETS_FROM = tuple(_sets_from(first, concealed=False) for first in TILES)
ALL_SETS = {
    (tile_set.tiles, tile_set.concealed): tile_set
    for sets in (*SETS_FROM, *OPEN_SETS_FROM)
    for tile_set in sets
}
