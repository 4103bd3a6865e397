"""Why a hand does not win: what fits, what is left over, and which exchange would help."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from .hand import Hand
from .notation import format_tiles
from .rules import thirteen_orphans
from .search import interpretations
from .sets import SequenceSet, Set, set_of
from .text import Text
from .tiles import TILES, Tile

NAMED = 6


def why_not(hand: Hand) -> str:
    """One sentence or two, for a hand that does not win."""
    fits, left = best_fit(hand)
    parts = []
    if fits:
        sets = " ".join(format_tiles(each.tiles) for each in fits)
        parts.append(Text.of("These sets fit: {sets}.", sets=sets))
    parts.append(
        Text.of("Left over: {tiles}.", tiles=format_tiles(left))
        if left
        else Text("There must be four sets and exactly one pair.")
    )
    exchanges = list(islice(winning_exchanges(hand), NAMED))
    if exchanges:
        named = ", ".join(f"{out.code} → {new.code}" for out, new in exchanges)
        parts.append(Text.of("One exchange would make it win: {named}.", named=named))
    return " ".join(["This hand does not win.", *parts])


def winning_exchanges(hand: Hand) -> Iterator[tuple[Tile, Tile]]:
    """Every (tile to give, tile to take) that would make ``hand`` win."""
    counts = Counter(hand.tiles)
    free = counts - Counter(one for meld in hand.melds for one in meld.tiles)
    for out in sorted(free):
        rest = list(hand.tiles)
        rest.remove(out)
        for new in TILES:
            if new is out or counts[new] >= 4:
                continue
            tiles = tuple(sorted([*rest, new]))
            if interpretations(tiles, hand.melds) or (not hand.melds and thirteen_orphans(tiles)):
                yield out, new


def best_fit(hand: Hand) -> tuple[list[Set], list[Tile]]:
    """As many sets as fit (the declared ones among them), and the tiles left over."""
    counts = Counter(hand.tiles) - Counter(one for meld in hand.melds for one in meld.tiles)
    sets = list(hand.melds)
    pairs = 1
    for each in sorted(counts):
        while counts[each]:
            found = _first_set(each, counts, pairs) if len(sets) < 5 else None
            if found is None:
                break
            sets.append(found)
            pairs -= found.pair()
            counts.subtract(found.tiles)
    return sets, sorted(counts.elements())


def _first_set(first: Tile, counts: "Counter[Tile]", pairs: int) -> Set | None:
    run = [each for each in TILES[first.index : first.index + 3] if counts[each]]
    chow = set_of(run) if len(run) == 3 else None
    if counts[first] >= 3:
        return set_of([first] * 3)
    if isinstance(chow, SequenceSet):
        return chow
    return set_of([first] * 2) if pairs and counts[first] >= 2 else None
