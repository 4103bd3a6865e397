"""Every number that a book reads of a hand has a place in one packed integer.

What a set adds to that number is worked out once for each set and wind. Numbers are added, five bits
each; what is only asked for ("any") is one bit, set by any set, above them. The shorter the places, the
more hands are equal in all that the book reads.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from .expressions import Expression, Slot, predicate_of_sets, predicate_of_tiles
from .shapes import ASK
from .vocabulary import Group, SetFact, TileFact

BITS = 5  # a number holds up to 31: tiles of a hand, its sets, its bonus tiles
MOST = (1 << BITS) - 1
WON = Slot("hand", "won")
SINGLE_BITS = ("any", "any_tile")


class Packed(NamedTuple):
    """What sets add: ``sums`` are added up, ``bits`` are set."""

    sums: int
    bits: int

    def __add__(self, other: "Packed") -> "Packed":  # type: ignore[override]
        return Packed(self.sums + other.sums, self.bits | other.bits)


NOTHING_PACKED = Packed(0, 0)


class Layout:
    """The places of all that some expressions read, and how it is asked."""

    def __init__(self, expressions: Iterable[Expression]) -> None:
        slots = dict.fromkeys([WON, *(slot for one in expressions for slot in one.slots)])
        numbers = [slot for slot in slots if slot.kind not in SINGLE_BITS]
        bits = [slot for slot in slots if slot.kind in SINGLE_BITS]
        self.slots = (*numbers, *bits)
        self.places = {slot: place for place, slot in enumerate(self.slots)}
        width = BITS * len(numbers)
        self.shifts = [BITS * place for place in range(len(numbers))]
        self.shifts += [width + place for place in range(len(bits))]
        self.masks = [MOST] * len(numbers) + [1] * len(bits)
        self._of_sets = self._tests("count", "any", predicate_of_sets)
        self._of_tiles = self._tests("tiles", "any_tile", predicate_of_tiles)
        self.shapes = [
            (ASK[slot.name], self.shifts[place])
            for slot, place in self.places.items()
            if slot.kind == "shape"
        ]
        self._last = [
            (predicate_of_tiles(slot.name), self.one(slot))
            for slot in numbers
            if slot.kind == "last"
        ]
        self.of_set: Callable[[Group, int, int], Packed] = lru_cache(maxsize=2**13)(self._of_set)
        self.of_last: Callable[[int, int, int], int] = lru_cache(maxsize=2**10)(self._of_last)

    def _tests(
        self, number: str, bit: str, predicate: Callable[[str], Callable[..., int]]
    ) -> list[tuple[Callable[..., int], int, bool]]:
        """For each slot of these kinds: what is asked, its one, and whether it is a single bit."""
        return [
            (predicate(slot.name), self.one(slot), slot.kind == bit)
            for slot in self.slots
            if slot.kind in (number, bit)
        ]

    def one(self, slot: Slot) -> int:
        """One at the place of ``slot``; 0 if nothing reads it."""
        return 1 << self.shifts[self.places[slot]] if slot in self.places else 0

    def mask(self, slots: Iterable[Slot]) -> int:
        """All bits of these slots."""
        places = {self.places[slot] for slot in slots}
        return sum(self.masks[place] << self.shifts[place] for place in places)

    def values(self, packed: int) -> list[int]:
        """The number at each place."""
        return [packed >> shift & mask for shift, mask in zip(self.shifts, self.masks, strict=True)]

    def _of_set(self, group: Group, seat: int, prevailing: int) -> Packed:
        packed = _asked(self._of_sets, SetFact(group, seat, prevailing))
        for index in group.tiles:
            packed += _asked(self._of_tiles, TileFact(index, seat, prevailing))
        return packed

    def _of_last(self, tile: int, seat: int, prevailing: int) -> int:
        fact = TileFact(tile, seat, prevailing)
        return sum(one for test, one in self._last if test(fact))

    def of_hand(self, facts: Iterable[tuple[str, int]]) -> int:
        """What the facts of a hand add."""
        return sum(self.one(Slot("hand", name)) * value for name, value in facts)


def _asked(tests: list[tuple[Callable[..., int], int, bool]], fact: SetFact | TileFact) -> Packed:
    sums = bits = 0
    for test, one, single in tests:
        if test(fact):
            if single:
                bits |= one
            else:
                sums += one
    return Packed(sums, bits)
