"""For which tiles a hand was waiting before its last."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product

from scoring.evaluator.counts import BITS, MOST, ONE, SUITS
from scoring.evaluator.readings import THIRTEEN_ORPHANS

from .book import Form
from .forms import SIMPLES, Groups, arrangements, shapes_of
from .hands import PlayerHand
from .vocabulary import Group

SUIT_BITS = 9 * BITS
CHOW = sum(ONE[:3])
HONORS = 3  # their place among the suits

Melds = tuple[Group, ...]
Meets = Callable[[Form, Groups, PlayerHand], bool]


def waits(forms: tuple[Form, ...], hand: PlayerHand, waiting: int, meets: Meets) -> tuple[int, ...]:
    """The indexes of all kinds with which ``hand`` would win in one of ``forms``, in order.

    ``waiting`` are the counts of its tiles without a winning one. A kind whose four copies are in the
    hand already is none. ``meets``: whether an arrangement meets the condition of its form.
    """
    indexes: set[int] = set()
    for form in forms:
        fast = FAST.get(form.kind) if form.unconditional else None
        indexes.update(fast(waiting, hand.melds) if fast else _tried(form, hand, waiting, meets))
    declared = [index for meld in hand.melds for index in meld.tiles]
    return tuple(
        sorted(
            index
            for index in indexes
            if (waiting >> BITS * index & MOST) + declared.count(index) < 4
        )
    )


def _tried(form: Form, hand: PlayerHand, waiting: int, meets: Meets) -> Iterator[int]:
    """Each kind added in turn."""
    for index in range(len(ONE)):
        if waiting >> BITS * index & MOST == 4:
            continue
        whole = replace(hand, counts=waiting + ONE[index], last=index)
        if any(meets(form, groups, whole) for groups in arrangements(form, whole)):
            yield index


def _of_sets(waiting: int, melds: Melds) -> list[int]:
    """The waits of four sets and a pair: of each suit for itself, where all others are whole."""
    sets, pairs = 5 - len(melds), 1
    for meld in melds:
        pairs -= meld.kind == "pair"
    suits = [waiting & mask for mask in SUITS]
    shapes = [shapes_of(suit) for suit in suits]
    lacking = [place for place, shape in enumerate(shapes) if not shape]
    indexes: list[int] = []
    for place in lacking if len(lacking) == 1 else () if lacking else range(len(SUITS)):
        for a, b, c in product(*shapes[:place], *shapes[place + 1 :]):
            wanted = sets - a[0] - b[0] - c[0], pairs - a[1] - b[1] - c[1]
            ranks = _one_more(suits[place] >> SUIT_BITS * place, place < HONORS, *wanted)
            indexes += [9 * place + rank for rank in ranks]
    return indexes


@lru_cache(maxsize=2**14)
def _one_more(suit: int, chows: bool, sets: int, pairs: int) -> tuple[int, ...]:
    """Which kinds of a suit, from 0, make it so many sets, and pairs among them; honors have no chows."""
    held = [suit >> BITS * rank & MOST for rank in range(9 if chows else 7)]
    kongs = sum(held) + 1 - (3 * sets - pairs)
    if pairs < 0 or kongs < 0:
        return ()
    return tuple(
        rank
        for rank, copies in enumerate(held)
        if copies < 4
        and (copies or (chows and any(held[max(rank - 2, 0) : rank + 3])))
        and _splits(suit + ONE[rank], pairs, kongs, chows)
    )


@lru_cache(maxsize=2**15)
def _splits(suit: int, pairs: int, kongs: int, chows: bool) -> bool:
    """Whether a suit splits into so many pairs and kongs, and pungs and chows, with nothing left."""
    if not suit:
        return not pairs and not kongs
    lowest = ((suit & -suit).bit_length() - 1) // BITS
    copies = suit >> BITS * lowest & MOST
    one = ONE[lowest]
    return (
        (copies >= 3 and _splits(suit - 3 * one, pairs, kongs, chows))
        or (copies >= 2 and pairs > 0 and _splits(suit - 2 * one, pairs - 1, kongs, chows))
        or (
            chows
            and suit >> BITS * (lowest + 1) & MOST > 0
            and suit >> BITS * (lowest + 2) & MOST > 0
            and _splits(suit - one * CHOW, pairs, kongs, chows)
        )
        or (copies == 4 and kongs > 0 and _splits(suit - 4 * one, pairs, kongs - 1, chows))
    )


def _of_orphans(waiting: int, melds: Melds) -> list[int]:
    if waiting & SIMPLES or any(len(meld.tiles) > 2 for meld in melds):
        return []
    counts = waiting + sum(ONE[index] for meld in melds for index in meld.tiles)
    return [index for index, one in enumerate(ONE) if counts + one in THIRTEEN_ORPHANS]


FAST: dict[str, Callable[[int, Melds], list[int]]] = {"sets": _of_sets, "orphans": _of_orphans}
