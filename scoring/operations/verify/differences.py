"""The differences that ``verify`` finds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from django.utils.translation import ngettext


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is stored as something else than it works out to.

    :ivar league: its slug; empty for what belongs to none.
    :ivar field: which figure; of a nested one the path to it, such as ``card.sets.0.points``.
    :ivar computed: what it works out to; where nothing can be worked out, the sentence that says why.
    :ivar repairable: whether it can be rebuilt; if not, only a person can say what is right.
    """

    league: str
    field: str
    stored: object
    computed: object
    game: int | None = None
    hand: int | None = None
    number: int | None = None
    player: str | None = None
    repairable: bool = True

    def __str__(self) -> str:
        places = [f"league {self.league}"] if self.league else ["all leagues"]
        if self.game is not None:
            places.append(f"game {self.game}")
        if self.hand is not None:
            places.append(f"hand {self.number} (id {self.hand})")
        if self.player is not None:
            places.append(f"player {self.player}")
        shown = f"stored {_shown(self.stored)}, computed {_shown(self.computed)}"
        if not self.repairable:
            shown = f"stored {_shown(self.stored)}: {self.computed}"
        return f"{', '.join(places)}: {self.field}: {shown}"


def unchecked_in_words(reasons: Iterable[str]) -> Iterator[str]:
    """How many hands could not be checked, a sentence for each reason; ``reasons`` has one for each hand."""
    for why, many in Counter(reasons).items():
        message = ngettext(
            "%(n)s hand could not be checked. %(why)s",
            "%(n)s hands could not be checked. %(why)s",
            many,
        )
        yield message % {"n": many, "why": why}


def _shown(value: object) -> str:
    if value is None or value == "":
        return "nothing"
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def deepest(path: str, stored: object, computed: object) -> tuple[str, object, object]:
    """The first place in which two JSON values differ: its path, what is there, what should be.

    >>> deepest("card", {"sets": [{"points": 4}]}, {"sets": [{"points": 8}]})
    ('card.sets.0.points', 4, 8)
    """
    for key, left, right in _parts(stored, computed):
        if left != right:
            return deepest(f"{path}.{key}", left, right)
    return path, stored, computed


def _parts(stored: object, computed: object) -> list[tuple[object, object, object]]:
    """What two containers of one kind hold under each key; nothing for anything else."""
    if isinstance(stored, Mapping) and isinstance(computed, Mapping):
        return [(key, stored.get(key), computed.get(key)) for key in {**computed, **stored}]
    if _is_list(stored) and _is_list(computed) and len(stored) == len(computed):
        return list(zip(range(len(stored)), stored, computed, strict=True))
    return []


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)
