"""Who leads which league, for pages that show several leagues at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.models import League

from .ranking import Line
from .standings import tables_now


@dataclass(frozen=True, slots=True)
class LeagueLeaders:
    """A league and the first few lines of its table."""

    league: League
    first: list[Line]


def leaders(leagues: Iterable[League], count: int = 3) -> list[LeagueLeaders]:
    """``leagues`` in their order, each with its first ``count``. One query for all of them."""
    return [LeagueLeaders(table.league, table.ranked[:count]) for table in tables_now(leagues)]
