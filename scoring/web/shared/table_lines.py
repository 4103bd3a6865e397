"""The lines of a league table in a few words, for previews, feeds and pictures."""

from collections.abc import Iterator

from scoring.models import FinalRow, Player
from scoring.models.standing_settings import ranked_figure
from scoring.queries.seasons import FinalTable
from scoring.queries.standings import StandingsTable


def table_lines(
    table: StandingsTable | FinalTable,
) -> Iterator[tuple[int | None, Player | None, str]]:
    """Of each line of ``table``: rank, player and the figure that is ranked, as it is shown."""
    for row in table.rows:
        value = row.figure if isinstance(row, FinalRow) else row.standing.value
        yield row.rank, row.player, ranked_figure(value, table.rules)
