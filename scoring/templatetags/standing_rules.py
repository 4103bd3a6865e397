"""Standing rules, and tables without a line, in words on pages."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django import template

from scoring.models import FinalRow
from scoring.models.standing_settings import TableSettings, ranked_figure
from scoring.queries import empty_tables, ranks_in_words
from scoring.queries.ranking import TableLine
from scoring.queries.standings import StandingsRow, StandingsTable

register = template.Library()
register.simple_tag(empty_tables.not_listed)
register.simple_tag(empty_tables.disputed_alone)
register.simple_tag(ranks_in_words.alone, name="no_rank_yet")
register.simple_tag(ranks_in_words.in_a_table, name="rank_or_progress")


@register.inclusion_tag("components/without_rank.html")
def without_rank(
    rows: Iterable[StandingsRow | FinalRow | TableLine], rules: TableSettings | None
) -> Mapping[str, Any]:
    """What "1 of 2" means in the rank's place, if one of ``rows`` has it there."""
    return {"sentence": ranks_in_words.legend(rows, rules)}


@register.simple_tag
def why_empty(table: StandingsTable, disputed: int | str = 0, day: date | None = None) -> str:
    """Why nobody is listed in ``table``; what a page does not know comes as an empty text."""
    return " ".join(empty_tables.why_empty(table, int(disputed or 0), day))


register.filter("ranked_figure", ranked_figure)


@register.filter
def in_words(rules: TableSettings, names: Mapping[int, str]) -> list[str]:
    """The sentences of ``rules`` with the ``names`` of the players, by id."""
    return rules.in_words(names)
