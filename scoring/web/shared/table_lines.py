"""The lines of a league table in a few words, for previews, feeds and pictures."""

from collections.abc import Iterator

from scoring.figures import exact, signed
from scoring.models import Player
from scoring.queries.seasons import FinalTable
from scoring.queries.standings import StandingsTable


def table_lines(
    table: StandingsTable | FinalTable,
) -> Iterator[tuple[int | None, Player | None, str]]:
    """Of each line of ``table``: rank, player and the figure that is ranked, as it is shown."""
    if isinstance(table, FinalTable):
        yield from ((row.rank, row.player, exact(row.figure)) for row in table.rows)
        return
    for row in table.rows:
        figure = exact(row.standing.value) if table.rules else signed(row.points)
        yield row.rank, row.player, figure
