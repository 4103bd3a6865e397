"""Who has which rank: the one place that decides it, for league tables and for games.

Whatever shows a rank asks here: the table now, as of a day and under other rules, the leaders of a
league, "3 of 7" on a player's page, and the places in a game.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from scoring.models import League

T = TypeVar("T")


class Ranked(NamedTuple, Generic[T]):
    """``row`` with its ``rank``; 1 is the first."""

    rank: int
    row: T


class Figures(NamedTuple):
    """What decides the rank of a player in a league: whole points, and the hands and games that count.

    ``player`` is the player's id; ``name`` orders players who share a rank.
    """

    player: int
    name: str
    points: int
    hands: int
    games: int


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The players of ``league`` who are listed in its table, the first one first."""

    league: League
    lines: list[Ranked[Figures]]

    @property
    def players(self) -> int:
        """How many players are ranked: the 7 of "3 of 7"."""
        return len(self.lines)

    @property
    def ranks(self) -> dict[int, int]:
        """The ranks by the player's id."""
        return {line.row.player: line.rank for line in self.lines}


def league_table(league: League, figures: Iterable[Figures]) -> LeagueTable:
    """Rank the players of ``league`` by ``figures``, which may name players in any order.

    Players are listed who have a hand that counts, or points without one.
    """
    listed = [row for row in figures if row.hands or row.points]
    listed.sort(key=lambda row: (row.name.casefold(), row.player))
    return LeagueTable(league, rank(listed, lambda row: row.points))


def rank(rows: Iterable[T], points: Callable[[T], int]) -> list[Ranked[T]]:
    """Rank ``rows``: most points first, equal points share a rank (1, 2, 2, 4) and keep their order.

    :param points: the whole points of a row.
    """
    ordered = sorted(rows, key=points, reverse=True)
    ranks: dict[int, int] = {}
    for position, row in enumerate(ordered, start=1):
        ranks.setdefault(points(row), position)
    return [Ranked(ranks[points(row)], row) for row in ordered]
