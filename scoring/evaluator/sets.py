"""The sets of a hand, in the vocabulary of the book: pair, three, four, sequence."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar

from .tiles import Dragon, HonorsTile, Suit, SuitTile, Tile, Wind


class Set:
    """Tiles that belong together. Grows by :meth:`add` while a hand is being laid out."""

    kind: ClassVar[str] = "set"
    size: ClassVar[int] = 0

    def __init__(self, tiles: Iterable[Tile] = (), *, concealed: bool = True) -> None:
        self.tiles = list(tiles)
        self.concealed = concealed

    def __repr__(self) -> str:
        return f"{type(self).__name__}[{', '.join(repr(each.code) for each in self.tiles)}]"

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, Set)
            and (self.tiles, self.concealed) == (other.tiles, other.concealed)
        )

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self.tiles), self.concealed))

    def as_dict(self) -> dict[str, object]:
        """Kind, codes of the tiles, and whether it is concealed."""
        return {
            "kind": self.kind,
            "tiles": [each.code for each in self.tiles],
            "concealed": self.concealed,
        }

    def can_contain(self, tile: Tile) -> bool:
        """Whether ``tile`` may come next."""
        return not self.tiles or (not self.full() and self.tiles[-1] is tile)

    def add(self, tile: Tile) -> None:
        self.tiles.append(tile)

    def full(self) -> bool:
        return len(self.tiles) == self.size

    def fallback(self, tile_stack: list[Tile]) -> "Set | None":
        """Push the tiles back in their order; the next kind of set to try with the first of them."""
        tile_stack[:0] = self.tiles
        return None

    def pair(self) -> bool:
        return False

    def triplet(self) -> bool:
        """Whether it is a pung or a kong."""
        return False

    def points(self, prevailing_wind: Wind, my_wind: Wind) -> int:
        """Whole points (``rules.md``, Points)."""
        return 0

    def lucky(self, prevailing_wind: Wind, my_wind: Wind) -> bool:
        """Whether it is a pung or kong of dragons or of a wind that counts; pairs never are."""
        return self.triplet() and self.tiles[0].lucky(prevailing_wind, my_wind)

    def sequence_suit(self) -> Suit | None:
        return None

    def sequence_rank(self) -> int | None:
        return None

    def all_simple(self) -> bool:
        return all(each.simple for each in self.tiles)

    def no_simple(self) -> bool:
        return not any(each.simple for each in self.tiles)

    def one_term_honor(self) -> bool:
        """Whether it has at least one terminal or honor."""
        return not self.all_simple()

    def suit(self) -> Suit | None:
        first = self.tiles[0]
        return first.suit if isinstance(first, SuitTile) else None

    def wind(self) -> bool:
        first = self.tiles[0]
        return isinstance(first, HonorsTile) and isinstance(first.honor, Wind)

    def dragon(self) -> bool:
        first = self.tiles[0]
        return isinstance(first, HonorsTile) and isinstance(first.honor, Dragon)

    def big_dragon(self) -> bool:
        return self.triplet() and self.dragon()

    def little_dragon(self) -> bool:
        return self.pair() and self.dragon()


class PairSet(Set):
    """Two alike."""

    kind, size = "pair", 2

    def pair(self) -> bool:
        return True

    def points(self, prevailing_wind: Wind, my_wind: Wind) -> int:
        first = self.tiles[0]
        if not first.lucky(prevailing_wind, my_wind):
            return 0
        return 4 if prevailing_wind == my_wind and self.wind() else 2


class SequenceSet(Set):
    """Three in a row of one suit: a chow."""

    kind, size = "chow", 3

    def can_contain(self, tile: Tile) -> bool:
        if not self.tiles:
            return True
        last = self.tiles[-1]
        return (
            not self.full()
            and isinstance(last, SuitTile)
            and isinstance(tile, SuitTile)
            and (tile.suit, tile.rank) == (last.suit, last.rank + 1)
        )

    def fallback(self, tile_stack: list[Tile]) -> Set:
        super().fallback(tile_stack)
        return PairSet([tile_stack.pop(0)])

    def sequence_suit(self) -> Suit | None:
        return self.suit()

    def sequence_rank(self) -> int | None:
        first = self.tiles[0]
        return first.rank if isinstance(first, SuitTile) else None


class ThreeSet(Set):
    """Three alike: a pung."""

    kind, size = "pung", 3

    def fallback(self, tile_stack: list[Tile]) -> Set:
        super().fallback(tile_stack)
        return SequenceSet([tile_stack.pop(0)])

    def triplet(self) -> bool:
        return True

    def points(self, prevailing_wind: Wind, my_wind: Wind) -> int:
        return 4 if self.tiles[0].simple else 8


class FourSet(Set):
    """Four alike: a kong."""

    kind, size = "kong", 4

    def fallback(self, tile_stack: list[Tile]) -> Set:
        super().fallback(tile_stack)
        return ThreeSet([tile_stack.pop(0)])

    def triplet(self) -> bool:
        return True

    def points(self, prevailing_wind: Wind, my_wind: Wind) -> int:
        return 16 if self.tiles[0].simple else 32


KINDS: tuple[type[Set], ...] = (FourSet, ThreeSet, SequenceSet, PairSet)


def set_of(tiles: Sequence[Tile], *, concealed: bool = True) -> Set | None:
    """The full set that ``tiles`` are, or None."""
    return _set_of(tuple(sorted(tiles)), concealed)


@lru_cache(maxsize=2048)
def _set_of(tiles: tuple[Tile, ...], concealed: bool) -> Set | None:
    for kind in KINDS:
        found = kind(concealed=concealed)
        for each in tiles:
            if not found.can_contain(each):
                break
            found.add(each)
        if len(found.tiles) == len(tiles) and found.full():
            return found
    return None


__all__ = ["KINDS", "FourSet", "PairSet", "SequenceSet", "Set", "ThreeSet", "set_of"]
