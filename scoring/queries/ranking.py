"""Rank players: the one place that decides it, for league tables and for games.

Whatever shows a rank asks here: the table now, as of a day and under other rules, the leaders of a
league, "3 of 7" on a player's page, and the places in a game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from scoring.models import League
from scoring.models.letters import plain_letters
from scoring.models.standing_settings import TableSettings

from .standing_sums import Figures, GameFigures, Standing, in_parts, standing

T = TypeVar("T")


class Ranked(NamedTuple, Generic[T]):
    """``row`` with its ``rank``; 1 is the first."""

    rank: int
    row: T


class TableLine(NamedTuple):
    """A player in a league table; without a ``rank`` while too little was played for one."""

    rank: int | None
    row: Figures
    standing: Standing


class TeamFigures(NamedTuple):
    """A team, the ids of its members, and what they have together; exact."""

    name: str
    players: tuple[int, ...]
    value: Fraction


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The players of ``league`` who are listed in its table, the first one first.

    :ivar rules: by which it is worked out; None: by the sum of the points.
    :ivar teams: those of the rules, ranked.
    :ivar inactive: how many players are not listed because they have not played for long.
    """

    league: League
    lines: list[TableLine]
    rules: TableSettings | None = None
    teams: list[Ranked[TeamFigures]] = field(default_factory=list)
    inactive: int = 0

    @property
    def listed(self) -> int:
        """How many players are listed, with or without a rank."""
        return len(self.lines)

    @property
    def ranked(self) -> list[TableLine]:
        """Those who have a rank."""
        return [line for line in self.lines if line.rank is not None]

    @property
    def ranked_count(self) -> int:
        """How many players are ranked: the 7 of "3 of 7"."""
        return len(self.ranked)

    @property
    def ranks(self) -> dict[int, int]:
        """The ranks by the player's id."""
        return {line.row.player: line.rank for line in self.lines if line.rank is not None}


# Of a league without standing rules: the sum of the points. It asks for no game.
USUAL = TableSettings("")


def league_table(
    league: League,
    figures: Iterable[Figures],
    rules: TableSettings | None = None,
    day: date | None = None,
) -> LeagueTable:
    """Rank the players of ``league`` by ``figures``, which may name players in any order.

    Players are listed who have a hand that counts, or points without one.

    :param rules: how the table is worked out; without any, the sum of the points decides.
    :param day: the last day that ``figures`` tell of, for rules that hide who has not played for long.
    """
    listed = [row for row in figures if row.hands or row.points]
    listed.sort(key=lambda row: (plain_letters(row.name), row.player))
    settings = rules or USUAL
    standings = {row.player: standing(row, settings) for row in listed}
    if settings.inactive_weeks is None or day is None:
        shown = listed
    else:
        # After its last day nobody of a league can play any more.
        since = min(day, league.ends_on or day) - timedelta(weeks=settings.inactive_weeks)
        shown = [row for row in listed if row.last_played and row.last_played >= since]
    return LeagueTable(
        league=league,
        lines=_lines(shown, standings, settings),
        rules=rules,
        teams=_teams(standings, settings),
        inactive=len(listed) - len(shown),
    )


def _lines(
    rows: Sequence[Figures], standings: Mapping[int, Standing], rules: TableSettings
) -> list[TableLine]:
    """First who is ranked, then who has not played enough, those who lack least first."""

    def figure(row: Figures) -> tuple[Fraction | int, ...]:
        return (
            standings[row.player].value,
            *(TIE_BREAKS[name](row, rules) for name in rules.tie_breaks),
        )

    ranked = rank([row for row in rows if not standings[row.player].provisional], figure)
    waiting = [row for row in rows if standings[row.player].provisional]
    waiting.sort(
        key=lambda row: (standings[row.player].towards_minimum, standings[row.player].value),
        reverse=True,
    )
    return [
        *(TableLine(place, row, standings[row.player]) for place, row in ranked),
        *(TableLine(None, row, standings[row.player]) for row in waiting),
    ]


def _teams(standings: Mapping[int, Standing], rules: TableSettings) -> list[Ranked[TeamFigures]]:
    """The sums of all members, also of those who are not ranked or not listed."""
    teams = [
        TeamFigures(
            team.name,
            team.players,
            sum((standings[pk].value for pk in team.players if pk in standings), Fraction(0)),
        )
        for team in rules.teams
    ]
    return rank(sorted(teams, key=lambda team: plain_letters(team.name)), lambda team: team.value)


def _finished(row: Figures) -> list[GameFigures]:
    return [game for game in row.results if game.hands and game.finished]


# Less than any game brings.
LEAST = -(10**15)
# What decides between equal figures: the higher number comes first.
TIE_BREAKS: Mapping[str, Callable[[Figures, TableSettings], int]] = {
    "points": lambda row, rules: row.points,
    "wins": lambda row, rules: row.wins,
    "best_hand": lambda row, rules: row.best_hand,
    "fewest_discards": lambda row, rules: -row.discards,
    "most_games": lambda row, rules: row.games,
    "fewest_games": lambda row, rules: -row.games,
    "first_places": lambda row, rules: sum(game.place == 1 for game in _finished(row)),
    "best_game": lambda row, rules: max(
        (in_parts(game, rules) for game in _finished(row)), default=LEAST
    ),
}


def rank(rows: Iterable[T], points: Callable[[T], Any]) -> list[Ranked[T]]:
    """Rank ``rows``: most points first, equal points share a rank (1, 2, 2, 4) and keep their order.

    :param points: the figure of a row: its whole points, or several figures that decide in turn.
    """
    ordered = sorted(rows, key=points, reverse=True)
    ranks: dict[Any, int] = {}
    for position, row in enumerate(ordered, start=1):
        ranks.setdefault(points(row), position)
    return [Ranked(ranks[points(row)], row) for row in ordered]
