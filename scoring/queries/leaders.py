"""Read the leaders of each league, for pages that show several leagues at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from scoring.models import Hand, League
from scoring.models.standing_settings import StandingTable

from .ranking import TableLine
from .standings import tables_now


@dataclass(frozen=True, slots=True)
class LeagueLeaders:
    """A league and the first few lines of its table, by ``rules`` or by the sum of the points.

    :ivar waiting: how many hands are disputed, in a league whose table is empty.
    """

    league: League
    first: list[TableLine]
    rules: StandingTable | None = None
    waiting: int = 0


def leaders(leagues: Iterable[League], count: int = 3) -> list[LeagueLeaders]:
    """``leagues`` in their order, each with its first ``count``.

    As many queries as ``tables_now``, and one more if a table is empty.
    """
    tables = tables_now(leagues)
    waiting = disputed_hands(table.league for table in tables if not table.ranked)
    return [
        LeagueLeaders(
            table.league, table.ranked[:count], table.rules, waiting.get(table.league.pk, 0)
        )
        for table in tables
    ]


def disputed_hands(leagues: Iterable[League]) -> dict[int, int]:
    """How many hands of each of ``leagues``, by its id, wait for the end of a dispute; none is left out."""
    wanted = list(leagues)
    if not wanted:
        return {}
    hands = Hand.objects.disputed().played().filter(game__league__in=wanted).order_by()
    return dict(hands.values_list("game__league").annotate(Count("pk")))
