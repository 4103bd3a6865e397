"""What the pad of 34 tiles needs to know: its rows, and the limit hands it can lay out."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.evaluator.rules import LIMIT_RULES, RuleSet
from scoring.evaluator.tiles import TILES, Tile


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles that stand together on the pad."""

    name: str
    tiles: list[Tile]


@dataclass(frozen=True, slots=True)
class Pad:
    """Rows of tiles and the ids of the limit hands.

    ``limit`` is the score of a limit hand, ``step`` what scores are rounded to, in whole points.
    """

    rows: list[Row]
    limits: list[str]
    limit: int
    step: int


def pad_of(rules: RuleSet) -> Pad:
    """The pad for a table that plays by ``rules``."""
    suits = [(_("Bamboo"), 0), (_("Characters"), 9), (_("Dots"), 18)]
    rows = [Row(name, list(TILES[first : first + 9])) for name, first in suits]
    rows.append(Row(_("Winds and dragons"), list(TILES[27:])))
    limits = [rule.id for rule in LIMIT_RULES]
    return Pad(rows=rows, limits=limits, limit=rules.limit, step=rules.rounding)
