"""Who leads which league, for pages that show several leagues at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.models import League
from scoring.models.standing_settings import StandingTable

from .ranking import Line
from .standings import tables_now


@dataclass(frozen=True, slots=True)
class LeagueLeaders:
    """A league and the first few lines of its table, by ``rules`` or by the sum of the points."""

    league: League
    first: list[Line]
    rules: StandingTable | None = None


def leaders(leagues: Iterable[League], count: int = 3) -> list[LeagueLeaders]:
    """``leagues`` in their order, each with its first ``count``. As many queries as ``tables_now``."""
    return [
        LeagueLeaders(table.league, table.ranked[:count], table.rules)
        for table in tables_now(leagues)
    ]
