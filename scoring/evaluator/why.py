"""Why a hand does not win: what fits, what is left over, and which exchange would help."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeVar

from .counts import COPIES, HONORS_MASK, ONE, SUIT_MASKS, contains, copies, tiles_of
from .notation import FEWEST_TILES, format_tiles
from .readings import THIRTEEN_ORPHANS
from .search import HEADS, Sets, splits
from .sets import Set
from .text import Text
from .tiles import TILES, Tile
from .traits import SIMPLES_MASK

NAMED = 6  # exchanges in a sentence
REMEMBERED = 2**14  # suits
SUITS = (*SUIT_MASKS, HONORS_MASK)

Shapes = frozenset[tuple[int, int]]
T = TypeVar("T")


class Exchange(NamedTuple):
    """A tile to give away and the tile to take for it."""

    given: Tile
    taken: Tile


def why_not(counts: int, melds: Sets) -> str:
    """A few sentences about a hand that does not win."""
    fits, left = best_fit(counts, melds)
    said = [Text("This hand does not win.")]
    size = len(left) + sum(len(each.tiles) for each in fits)
    kongs = size - FEWEST_TILES
    if kongs > sum(each.kind == "kong" for each in fits):
        template = "{size} tiles take a kong." if kongs == 1 else "{size} tiles take {kongs} kongs."
        said.append(Text.of(template, size=size, kongs=kongs))
    if fits:
        sets = " ".join([_word(each.counts) for each in fits])
        said.append(Text.of("These sets fit: {sets}.", sets=sets))
    if left:
        said.append(Text.of("Left over: {tiles}.", tiles=format_tiles(left)))
    found = winning_exchanges(counts, melds)
    if found:
        named = ", ".join(f"{given.code} → {taken.code}" for given, taken in found[:NAMED])
        template = "One exchange would make it win: {named}."
        if len(found) > NAMED:
            template = "One exchange would make it win: {named}, or one of {more} more."
        said.append(Text.of(template, named=named, more=len(found) - NAMED))
    return " ".join(said)


def best_fit(counts: int, melds: Sets = ()) -> tuple[Sets, list[Tile]]:
    """As many sets as fit (``melds`` among them; at most four and a pair), and the tiles left over."""
    loose = counts - sum([meld.counts for meld in melds])
    parts = [loose & mask for mask in SUITS]
    without = [_most_sets(part, 0) for part in parts]
    room = 4 - len(melds)
    candidates = [sum(without, ())[:room]]
    for i, part in enumerate(parts):
        chosen = sum([*without[:i], _most_sets(part, 1), *without[i + 1 :]], ())
        pair = tuple([each for each in chosen if each.pair()])
        candidates.append(tuple([each for each in chosen if not each.pair()][:room]) + pair)
    best = max(candidates, key=_used)
    left = loose - sum([each.counts for each in best])
    return melds + tuple(sorted(best, key=_lowest)), tiles_of(left)


def winning_exchanges(counts: int, melds: Sets = ()) -> list[Exchange]:
    """Every exchange of one tile, none of a meld, that makes a hand win; sorted by tiles."""
    found = set(_exchanges(counts, melds))
    if not melds:
        found |= set(_towards_orphans(counts))
    return sorted(found, key=_by_tiles)


def _exchanges(counts: int, melds: Sets) -> Iterator[Exchange]:
    """A tile goes from one suit and comes to one: the others must be whole as they are."""
    loose = counts - sum([meld.counts for meld in melds])
    parts = [loose & mask for mask in SUITS]
    wholes = [counts & mask for mask in SUITS]
    own = [shapes(part) for part in parts]
    wanted = 5 - len(melds)
    for i, j, rest in _suits_to_change(tuple([not each for each in own])):
        others = tuple([own[k] for k in rest])
        if i == j:
            for now, exchanges in _within(parts[i], wholes[i], i):
                if _adds_up((*others, now), wanted):
                    yield from exchanges
        else:
            for less, given in _without_one(parts[i]):
                for more, taken in _with_one(parts[j], wholes[j], j):
                    if _adds_up((*others, less, more), wanted):
                        yield from map(Exchange._make, product(given, taken))


@lru_cache(maxsize=16)
def _suits_to_change(broken: tuple[bool, ...]) -> list[tuple[int, int, tuple[int, ...]]]:
    """From which suit a tile may go and to which it may come, and the suits that stay.

    What stays must be whole: with three broken suits nothing can be done.
    """
    choices = [
        (i, j, tuple(k for k in range(4) if k not in (i, j)))
        for i, j in product(range(4), repeat=2)
    ]
    return [choice for choice in choices if not any(broken[k] for k in choice[2])]


@lru_cache(maxsize=REMEMBERED)
def shapes(counts: int) -> Shapes:
    """How many sets and pairs the tiles of one suit can be split into; empty if they cannot."""
    return frozenset((len(sets), sum(each.pair() for each in sets)) for sets in splits(counts))


@lru_cache(maxsize=REMEMBERED)
def _adds_up(suits: tuple[Shapes, ...], wanted: int) -> bool:
    """Whether one shape a suit makes ``wanted`` sets, one of them a pair."""
    sums = {(0, 0)}
    for each in suits:
        sums = {(a + c, b + d) for a, b in sums for c, d in each}
    return (wanted, 1) in sums


@lru_cache(maxsize=REMEMBERED)
def _without_one(counts: int) -> tuple[tuple[Shapes, tuple[Tile, ...]], ...]:
    """What a suit can be split into without one tile, and the tiles for which that holds."""
    kinds = dict.fromkeys(tiles_of(counts))
    return _by_shapes((shapes(counts - ONE[each.index]), each) for each in kinds)


@lru_cache(maxsize=REMEMBERED)
def _with_one(counts: int, whole: int, suit: int) -> tuple[tuple[Shapes, tuple[Tile, ...]], ...]:
    """What a suit can be split into with one more, and the tiles for which that holds."""
    free = [each for each in OF_SUIT[suit] if copies(whole, each) < COPIES]
    return _by_shapes((shapes(counts + ONE[each.index]), each) for each in free)


@lru_cache(maxsize=REMEMBERED)
def _within(counts: int, whole: int, suit: int) -> tuple[tuple[Shapes, tuple[Exchange, ...]], ...]:
    """What a suit can be split into after an exchange, and the exchanges for which that holds."""
    free = [each for each in OF_SUIT[suit] if copies(whole, each) < COPIES]
    return _by_shapes(
        (shapes(counts - ONE[given.index] + ONE[taken.index]), Exchange(given, taken))
        for given in dict.fromkeys(tiles_of(counts))
        for taken in free
        if given is not taken
    )


def _by_shapes(found: Iterable[tuple[Shapes, T]]) -> tuple[tuple[Shapes, tuple[T, ...]], ...]:
    grouped: dict[Shapes, list[T]] = {}
    for each, change in found:
        if each:
            grouped.setdefault(each, []).append(change)
    return tuple((each, tuple(changes)) for each, changes in grouped.items())


def _towards_orphans(counts: int) -> Iterator[Exchange]:
    if counts & SIMPLES_MASK not in ONE_SIMPLE_OR_NONE:
        return
    simples = tiles_of(counts & SIMPLES_MASK)
    for given in dict.fromkeys(simples or tiles_of(counts)):
        for taken in TILES:
            becomes = counts - ONE[given.index] + ONE[taken.index]
            if given is not taken and becomes in THIRTEEN_ORPHANS:
                yield Exchange(given, taken)


@lru_cache(maxsize=REMEMBERED)
def _most_sets(counts: int, pairs: int) -> Sets:
    """The most sets, then the most tiles, in one suit; tiles may be left over, ``pairs`` at most."""
    if not counts:
        return ()
    lowest = next(each for each in TILES if copies(counts, each))
    candidates: list[Sets] = []
    for head, its_counts in HEADS[lowest.index]:
        if contains(counts, its_counts) and (pairs or not head.pair()):
            rest = _most_sets(counts - its_counts, pairs - head.pair())
            candidates.append((head, *rest))
    candidates.append(_most_sets(counts - ONE[lowest.index], pairs))
    return max(candidates, key=_used)


def _by_tiles(each: Exchange) -> tuple[int, int]:
    return each.given.index, each.taken.index


@lru_cache(maxsize=512)
def _word(found: int) -> str:
    """The set with these counts, as one writes it."""
    return format_tiles(tiles_of(found))


def _lowest(each: Set) -> int:
    return each.tiles[0].index


def _used(sets: Sets) -> tuple[int, int]:
    return len(sets), sum(len(each.tiles) for each in sets)


OF_SUIT = (TILES[:9], TILES[9:18], TILES[18:27], TILES[27:])
ONE_SIMPLE_OR_NONE = frozenset([0, *(ONE[each.index] for each in TILES if each.simple())])
