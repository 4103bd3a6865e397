"""What a hand that is being entered still lacks, in words: "one more set and a pair"."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.tiles import Tile

SETS, TILES = 4, 14


def missing(text: str) -> str:
    """What ``text`` lacks to be four sets and a pair; empty if it lacks nothing or is no hand.

    Words of the text count as they stand: "222B 345B" are two sets. Where they are no sets, tiles
    are counted instead.
    """
    try:
        groups = [parse_tiles(word.rstrip("*#")) for word in text.replace(",", " ").split()]
    except HandError:
        return ""
    sets = sum(_is_set(group) for group in groups)
    pairs = sum(len(group) == 2 and len(set(group)) == 1 for group in groups)
    if sets + pairs == len(groups) and pairs <= 1:
        return _missing_sets(SETS - sets, 1 - pairs)
    return _missing_tiles([tile for group in groups for tile in group])


def _is_set(group: Sequence[Tile]) -> bool:
    if len(set(group)) == 1:
        return len(group) in (3, 4)
    ranks = "".join(sorted(tile.code[0] for tile in group))
    return len(group) == 3 and len({tile.code[1:] for tile in group}) == 1 and ranks in "123456789"


def _missing_sets(sets: int, pairs: int) -> str:
    wanted = {
        0: "",
        1: _("one more set"),
        2: _("two more sets"),
        3: _("three more sets"),
        4: _("four sets"),
    }.get(sets, "")
    if wanted and pairs:
        return _("%(sets)s and a pair") % {"sets": wanted}
    return wanted or (_("a pair") if pairs and sets == 0 else "")


def _missing_tiles(tiles: Sequence[Tile]) -> str:
    lacking = TILES - len(tiles)
    if lacking <= 0:
        return ""
    return ngettext("%(count)s more tile", "%(count)s more tiles", lacking) % {"count": lacking}
