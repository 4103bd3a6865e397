"""Tables by standing rules that nobody has stored, beside those that a league has. Nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from scoring.models import League
from scoring.models.standing_settings import TableSettings

from .standing_sums import Standing
from .standings import Gathered, StandingsRow, StandingsTable, version_in_force


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line of the new table, and the same player in the present one; None where that has no rank."""

    row: StandingsRow
    rank_now: int | None
    value_now: Fraction | None
    standing_now: Standing | None = None

    @property
    def gained(self) -> int | None:
        """How many ranks are won (or lost, below 0); None without both ranks."""
        if self.rank_now is None or self.row.rank is None:
            return None
        return self.rank_now - self.row.rank

    @property
    def lost(self) -> int | None:
        """How many ranks are lost."""
        return None if self.gained is None else -self.gained


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """A table by the new rules beside the present one of its name, or else the first one.

    :ivar unlisted: the lines of the present table whose players the new one does not list.
    """

    table: StandingsTable
    rows: list[ComparedRow]
    unlisted: list[StandingsRow]


def preview_standings(
    league: League, rules: Sequence[TableSettings], as_of: date | None = None
) -> list[ComparedTable]:
    """The tables that ``rules`` would make of ``league`` now, or at the end of the day ``as_of``.

    At most eight queries; what is read once serves all tables, the present ones, too.
    """
    version = version_in_force(league, as_of)
    present_rules = version.rules if version else ()
    both = [*rules, *present_rules]
    gathered = Gathered(league, as_of, needs_games=any(one.needs_games for one in both))
    present = gathered.tables(present_rules)
    by_name = {table.name.casefold(): table for table in present}
    return [
        _compared(table, by_name.get(table.name.casefold(), present[0]))
        for table in gathered.tables(rules)
    ]


def _compared(table: StandingsTable, present: StandingsTable) -> ComparedTable:
    now = {row.player.pk: row for row in present.rows}
    listed = {row.player.pk for row in table.rows}
    rows = [
        ComparedRow(
            row,
            now[row.player.pk].rank if row.player.pk in now else None,
            now[row.player.pk].standing.value if row.player.pk in now else None,
            now[row.player.pk].standing if row.player.pk in now else None,
        )
        for row in table.rows
    ]
    unlisted = [row for row in present.rows if row.player.pk not in listed]
    return ComparedTable(table, rows, unlisted)
