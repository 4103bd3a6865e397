"""Read the leaders of each league, for pages that show several leagues at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from scoring.models import Hand, League
from scoring.models.standing_settings import TableSettings

from .empty_tables import why_empty
from .ranking import TableLine
from .standings import tables_now


@dataclass(frozen=True, slots=True)
class LeagueLeaders:
    """A league and the first few lines of its table, by ``rules`` or by the sum of the points.

    :ivar why_empty: sentences that say why there is no line; empty where there is one.
    """

    league: League
    first: list[TableLine]
    rules: TableSettings | None = None
    why_empty: Sequence[str] = ()


def leaders(leagues: Iterable[League], count: int = 3) -> list[LeagueLeaders]:
    """``leagues`` in their order, each with its first ``count``.

    As many queries as ``tables_now``, and one more if a table is empty.
    """
    tables = tables_now(leagues)
    empty = [table for table in tables if not table.ranked]
    disputed = disputed_hands(table.league for table in empty)
    reasons = {
        table.league.pk: why_empty(table, disputed.get(table.league.pk, 0)) for table in empty
    }
    return [
        LeagueLeaders(
            table.league, table.ranked[:count], table.rules, reasons.get(table.league.pk, ())
        )
        for table in tables
    ]


def disputed_in(league: League, shown: object) -> int:
    """How many hands of ``league`` wait for the end of a dispute; not asked where something is ``shown``."""
    return 0 if shown else disputed_hands([league]).get(league.pk, 0)


def disputed_hands(leagues: Iterable[League]) -> dict[int, int]:
    """How many hands of each of ``leagues``, by its id, wait for the end of a dispute; none is left out."""
    wanted = list(leagues)
    if not wanted:
        return {}
    hands = Hand.objects.disputed().played().filter(game__league__in=wanted).order_by()
    return dict(hands.values_list("game__league").annotate(Count("pk")))
