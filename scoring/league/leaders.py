"""Who leads which league, for pages that show several leagues at once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import F, Window
from django.db.models.functions import Lower, Rank, RowNumber

from scoring.models import League, Tally


@dataclass(frozen=True, slots=True)
class LeagueTop:
    """A league and the tallies of its first few, each with its ``rank``."""

    league: League
    first: list[Tally] = field(default_factory=list)


def tops(leagues: Iterable[League], count: int = 3) -> list[LeagueTop]:
    """``leagues`` in their order, each with its first ``count``. One query for all of them.

    Ranks are those of the league table: who has as many points shares the rank.
    """
    found = {league.pk: LeagueTop(league) for league in leagues}
    ranked = (
        Tally.objects.listed()
        .filter(league__in=found)
        .annotate(
            rank=Window(Rank(), partition_by="league", order_by=F("points").desc()),
            line=Window(
                RowNumber(),
                partition_by="league",
                order_by=[F("points").desc(), Lower("player__name")],
            ),
        )
    )
    for tally in ranked.filter(line__lte=count).select_related("player").order_by("league", "line"):
        found[tally.league_id].first.append(tally)
    return list(found.values())
