"""For which tiles a hand was waiting before its last."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from scoring.evaluator.counts import BITS, MOST, ONE, SUITS, all_copies
from scoring.evaluator.readings import THIRTEEN_ORPHANS
from scoring.evaluator.tiles import TILES

from .book import Form
from .forms import Groups, arrangements, is_loose, shapes_of
from .hands import PlayerHand

KINDS_OF_SUITS = tuple(range(first, min(first + 9, 34)) for first in (0, 9, 18, 27))
SIMPLES = all_copies(tile for tile in TILES if tile.simple())

Meets = Callable[[Form, Groups, PlayerHand], bool]


def waits(forms: tuple[Form, ...], waiting: PlayerHand, meets: Meets) -> tuple[int, ...]:
    """The indexes of all kinds with which ``waiting`` wins in one of ``forms``, in order.

    A kind whose four copies are in the hand already is none. ``meets``: whether an arrangement meets
    the condition of its form.
    """
    held = waiting.all_counts()
    found: set[int] = set()
    for form in forms:
        fast = FAST.get(form.kind) if form.unconditional else None
        found.update(fast(waiting) if fast else _tried(form, waiting, meets))
    return tuple(sorted(index for index in found if held >> BITS * index & MOST < 4))


def _tried(form: Form, waiting: PlayerHand, meets: Meets) -> Iterator[int]:
    """Each kind added in turn."""
    for index in range(len(ONE)):
        if waiting.counts >> BITS * index & MOST == 4:
            continue
        whole = replace(waiting, counts=waiting.counts + ONE[index], last=index)
        if any(meets(form, groups, whole) for groups in arrangements(form, whole)):
            yield index


def _of_sets(waiting: PlayerHand) -> Iterator[int]:
    """The waits of four sets and a pair: of each suit for itself, where all others are whole."""
    wanted = 5 - len(waiting.melds), 1 - sum(meld.kind == "pair" for meld in waiting.melds)
    suits = [waiting.counts & mask for mask in SUITS]
    shapes = [shapes_of(suit) for suit in suits]
    for place, suit in enumerate(suits):
        if not all(shape for other, shape in enumerate(shapes) if other != place):
            continue
        others = {(0, 0)}
        for other, shape in enumerate(shapes):
            if other != place:
                others = {(a + sets, b + pairs) for a, b in others for sets, pairs in shape}
        for index, completed in _one_more(suit, place):
            if any((wanted[0] - a, wanted[1] - b) in completed for a, b in others):
                yield index


@lru_cache(maxsize=2**15)
def _one_more(suit: int, place: int) -> tuple[tuple[int, frozenset[tuple[int, int]]], ...]:
    """For each kind that makes the suit at ``place`` whole: into how many sets, and pairs among them."""
    found = (
        (index, shapes_of(suit + ONE[index]))
        for index in KINDS_OF_SUITS[place]
        if suit >> BITS * index & MOST < 4
    )
    return tuple((index, shape) for index, shape in found if shape)


def _of_orphans(waiting: PlayerHand) -> Iterator[int]:
    counts = waiting.all_counts()
    if not counts & SIMPLES and is_loose(waiting):
        yield from (i for i, one in enumerate(ONE) if counts + one in THIRTEEN_ORPHANS)


FAST: dict[str, Callable[[PlayerHand], Iterator[int]]] = {"sets": _of_sets, "orphans": _of_orphans}
