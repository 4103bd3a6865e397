"""Names that are hidden from visitors, who read initials in their place.

The club hides everybody's name, a league the names of those who play in it. Names are replaced where
they leave the database, by the fields below: a new page or call has nothing to do for it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import models
from django.db.models import Exists, ExpressionWrapper, OuterRef, Q

from .club import REMEMBERED_FOR, current_club

if TYPE_CHECKING:
    TextField = models.CharField[str, str]
else:
    TextField = models.CharField


@dataclass(frozen=True, slots=True)
class Hiding:
    """Whose names are hidden: everybody's, or those of the players of ``leagues`` (their ids)."""

    everybody: bool = False
    leagues: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self.everybody or bool(self.leagues)

    @property
    def players(self) -> Q:
        """The condition of a player whose name is hidden."""
        if self.everybody:
            return Q(pk__isnull=False)
        seats = apps.get_model("scoring", "Seat")._base_manager.filter(player=OuterRef("pk"))
        tallies = apps.get_model("scoring", "Tally")._base_manager.filter(player=OuterRef("pk"))
        plays = Exists(seats.filter(game__league__in=self.leagues))
        return Q(plays | Exists(tallies.filter(league__in=self.leagues)))


NOTHING = Hiding()
# The ids of the leagues that hide names, and until when they hold, in seconds of this process's clock.
_remembered: list[tuple[frozenset[int], float]] = []


class Reader:
    """Whom the names are read for. ``is_visitor`` is asked late: an API token is read by the view."""

    def __init__(self, is_visitor: Callable[[], bool]) -> None:
        self.is_visitor = is_visitor

    @cached_property
    def initials(self) -> dict[str, str]:
        """By the hidden name in small letters, what is shown for it. One query."""
        players = apps.get_model("scoring", "Player")._base_manager.order_by("pk")
        hidden = ExpressionWrapper(hiding_now().players, models.BooleanField())
        with full_names():
            rows = list(players.values_list("name", "anonymous_since", hidden))
        shown = unique_initials(name for name, *_rest in rows)
        return {
            name.casefold(): name if anonymous_since else initials
            for (name, anonymous_since, is_hidden), initials in zip(rows, shown, strict=True)
            if is_hidden
        }

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Any of the hidden names, as whole words of a text; None without any."""
        longest_first = sorted(self.initials, key=len, reverse=True)
        any_name = "|".join(map(re.escape, longest_first))
        return re.compile(rf"(?<!\w)(?:{any_name})(?!\w)", re.IGNORECASE) if any_name else None


# None outside of requests: commands, workers and exports read full names.
_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


@contextmanager
def read_for(reader: Reader | None) -> Iterator[None]:
    """Inside, the names that are read from the database are those that ``reader`` may see."""
    before = _reader.set(reader)
    try:
        yield
    finally:
        _reader.reset(before)


@contextmanager
def full_names() -> Iterator[None]:
    """Inside, nobody's name is hidden: for whoever holds the code of a table or an invitation."""
    with read_for(None):
        yield


def hiding() -> Hiding:
    """What is hidden from whoever reads now."""
    reader = _reader.get()
    if reader is None or not (now := hiding_now()):
        return NOTHING
    return now if reader.is_visitor() else NOTHING


def hiding_now() -> Hiding:
    """What is hidden from visitors, read at most every ``REMEMBERED_FOR`` seconds by each worker."""
    if not _remembered or monotonic() >= _remembered[0][1]:
        leagues = apps.get_model("scoring", "League")._base_manager.filter(hides_names=True)
        remember(leagues.values_list("pk", flat=True))
    return Hiding(current_club().hides_names, _remembered[0][0])


def remember(leagues: Iterable[int], seconds: float = REMEMBERED_FOR) -> None:
    """Let :func:`hiding_now` take ``leagues`` (ids) for those that hide names, for that time."""
    _remembered[:] = [(frozenset(leagues), monotonic() + seconds)]


def forget() -> None:
    """Let :func:`hiding_now` ask the database anew."""
    _remembered.clear()


def hiding_etag() -> str:
    """What to add to an etag: pages with full names and with initials are not the same."""
    now = hiding()
    if not now:
        return ""
    return "-" + sha256(f"{now.everybody} {sorted(now.leagues)}".encode()).hexdigest()[:8]


def unique_initials(names: Iterable[str]) -> Iterator[str]:
    """The initials of each of ``names``; from the second person with the same ones on, with a number.

    >>> list(unique_initials(["Margaret Whitcombe", "Jan de Wit", "Mary Wells"]))
    ['M. W.', 'J. d. W.', 'M. W. 2']
    """
    taken: dict[str, int] = {}
    for name in names:
        initials = initials_of(name)
        taken[initials.casefold()] = number = taken.get(initials.casefold(), 0) + 1
        yield initials if number == 1 else f"{initials} {number}"


def initials_of(name: str) -> str:
    """The first letter of each word of ``name``: of the first word, a capital."""
    firsts = [next((one for one in word if one.isalnum()), "") for word in name.split()]
    letters = "".join(firsts) or "N"
    letters = letters[0].upper() + letters[1:]
    return " ".join(f"{letter}." for letter in letters)


class ShownText(str):
    """What a visitor reads in place of ``stored``, which is what a filter or a save still means."""

    stored: str


class _HidingField(TextField):
    """A column of text that visitors may read otherwise than it is stored."""

    def deconstruct(self) -> Any:
        """For the database it is a ``CharField``: no migration is about what visitors read."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        reader = _reader.get()
        if not value or reader is None or not hiding():
            return value
        text = self.shown(value, reader)
        if text == value:
            return value
        shown = ShownText(text)
        shown.stored = value
        return shown

    def shown(self, value: str, reader: Reader) -> str:
        """What ``reader``, a visitor, sees."""
        raise NotImplementedError

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(value.stored if isinstance(value, ShownText) else value)


class PersonName(_HidingField):
    """The name of a player."""

    def shown(self, value: str, reader: Reader) -> str:
        known = reader.initials.get(value.casefold())
        return known or (initials_of(value) if hiding().everybody else value)


class Reason(_HidingField):
    """What somebody typed as a reason. Only the full names of players in it are replaced."""

    def shown(self, value: str, reader: Reader) -> str:
        if reader.pattern is None:
            return value
        return reader.pattern.sub(lambda found: self._initials(found[0], reader), value)

    @staticmethod
    def _initials(name: str, reader: Reader) -> str:
        return reader.initials.get(name.casefold()) or initials_of(name)
