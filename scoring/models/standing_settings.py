"""The settings of a league's table: one registry of entries.

An entry is read from JSON, checked, said in words and stored by what stands here. What it does to a
table is worked out in :mod:`scoring.queries.standing_sums`; who is listed with which rank, in
:mod:`scoring.queries.ranking`. ``docs/standing-rules.md`` explains all of it to organisers.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.figures import exact, signed_exact, whole
from scoring.translation import listed

from . import standing_values as values
from .standing_choices import (
    BY_PLACE,
    COUNTS,
    HEADINGS,
    OF,
    OF_SUMS,
    PER,
    PERIODS,
    RESULTS,
    TIE_BREAKS,
    units,
)
from .standing_values import Reader, SettingsError, SettingsProblem, refusal

# The names of players, by id.
Names = Mapping[int, str]
NOBODY: Names = {}

# A page shows the tables of a league below each other.
MOST_TABLES = 6
PLACES = 4


@dataclass(frozen=True, slots=True)
class Minimum:
    """Ranked only from ``count`` games, hands or evenings on."""

    count: int
    of: str = "games"

    def words(self) -> str:
        params = {"count": whole(self.count), "of": units(self.of, self.count)}
        return gettext("Ranked from %(count)s %(of)s on.") % params


@dataclass(frozen=True, slots=True)
class Best:
    """Only the best ``count`` games or evenings of each evening, week or the season count.

    :ivar first: only so many are looked at, in the order in which they were played; None: all.
    """

    count: int
    of: str = "games"
    per: str = "season"
    first: int | None = None

    def words(self) -> str:
        names = units(self.of, self.first or self.count)
        params = {"count": self.count, "of": names, "per": PERIODS[self.per]}
        if self.first is not None:
            template = ngettext(
                "Only the best one of the first %(first)s %(of)s %(per)s counts.",
                "Only the best %(count)s of the first %(first)s %(of)s %(per)s count.",
                self.count,
            )
            return template % {**params, "first": self.first}
        template = ngettext(
            "Only the best %(of)s %(per)s counts.",
            "Only the best %(count)s %(of)s %(per)s count.",
            self.count,
        )
        return template % params


@dataclass(frozen=True, slots=True)
class Drop:
    """The worst ``count`` games, evenings or weeks of the season are left out; one always stays."""

    count: int
    of: str = "games"

    def words(self) -> str:
        template = ngettext(
            "The worst %(of)s of the season is left out.",
            "The worst %(count)s %(of)s of the season are left out.",
            self.count,
        )
        return template % {"count": self.count, "of": units(self.of, self.count)}


@dataclass(frozen=True, slots=True)
class Attendance:
    """A premium of ``points`` for each game or evening that somebody has played.

    :ivar games: how many games make a whole evening; who plays fewer gets that part of the premium.
    """

    points: Fraction
    per: str = "evening"
    games: int = 1

    def words(self) -> str:
        params = {"points": signed_exact(self.points), "per": PER[self.per], "games": self.games}
        if self.games == 1:
            return gettext("Attendance: %(points)s %(per)s.") % params
        template = gettext(
            "Attendance: %(points)s %(per)s of %(games)s games; a part of it for fewer games."
        )
        return template % params


@dataclass(frozen=True, slots=True)
class PlayerHandicap:
    """What is added for one player (an id)."""

    player: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class Handicap:
    """What is added for each of some ``players``, for each game or evening that counts, or once."""

    players: tuple[PlayerHandicap, ...]
    per: str = "game"

    def words(self, names: Names) -> str:
        params = {"count": len(self.players), "per": PER[self.per]}
        if names:
            points = (f"{names[one.player]} {signed_exact(one.points)}" for one in self.players)
            return gettext("Handicap %(per)s: %(players)s.") % {
                **params,
                "players": ", ".join(points),
            }
        return (
            ngettext(
                "Handicap for %(count)s player, %(per)s.",
                "Handicap for %(count)s players, %(per)s.",
                len(self.players),
            )
            % params
        )


@dataclass(frozen=True, slots=True)
class Team:
    """Players (ids) whose figures are added up."""

    name: str
    players: tuple[int, ...]

    def words(self, names: Names) -> str:
        """The name, with ``names`` also its members: Dragons (Anna Berg, Bob Chen)."""
        return (
            f"{self.name} ({', '.join(names[pk] for pk in self.players)})" if names else self.name
        )


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The rules of one table of a league. Each field is an entry of ``ENTRIES``.

    :ivar places: what 1st to 4th place of a finished game bring. Who are level share them.
    :ivar divide_by: how many points of a game make one of this table.
    """

    name: str
    counts: str = "points"
    places: tuple[Fraction, ...] | None = None
    divide_by: int = 1
    best: Best | None = None
    drop: Drop | None = None
    attendance: Attendance | None = None
    handicap: Handicap | None = None
    minimum: Minimum | None = None
    tie_breaks: tuple[str, ...] = ()
    inactive_weeks: int | None = None
    teams: tuple[Team, ...] = ()

    @property
    def heading(self) -> str:
        """What the figure that is ranked is called above its column."""
        return str(HEADINGS[self.counts])

    @property
    def only_points(self) -> bool:
        """Whether the figure that is ranked is the sum of the points, and nothing else."""
        others = (self.best, self.drop, self.attendance, self.handicap)
        return self.counts == "points" and not any(others)

    def figure(self, value: Fraction | int) -> str:
        """What is ranked, as it is shown: a sum of points won and lost has a sign."""
        return signed_exact(value) if self.only_points else exact(value)

    @property
    def by_place(self) -> bool:
        """Whether places count, so that a game counts only when it is over."""
        return self.counts in BY_PLACE

    @property
    def needs_of(self) -> str:
        """What a rank takes a number of: games, hands or evenings."""
        return self.minimum.of if self.minimum else "games"

    @property
    def needs_games(self) -> bool:
        """Whether the result of each game is asked for, besides the sums that are kept."""
        return (
            self.by_place
            or bool(self.best or self.drop or self.attendance or self.inactive_weeks)
            or (self.minimum is not None and self.minimum.of == "evenings")
            or (self.handicap is not None and self.handicap.per == "evening")
            or not OF_SUMS.issuperset(self.tie_breaks)
        )

    @property
    def people(self) -> set[int]:
        """The ids of the players who are named."""
        handicaps = self.handicap.players if self.handicap else ()
        return {one.player for one in handicaps} | {
            pk for team in self.teams for pk in team.players
        }

    def as_data(self) -> dict[str, Any]:
        """These rules as they are stored and sent; what is as usual is left out."""
        return {
            field.name: _as_json(value)
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    def in_words(self, names: Names = NOBODY) -> list[str]:
        """A sentence for each entry that is not as usual; always one of what counts.

        :param names: of the :attr:`people`, by id, to say who has which handicap and who is in which
            team; without them, handicaps are counted and teams are named only.
        """
        return [sentence for entry in ENTRIES.values() if (sentence := entry.words(self, names))]


def ranked_figure(value: Fraction | int, rules: TableSettings | None) -> str:
    """The figure that a table ranks, as it is shown. Without ``rules`` it is points won and lost."""
    return rules.figure(value) if rules else signed_exact(value)


class Entry(NamedTuple):
    """One thing that a league decides about its table: how it is read, and said in words."""

    read: Reader
    words: Callable[[TableSettings, Names], str]


def _what_counts(rules: TableSettings, _names: Names) -> str:
    params = {"places": listed(map(signed_exact, rules.places or ()))}
    if rules.counts == "table_points":
        return (
            gettext("Each finished game brings table points for its places: %(places)s.") % params
        )
    if rules.counts == "places" and rules.divide_by > 1:
        template = gettext(
            "What counts are the points of finished games divided by %(by)s, and for their places: %(places)s."
        )
        return template % {**params, "by": whole(rules.divide_by)}
    if rules.counts == "places":
        template = gettext(
            "What counts are the points of finished games, and for their places: %(places)s."
        )
        return template % params
    return gettext("What counts: %(what)s.") % {"what": COUNTS[rules.counts]}


def _tie_breaks(rules: TableSettings, _names: Names) -> str:
    if not rules.tie_breaks:
        return ""
    order = listed(TIE_BREAKS[name] for name in rules.tie_breaks)
    return gettext("Where figures are equal: %(order)s.") % {"order": order}


def _inactive(rules: TableSettings, _names: Names) -> str:
    if rules.inactive_weeks is None:
        return ""
    template = ngettext(
        "Who has not played for %(weeks)s week is not listed.",
        "Who has not played for %(weeks)s weeks is not listed.",
        rules.inactive_weeks,
    )
    return template % {"weeks": rules.inactive_weeks}


def _handicap(rules: TableSettings, names: Names) -> str:
    return rules.handicap.words(names) if rules.handicap else ""


def _teams(rules: TableSettings, names: Names) -> str:
    if not rules.teams:
        return ""
    teams = listed(team.words(names) for team in rules.teams)
    return gettext("Teams, by the sum of their members: %(teams)s.") % {"teams": teams}


def _stated_by(name: str) -> Callable[[TableSettings, Names], str]:
    """The words of the entry ``name``, if it is set."""

    def words(rules: TableSettings, _names: Names) -> str:
        value = getattr(rules, name)
        return "" if value is None else str(value.words())

    return words


def _nothing(_rules: TableSettings, _names: Names) -> str:
    return ""


_count = values.whole(1, 1000)
_player = values.whole(1, 2**62)
_players = values.different(values.listing(_player, least=1, most=200))
_each_handicap = values.group(PlayerHandicap, player=_player, points=values.number)

ENTRIES: Mapping[str, Entry] = {
    "name": Entry(values.text(40), _nothing),
    "counts": Entry(values.choice(COUNTS), _what_counts),
    "places": Entry(
        values.optional(values.listing(values.number, least=PLACES, most=PLACES)), _nothing
    ),
    "divide_by": Entry(values.whole(1, 10_000), _nothing),
    "best": Entry(
        values.optional(
            values.group(
                Best,
                count=_count,
                of=values.choice(["games", "evenings"]),
                per=values.choice(PERIODS),
                first=values.optional(_count),
            )
        ),
        _stated_by("best"),
    ),
    "drop": Entry(
        values.optional(values.group(Drop, count=_count, of=values.choice(RESULTS))),
        _stated_by("drop"),
    ),
    "attendance": Entry(
        values.optional(
            values.group(
                Attendance,
                points=values.number,
                per=values.choice(["game", "evening"]),
                games=values.whole(1, 20),
            )
        ),
        _stated_by("attendance"),
    ),
    "handicap": Entry(
        values.optional(
            values.group(
                Handicap,
                players=values.listing(_each_handicap, least=1, most=1000),
                per=values.choice(PER),
            )
        ),
        _handicap,
    ),
    "minimum": Entry(
        values.optional(
            values.group(Minimum, count=values.whole(1, 100_000), of=values.choice(OF))
        ),
        _stated_by("minimum"),
    ),
    "tie_breaks": Entry(
        values.different(values.listing(values.choice(TIE_BREAKS), most=len(TIE_BREAKS))),
        _tie_breaks,
    ),
    "inactive_weeks": Entry(values.optional(values.whole(1, 520)), _inactive),
    "teams": Entry(
        values.listing(values.group(Team, name=values.text(40), players=_players), most=100),
        _teams,
    ),
}


def read_tables(data: Any) -> tuple[TableSettings, ...]:
    """The rules of each table of a league, from what is stored or sent; none means: as usual.

    :raises SettingsError: with every problem, each with the way to it: ``tables``, place, entry.
    """

    def read_all() -> tuple[TableSettings, ...]:
        tables: tuple[TableSettings, ...] = values.listing(_read_table, most=MOST_TABLES)(data)
        names = [table.name.casefold() for table in tables]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise refusal("twice", _("Another table has this name."), place, "name")
        return tables

    return tuple(values.all_of([("tables", lambda _data: read_all(), data)])["tables"])


def _read_table(data: Any) -> TableSettings:
    settings = values.named(data, {name: entry.read for name, entry in ENTRIES.items()})
    if "name" not in settings:
        raise refusal("required", _("Give the table a name."), "name")
    rules = TableSettings(**settings)
    if problems := list(_do_not_fit(rules)):
        raise SettingsError(problems)
    return rules


def _do_not_fit(rules: TableSettings) -> Iterator[SettingsProblem]:
    """What entries say that others rule out."""
    by_place = rules.by_place
    if by_place and rules.places is None:
        message = _("Say what 1st, 2nd, 3rd and 4th place bring.")
        yield SettingsProblem(("places",), "required", message)
    if rules.places is not None and not by_place:
        message = _("Places count for nothing here: choose places or table points.")
        yield SettingsProblem(("places",), "not_used", message)
    if rules.divide_by != 1 and rules.counts != "places":
        message = _("Points are divided only where places count besides.")
        yield SettingsProblem(("divide_by",), "not_used", message)
    best = rules.best
    if best is not None and best.of == "evenings" and best.per == "evening":
        message = _(
            "An evening is one result: choose the best evenings of a week or of the season."
        )
        yield SettingsProblem(("best", "per"), "not_used", message)
    if best is not None and best.first is not None and best.first < best.count:
        message = _("No more can count than are looked at.")
        yield SettingsProblem(("best", "first"), "invalid", message)
    attendance = rules.attendance
    if attendance is not None and attendance.games > 1 and attendance.per == "game":
        message = _("Only a premium for evenings is given in parts.")
        yield SettingsProblem(("attendance", "games"), "not_used", message)
    yield from _named_twice(rules)


def _named_twice(rules: TableSettings) -> Iterator[SettingsProblem]:
    handicaps = [one.player for one in rules.handicap.players] if rules.handicap else []
    if len(set(handicaps)) < len(handicaps):
        message = _("Give each player one handicap.")
        yield SettingsProblem(("handicap", "players"), "twice", message)
    members = [pk for team in rules.teams for pk in team.players]
    names = [team.name.casefold() for team in rules.teams]
    if len(set(members)) < len(members):
        yield SettingsProblem(("teams",), "twice", _("A player belongs to one team only."))
    if len(set(names)) < len(names):
        yield SettingsProblem(("teams",), "twice", _("Two teams have the same name."))


def _as_json(value: Any) -> Any:
    if isinstance(value, Fraction):
        return values.number_as_json(value)
    if isinstance(value, tuple):
        return [_as_json(one) for one in value]
    if is_dataclass(value):
        return {field.name: _as_json(getattr(value, field.name)) for field in fields(value)}
    return value
