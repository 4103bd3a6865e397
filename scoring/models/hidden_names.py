"""Names that are hidden from visitors, who read initials in their place.

The club hides everybody's name, a league the names of those who play in it or are named in its standing
rules, and a person their own. Names are replaced where they leave the database (the columns of ``permissions.py``): a new page
or call has nothing to do for it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from django.apps import apps
from django.db import DatabaseError, models
from django.db.models import Exists, ExpressionWrapper, OuterRef, Q, Value

from .club import known_club
from .names_in_text import FoundName, NamesInText, names_with, plain_name
from .permissions import ShownText, current_reader, full_names, read_for
from .remembered import REMEMBERED_FOR, Remembered
from .standing_people import named_in
from .texts import former_names


@dataclass(frozen=True, slots=True)
class Hiding:
    """Whose names are hidden: everybody's, or those of the people of ``leagues``, and of ``people`` who wish it (ids)."""

    everybody: bool = False
    leagues: frozenset[int] = frozenset()
    people: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self.everybody or bool(self.leagues or self.people)

    @property
    def players(self) -> Q:
        """The condition of a player whose name is hidden. One query, for who is named in standing rules."""
        if self.everybody:
            return Q(pk__isnull=False)
        rules = apps.get_model("scoring", "StandingRules")._base_manager
        tables = rules.filter(league__in=self.leagues).values_list("tables", flat=True)
        named = {pk for stored in tables for pk in named_in(stored)}
        seats = apps.get_model("scoring", "Seat")._base_manager.filter(player=OuterRef("pk"))
        tallies = apps.get_model("scoring", "Tally")._base_manager.filter(player=OuterRef("pk"))
        plays = Exists(seats.filter(game__league__in=self.leagues))
        there = plays | Exists(tallies.filter(league__in=self.leagues))
        return Q(there | Q(pk__in=named | self.people))


NOTHING = Hiding()


def _hidden() -> Hiding | None:
    """What leagues and people hide. One query."""
    leagues = apps.get_model("scoring", "League")._base_manager.filter(hides_names=True)
    people = apps.get_model("scoring", "Player")._base_manager.filter(hides_name=True)
    hidden = leagues.order_by().values_list(Value("league"), "pk")
    rows = list(hidden.union(people.order_by().values_list(Value("player"), "pk"), all=True))
    by_kind = {
        kind: frozenset(pk for of, pk in rows if of == kind) for kind in ("league", "player")
    }
    return Hiding(leagues=by_kind["league"], people=by_kind["player"])


# What leagues and people hide; None while nobody knows.
_remembered = Remembered(_hidden)


class VisitorNames:
    """The reader of a request while ``hiding`` is hidden: members read everything, visitors initials.

    :ivar is_visitor: asked late, because the view reads an API token.
    """

    def __init__(self, hiding: Hiding, is_visitor: Callable[[], bool]) -> None:
        self.hiding = hiding
        self.is_visitor = is_visitor

    def name(self, stored: str) -> str:
        """The initials of the player ``stored``, if they are hidden."""
        if not self.is_visitor():
            return stored
        known = self.initials.get(stored.lower())
        return known or (initials_of(stored) if self.hiding.everybody else stored)

    def reason(self, stored: str) -> str:
        """``stored`` with initials for the full names in it that are hidden."""
        if not self.is_visitor() or self.names is None:
            return stored
        return self.names.replace(stored, self._shown)

    def _shown(self, found: FoundName) -> str:
        exact = found.text.lower()
        if exact in self.initials:
            return self.initials[exact]
        # However else it is typed. A name that somebody else has stays.
        return (
            found.text if exact in self._others else self._by_plain_name.get(found.key, found.text)
        )

    @cached_property
    def _players(self) -> list[tuple[int, str, datetime | None, bool]]:
        """Of each player the id, the name, since when they are anonymous, and whether it is hidden. Two queries."""
        # In the order in which people joined: nobody's number changes because somebody came later.
        players = apps.get_model("scoring", "Player")._base_manager.order_by("pk")
        hidden = ExpressionWrapper(self.hiding.players, models.BooleanField())
        with full_names():
            return list(players.values_list("pk", "name", "anonymous_since", hidden))

    @cached_property
    def initials(self) -> dict[str, str]:
        """By the hidden name in small letters, what is shown for it."""
        shown = unique_initials(name for _pk, name, *_rest in self._players)
        return {
            name.lower(): name if anonymous_since else initials
            for (_pk, name, anonymous_since, is_hidden), initials in zip(
                self._players, shown, strict=True
            )
            if is_hidden
        }

    @cached_property
    def _others(self) -> set[str]:
        """The names that are not hidden, in small letters."""
        return {name.lower() for _pk, name, _since, is_hidden in self._players if not is_hidden}

    @cached_property
    def _by_plain_name(self) -> dict[str, str]:
        now = {plain_name(name): initials for name, initials in self.initials.items()}
        return self._by_former_name | now

    @cached_property
    def _by_former_name(self) -> dict[str, str]:
        """What stands in texts of before somebody was called otherwise. One query."""
        shown = {pk: self.initials.get(name.lower()) for pk, name, *_rest in self._players}
        of_others = set(map(plain_name, self._others))
        former = ((plain_name(name), shown.get(pk)) for pk, name in former_names())
        return {name: initials for name, initials in former if initials and name not in of_others}

    @cached_property
    def names(self) -> NamesInText | None:
        """What finds the hidden names in a text, and not in longer names of others; None without any."""
        if not self.initials:
            return None
        hidden = self._by_plain_name
        return NamesInText({*hidden, *names_with(self._others, hidden)})


def hiding() -> Hiding:
    """What is hidden from whoever reads now."""
    reader = current_reader()
    if isinstance(reader, VisitorNames) and reader.is_visitor():
        return reader.hiding
    return NOTHING


def hiding_now() -> Hiding:
    """What is hidden from visitors, read at most every ``REMEMBERED_FOR`` seconds by each worker.

    Where the database cannot answer, it is what was known before, or else everybody's name.
    """
    try:
        hidden = _remembered.get()
    except DatabaseError:
        hidden = remember(_remembered.latest(otherwise=None))
    if hidden is None:
        return Hiding(everybody=True)
    return replace(hidden, everybody=known_club().hides_names)


def remember(hidden: Hiding | None, seconds: float = REMEMBERED_FOR) -> Hiding | None:
    """Let :func:`hiding_now` take ``hidden`` for what leagues and people hide, for that time."""
    return _remembered.remember(hidden, seconds)


def forget() -> None:
    """Let :func:`hiding_now` ask the database anew."""
    _remembered.forget()


def names_to_share() -> Callable[[str], str]:
    """What makes a player's name, however it was read, the one that leaves the site: as visitors read it."""
    now = hiding_now()
    if not now:
        return str
    visitor = VisitorNames(now, lambda: True)
    return lambda name: visitor.name(name.stored if isinstance(name, ShownText) else name)


def read_as_visitor() -> AbstractContextManager[None]:
    """Inside, names are as visitors read them, whoever asks: for what leaves the site."""
    now = hiding_now()
    return read_for(VisitorNames(now, lambda: True) if now else None)


def hiding_etag() -> str:
    """What to add to an etag: pages with full names and with initials are not the same."""
    now = hiding()
    if not now:
        return ""
    # A few letters will do: it tells a handful of settings apart.
    hidden = f"{now.everybody} {sorted(now.leagues)} {sorted(now.people)}"
    return "-" + sha256(hidden.encode()).hexdigest()[:8]


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
