"""``Win``: how a hand was won, apart from tiles and winds; one value from the entry to the rules.

What passes it on names no field of it: the entry, the columns of a hand, its sheet in CSV, its
correction, its replay. A new circumstance is a name in ``books/vocabulary.py`` (``WON_BY``, ``FLAGS``), without
a column or a field here; the database names the ways to win in a constraint, so one of ``WON_BY`` needs a
migration (CONTRIBUTING has the recipe). What the club's own rules read of it is a trait besides (``traits.READ``).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from .books.vocabulary import DRAWN, WON_BY
from .problems import HandError, Problem
from .text import Text

PLAIN_WAYS = ("discard", "self_drawn")  # without a name of their own


class Win(NamedTuple):
    """What the rules may know of how a hand was won. Each field is a column of its name.

    ``concealed``: no set was claimed; None leaves it to the declared sets. ``self_drawn``: the winner
    drew the last tile. ``won_by``: in which special way, such as ``robbing_kong``; empty for a discard
    or a drawn tile. ``winning_tile`` is its code. ``bonus`` are flowers and seasons, ``flags`` what
    else the table says: codes and names, parted by blanks. ``value``: of the line of a card, in whole
    points. ``dora_indicators``: codes of tiles of the dead wall.
    """

    concealed: bool | None = None
    self_drawn: bool = False
    won_by: str = ""
    winning_tile: str = ""
    bonus: str = ""
    flags: str = ""
    value: int = 0
    dora_indicators: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Win":
        """What ``values`` says by name, beside whatever else; null, or nothing, is as usual.

        >>> Win.of({"tiles": "222B", "concealed": None, "self_drawn": True}) == Win(self_drawn=True)
        True
        >>> Win.of({"bonus": ["Y2", "F1"], "won_by": "self_drawn"})[1:5]
        (True, '', '', 'F1 Y2')
        """
        given = {name: _plain(values[name]) for name in cls._fields if values.get(name) is not None}
        win = cls(**given)
        drawn = win.won_by in DRAWN
        if not win.won_by or given.get("self_drawn", drawn) is not drawn:
            return win  # what contradicts itself is refused where it is checked
        return win._replace(self_drawn=drawn, won_by="" if win.won_by in PLAIN_WAYS else win.won_by)

    @classmethod
    def from_columns(cls, row: object) -> "Win":
        """How a stored hand, or a row with its columns, was won.

        >>> from types import SimpleNamespace
        >>> row = SimpleNamespace(winner=3, **Win(self_drawn=True)._asdict())
        >>> Win.from_columns(row) == Win(self_drawn=True)
        True
        """
        return cls._make([getattr(row, name) for name in cls._fields])

    def but(self, how_won: Mapping[str, Any]) -> "Win":
        """The same with other fields.

        :raises TypeError: for a name that is no field.

        >>> Win(self_drawn=True).but({"concealed": False})[:2]
        (False, True)
        """
        if not how_won:
            return self
        return Win(**how_won) if self is USUAL else Win(**{**self._asdict(), **how_won})

    def with_melds(self, *, concealed: bool) -> "Win":
        """The same, and where it leaves open whether it is concealed, what the declared sets say.

        >>> Win(self_drawn=True).with_melds(concealed=True)[:2]
        (True, True)
        """
        return self if self.concealed is not None else self._replace(concealed=concealed)

    def names(self, field: str) -> tuple[str, ...]:
        """The names that stand in ``bonus`` or ``flags``.

        >>> Win(flags="original_call").names("flags")
        ('original_call',)
        """
        text: str = getattr(self, field)
        return tuple(text.split())

    def check(self) -> None:
        """:raises HandError: for each field that is not of its own kind, such as “yes” for true."""
        if tuple(map(type, self)) in USUAL_TYPES:
            return
        problems = [
            Problem(name, "not_how_won", _expected(name, usual))
            for name, value, usual in zip(self._fields, self, USUAL, strict=True)
            if not (
                isinstance(value, str) if isinstance(usual, str) else type(value) in KINDS[name]
            )
        ]
        if problems:
            raise HandError(problems)

    @property
    def special(self) -> bool:
        """Whether anything is said that only rule books with circumstances know."""
        return self[2:] != USUAL[2:]

    @property
    def contradicts(self) -> bool:
        """Whether ``won_by`` and ``self_drawn`` cannot both be.

        >>> Win(won_by="robbing_kong", self_drawn=True).contradicts
        True
        """
        return self.won_by in WON_BY and (self.won_by in DRAWN) is not self.self_drawn

    @property
    def way(self) -> str:
        """The name of how it was won, also where that is as usual.

        >>> Win().way, Win(self_drawn=True).way
        ('discard', 'self_drawn')
        """
        return self.won_by or ("self_drawn" if self.self_drawn else "discard")


def _plain(value: Any) -> Any:
    """A list of names as one text, in one order."""
    return " ".join(sorted(value)) if isinstance(value, list | tuple | set | frozenset) else value


def _expected(name: str, usual: object) -> Text:
    """What a field is, in words, where ``usual`` is of its kind."""
    if bool in KINDS.get(name, ()):
        return Text.of("“{name}” is true or false.", name=name)
    if isinstance(usual, str):
        return Text.of("“{key}” is a text.", key=name)
    return Text("The value of a line is a whole number.")


USUAL = Win()
# Of what kind a field is that is no text.
KINDS = {"concealed": (bool, type(None)), "self_drawn": (bool,), "value": (int,)}
USUAL_TYPES = {tuple(map(type, win)) for win in (USUAL, Win(concealed=True))}
