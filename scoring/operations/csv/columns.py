"""The columns of a sheet, and what may stand in a cell."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.evaluator.books.declared import mark_of
from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.evaluator.tiles import WINDS
from scoring.evaluator.win import Win

SEATS = tuple(wind.label.lower() for wind in WINDS)
COLUMNS = (
    *("date", "league", "game", "number", *SEATS, "outcome", "winner", "discarder"),
    *("tiles", "melds", *Win._fields, "liable", "others"),
    *("claimed_final", "claimed_limit", "final"),
    *("payments", "status", "disputed_by"),
)
REQUIRED = ("date", "game", "number", *SEATS, "outcome")
# What a hand that stands is called: its points count, or wait.
COUNTS, DISPUTED = "live", "disputed"
ANSWERS = {"yes": True, "no": False, "": None}

# A spreadsheet takes a cell that begins so for a formula. Quotes before it are counted in, so that
# each name comes back as it was: 'tHart stays, =A1 is '=A1, and '=A1 is ''=A1.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
QUOTED_FORMULA = re.compile(r"''*[=+\-@\t\r]")


def safe(text: str) -> str:
    """``text`` as a cell that no spreadsheet takes for a formula.

    >>> safe("=A1"), safe("'tHart")
    ("'=A1", "'tHart")
    """
    return f"'{text}" if FORMULA.match(text) else text


def unquoted(cell: str) -> str:
    """What :func:`safe` was given.

    >>> unquoted("'=A1"), unquoted("'tHart")
    ('=A1', "'tHart")
    """
    return cell[1:] if QUOTED_FORMULA.match(cell) else cell


# What a cell of each field of ``Win`` holds: yes and no, a whole number, or text.
ANSWERED = ("concealed", "self_drawn")
NUMBERED = ("value",)


def words_of(win: Win) -> dict[str, str]:
    """How a hand was won, as the cells have it, by column."""
    return {name: _cell(value) for name, value in win._asdict().items()}


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return answer(value)
    return str(value) if value else ""


def answer(value: bool) -> str:
    """``value`` as a cell has it."""
    return "yes" if value else "no"


def melds(sets: Iterable[dict[str, Any]]) -> str:
    """Declared sets as a cell has them: ``222B* 5555C# 7777D*#``."""
    return " ".join(map(declared_set, sets))


def declared_set(meld: Mapping[str, Any]) -> str:
    """One of them. A set of several suits is one word, too: ``5C5D*``."""
    return format_tiles(parse_tiles(meld["tiles"])).replace(" ", "") + mark_of(meld)


def payments(amounts: Sequence[int]) -> str:
    """What the four seats won or paid, in whole points.

    >>> payments([-160, 320, -80, -80])
    'E -160 S 320 W -80 N -80'
    """
    return " ".join(f"{wind.value} {amount}" for wind, amount in zip(WINDS, amounts, strict=True))
