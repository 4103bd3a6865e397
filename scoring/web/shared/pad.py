"""The rows of the pad of 34 tiles, and the limit hands it can lay out."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.evaluator.table_rules import TableRules, codes
from scoring.evaluator.tiles import TILES, Tile
from scoring.translation import translate


@dataclass(frozen=True, slots=True)
class PadRow:
    """Tiles that stand together on the pad."""

    name: str
    tiles: list[Tile]


WHOLE = 14  # tiles of a hand
# What a limit hand leaves open, once its own tiles lie there (pad/limit_hands.js).
ASKS = {
    "big_three_dragons": gettext_lazy("Tap the fourth set, then the pair."),
    "little_four_winds": gettext_lazy("Tap the wind of the pair, then the fourth set."),
    "big_four_winds": gettext_lazy("Tap the pair."),
    "all_honors": gettext_lazy("Tap four sets of winds and dragons, then the pair."),
    "all_terminals": gettext_lazy("Tap four sets of ones and nines, then the pair."),
    "thirteen_orphans": gettext_lazy("Tap the tile that is there twice."),
    "nine_gates": gettext_lazy("Tap the fourteenth tile: it says the suit."),
}


@dataclass(frozen=True, slots=True)
class LimitKey:
    """The key of a limit hand, and what it asks for; ``pairs`` are tiles that it can begin with.

    ``worth`` is its score in whole points, 0 where all score the same. ``lays`` are the codes of its tiles,
    where the rules tell them; parted by ``|``, one text for each choice of suits.
    """

    id: str
    name: str
    asks: str | Promise
    pairs: list[Tile]
    worth: int
    lays: str


@dataclass(frozen=True, slots=True)
class Pad:
    """Rows of tiles and the keys of the limit hands, which score ``limit`` points; 0: each its own.

    ``pairs``: a hand of seven pairs wins.
    """

    rows: list[PadRow]
    limits: list[LimitKey]
    limit: int
    pairs: bool


def pad_of(rules: TableRules) -> Pad:
    """The pad for a table that plays by ``rules``."""
    suits = [(_("Bamboo"), 0), (_("Characters"), 9), (_("Dots"), 18)]
    rows = [PadRow(name, list(TILES[first : first + 9])) for name, first in suits]
    rows.append(PadRow(_("Winds and dragons"), list(TILES[27:])))
    winds = list(TILES[27:31])
    scores = set(rules.limits.values())
    limit = scores.pop() if len(scores) == 1 else 0
    limits = [
        LimitKey(
            rule,
            translate(rules.limit_names[rule]),
            _asks(rule, rules),
            winds if rule == "little_four_winds" else [],
            0 if limit else worth,
            "|".join(map(codes, rules.limit_tiles.get(rule, ()))),
        )
        for rule, worth in rules.limits.items()
    ]
    return Pad(rows=rows, limits=limits, limit=limit, pairs=rules.knows_pairs)


def _asks(limit: str, rules: TableRules) -> str | Promise:
    """What is to be tapped once the tiles of ``limit`` lie there that are known."""
    choices = rules.limit_tiles.get(limit, ())
    if not choices:
        return ASKS.get(limit, "")
    if len(choices[0]) < WHOLE:
        return ASKS["nine_gates" if len(choices) > 1 else "thirteen_orphans"]
    return _("Tap any tile of its suit.") if len(choices) > 1 else ""
