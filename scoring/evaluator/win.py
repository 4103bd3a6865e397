"""How a hand was won, apart from its tiles and its winds: one value from the entry to the rules.

What passes it on names no field of it: the entry, the columns of a hand, its sheet in CSV, its
correction, its replay. A new circumstance is one field here, one trait of the same name, a column, and a
place on the form and in the API where somebody says so.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Win(NamedTuple):
    """What the rules may know of how a hand was won. Each field is a column and a trait of its name.

    ``concealed``: no set was claimed; None leaves it to the declared sets. ``self_drawn``: the winner
    drew the last tile.
    """

    concealed: bool | None = None
    self_drawn: bool = False

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Win":
        """What ``values`` says by name, beside whatever else; null, or nothing, is as usual.

        >>> Win.of({"tiles": "222B", "concealed": None, "self_drawn": True}) == Win(self_drawn=True)
        True
        """
        return cls(**{name: values[name] for name in cls._fields if values.get(name) is not None})

    @classmethod
    def from_columns(cls, row: object) -> "Win":
        """How a stored hand, or a row with its columns, was won.

        >>> from types import SimpleNamespace
        >>> Win.from_columns(SimpleNamespace(winner=3, concealed=True, self_drawn=False))[:2]
        (True, False)
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


USUAL = Win()
