"""The final table of a closed season, beside the one that its games make today."""

from collections.abc import Iterator
from functools import partial

from scoring.models import FinalRow, League, SeasonClosure
from scoring.queries.seasons import final_rows

from .differences import Difference

# What is compared of each line; its position follows from rank and name, and names may change.
COMPARED = (
    *("rank", "value", "points", "hands", "wins", "games"),
    *("best_hand", "played", "needed"),
)
# Where a line has a deviation: before, ratings were shown on another scale, which nothing works out now.
RATED = ("rating", "rating_deviation")


def season_differences(league: League) -> Iterator[Difference]:
    """Where the final tables of ``league`` are stored as something else than they work out to.

    They stay as they are: an organiser opens the season again, and closes it anew.
    """
    differs = partial(Difference, league.slug, repairable=False)
    closure = SeasonClosure.objects.in_force().filter(league=league).first()
    day = closure.day if closure else None
    if league.closed_on != day:
        yield differs("closed_on", league.closed_on, _computed(day))
    if closure is None:
        return
    stored = {_key(row): row for row in closure.rows.select_related("player")}
    computed = {_key(row): row for row in final_rows(league)}
    for key in {**stored, **computed}:
        yield from _row_differences(league, stored.get(key), computed.get(key))


def _row_differences(
    league: League, stored: FinalRow | None, computed: FinalRow | None
) -> Iterator[Difference]:
    row = stored or computed
    assert row is not None
    name = row.team or str(row.player)
    differs = partial(Difference, league.slug, player=name, repairable=False)
    if stored is None or computed is None:
        yield differs("final_table", stored and stored.rank, _computed(computed and computed.rank))
        return
    rated = stored.rating_deviation is not None
    for column in (*COMPARED, *(RATED if rated else ())):
        before, now = getattr(stored, column), getattr(computed, column)
        if before != now:
            yield differs(f"final_table.{column}", before, _computed(now))


def _computed(value: object) -> str:
    return f"computed {'nothing' if value is None else value}"


def _key(row: FinalRow) -> tuple[int, int | None, str]:
    return row.table, row.player_id, row.team
