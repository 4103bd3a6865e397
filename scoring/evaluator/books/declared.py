"""Declared sets of a player's hand: of a text that marks them, or as data beside the tiles."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.evaluator.counts import ONE, contains, counts_of
from scoring.evaluator.notation import (
    CLOSED,
    MOST_TILES,
    OPEN,
    check,
    format_tiles,
    parse_tiles,
    require_marks_after,
)
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.tiles import TILES, Tile

from .vocabulary import Group, rank_of

CLAIMED = "*#"  # marks a kong whose fourth tile was claimed to a concealed pung
MARKED = re.compile(r"([^\s*#]+)\s*(\*#|[*#])")
MOST_MELDS = 7
WHOLE = (13, 14)  # tiles of a whole hand without kongs


def laid_out(tiles: str) -> tuple[int, tuple[Group, ...]]:
    """The counts of the tiles in the hand, and the declared sets, of tiles with their marks.

    >>> [meld.claimed for meld in laid_out("2222B*# 333C*")[1]]
    [True, False]

    :raises HandError: for what is no tile or no set, a mark that stands before a set, and more tiles than a hand
        can have.
    """
    require_marks_after(tiles, "tiles")
    melds = tuple(_marked(match[1], match[2]) for match in MARKED.finditer(tiles))
    kept = parse_tiles(MARKED.sub(" ", tiles))
    size = len(kept) + sum(len(meld.tiles) for meld in melds)
    if size > MOST_TILES:
        check(size, 0)  # not counted: 32 of a tile would be one of the next
    return counts_of(kept), melds


def declared_sets(
    tiles: object, melds: object = None, *, whole: bool = True
) -> tuple[int, tuple[Group, ...]]:
    """The counts of the tiles in the hand, and the declared sets.

    :param tiles: a text, which may mark sets, or a list of codes: all tiles, or those beside ``melds``.
    :param melds: a list of ``"222B"`` (open), ``"2222B*#"``, ``["2B", "2B", "2B"]`` (open) or ``{"tiles": …,
        "concealed": true, "claimed": false}``.
    :param whole: the hand wins. Of who did not win, perhaps not all tiles are entered: melds that the tiles
        hold are among them.
    :raises HandError: for what is no tile or no set, and a set that is not among the tiles.

    >>> declared_sets("222B* 33B")[1] == declared_sets("22233B", ["222B"])[1]
    True
    """
    counts, marked = laid_out(_as_text(tiles))
    apart = _apart(melds, marked)
    laid = _counts_of_sets(apart)
    among = contains(counts, laid)
    beside = _beside(counts, marked, apart) if whole else not among
    if apart and not beside:
        if not among:
            raise refuse(
                "melds", "not_in_the_hand", "The declared sets are not all among the tiles."
            )
        counts -= laid
    return counts, (*marked, *apart)


def too_few_with_melds(tiles: object, melds: object) -> int | None:
    """How many ``tiles`` there are, if they hold all ``melds`` already and are too few for a hand; else None.

    Of these nobody can tell whether a set was left out, or one of the melds is there twice. Tiles that are
    none are for :func:`declared_sets` to refuse.

    >>> too_few_with_melds("123B 456B 789B 55D", ["123B"])
    11
    >>> too_few_with_melds("456B 789B 999C 55D", ["123B"])
    """
    try:
        counts, marked = laid_out(_as_text(tiles))
        apart = _apart(melds, marked)
    except HandError:
        return None
    size = _size(counts, marked)
    too_few = size - _kongs(marked, apart) < min(WHOLE)
    return size if apart and too_few and contains(counts, _counts_of_sets(apart)) else None


def _apart(melds: object, marked: Iterable[Group]) -> list[Group]:
    """The ``melds`` without those that the tiles mark: said twice, they are there once."""
    apart = list(_melds(melds)) if melds else []
    for meld in marked:
        if meld in apart:
            apart.remove(meld)
    return apart


def _as_text(tiles: object) -> str:
    text = " ".join(map(str, tiles)) if isinstance(tiles, list | tuple) else tiles
    if not isinstance(text, str):
        raise refuse("tiles", "not_tiles", "Give tiles as a text or as a list of codes.")
    return text


def set_as_json(meld: Group) -> dict[str, Any]:
    """A declared set as a stored hand keeps it."""
    tiles = [TILES[index].code for index in meld.tiles]
    claimed = {"claimed": True} if meld.claimed else {}
    return {"kind": meld.kind, "tiles": tiles, "concealed": meld.concealed, **claimed}


def mark_of(meld: Mapping[str, Any]) -> str:
    """What stands after a declared set that a stored hand keeps: ``*``, ``#`` or ``*#``.

    >>> [mark_of(set_as_json(meld)) for meld in laid_out("2222B*# 3333B# 444B*")[1]]
    ['*#', '#', '*']
    """
    if meld.get("claimed"):
        return CLAIMED
    return CLOSED if meld["concealed"] else OPEN


def format_set(meld: Group) -> str:
    """A set with its mark, as :func:`laid_out` reads it; without one where it need not be laid down.

    >>> [format_set(meld) for meld in laid_out("2222B*# 3333B# 444B* 5C5D*")[1]]
    ['2222B*#', '3333B#', '444B*', '5C5D*']
    """
    mark = "" if meld.concealed else OPEN
    if meld.kind == "kong":
        mark = CLAIMED if meld.claimed else CLOSED if meld.concealed else OPEN
    return format_tiles(TILES[index] for index in meld.tiles).replace(" ", "") + mark


def _beside(counts: int, marked: Sequence[Group], apart: Sequence[Group]) -> bool:
    """Whether the tiles are a whole hand only together with the sets that were given apart."""
    size = _size(counts, marked) - _kongs(marked, apart)
    return size not in WHOLE and size + sum(len(meld.tiles) for meld in apart) in WHOLE


def _size(counts: int, marked: Iterable[Group]) -> int:
    """How many tiles there are in the hand and in the ``marked`` sets."""
    in_hand = sum(counts >> 5 * index & 31 for index in range(len(TILES)))
    return in_hand + sum(len(meld.tiles) for meld in marked)


def _kongs(*of_sets: Iterable[Group]) -> int:
    return sum(meld.kind == "kong" for melds in of_sets for meld in melds)


def _counts_of_sets(melds: Iterable[Group]) -> int:
    return sum(ONE[index] for meld in melds for index in meld.tiles)


def _melds(melds: object) -> Iterable[Group]:
    if not isinstance(melds, list | tuple) or len(melds) > MOST_MELDS:
        raise refuse("melds", "not_melds", "Give the declared sets as a list of at most four.")
    for meld in melds:
        tiles, concealed, claimed = meld, False, False
        if isinstance(meld, Mapping):
            tiles = meld.get("tiles")
            concealed, claimed = meld.get("concealed", False), meld.get("claimed", False)
        elif isinstance(meld, str):
            claimed = meld.rstrip().endswith(CLAIMED)
            concealed = not claimed and meld.rstrip().endswith(CLOSED)
            tiles = meld.rstrip(" *#")
        if not (isinstance(concealed, bool) and isinstance(claimed, bool)):
            raise refuse("melds", "not_melds", "“concealed” of a declared set is true or false.")
        yield _meld(parse_tiles(tiles, "melds"), concealed)._replace(claimed=claimed)


def _marked(text: str, mark: str) -> Group:
    meld = _meld(parse_tiles(text, "melds"), mark == CLOSED)
    if mark != OPEN and meld.kind != "kong":
        raise refuse("melds", "no_meld", "Only a kong is laid down concealed: mark it “#”.")
    return meld._replace(claimed=mark == CLAIMED)


def _meld(tiles: Iterable[Tile], concealed: bool) -> Group:
    tiles = sorted(tiles)
    return Group(_kind(tiles), tuple(tile.index for tile in tiles), concealed=concealed)


def _kind(tiles: Sequence[Tile]) -> str:
    """What kind of set the sorted ``tiles`` are; knitted ones, too."""
    indexes = [tile.index for tile in tiles]
    if len(set(indexes)) == 1 and 2 <= len(indexes) <= 4:
        return {2: "pair", 3: "pung", 4: "kong"}[len(indexes)]
    ranks, suits = [rank_of(index) for index in indexes], {index // 9 for index in indexes}
    if len(indexes) == 3 and len(suits) == 1 and ranks[0] and _in_a_row(ranks):
        return "chow"
    if len(indexes) > 1 and ranks[0] and len(set(ranks)) == 1 and len(suits) == len(indexes):
        return "knitted" if len(indexes) == 3 else "knitted_pair"
    raise no_set()


def _in_a_row(ranks: Sequence[int]) -> bool:
    return list(ranks) == list(range(ranks[0], ranks[0] + 3))


def no_set() -> HandError:
    """That tiles which are declared together are no set."""
    message = "A declared set is a pung, a kong or a chow: three or four alike, or three in a row."
    return refuse("melds", "no_meld", message)
