"""The libraries that may judge the hands of a book, by their names on PyPI, and what each can be asked.

They are no part of the evaluator, which runs on Python alone: ``scoring.variants`` calls them.
"""

from collections.abc import Mapping
from typing import Any

YES_OR_NO = (True, False)

# For each its options, and for each of these the values that it may have, its default first.
LIBRARIES: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "PyMahjongGB": {},
    "mahjong": {
        "open_tanyao": YES_OR_NO,
        "double_yakuman": YES_OR_NO,
        "kazoe": ("yakuman", "sanbaiman", "unlimited"),
        "kiriage": (False, True),
        "open_pinfu_fu": YES_OR_NO,
        "drawn_pinfu_fu": (False, True),
    },
}

# What each reads of a book's counting, and what it decides of it, whatever a book says.
READS: Mapping[str, tuple[str, ...]] = {
    "PyMahjongGB": ("minimum", "maximum", "table"),
    "mahjong": (),
}
DECIDES: Mapping[str, Mapping[str, Any]] = {"mahjong": {"minimum": 1, "rounding": 100}}
# Those that count flowers and seasons.
COUNT_BONUS = ("PyMahjongGB",)
# The settlements that can share what each says a hand is worth; any for those that are not here.
SETTLEMENTS: Mapping[str, tuple[str, ...]] = {"mahjong": ("costs",)}

# What each calls a faan.
FAAN = {"PyMahjongGB": "fan", "mahjong": "han"}


def faan_of(engine: str) -> str:
    """What the books of this library, or of none, call a faan."""
    return FAAN.get(engine, "faan")
