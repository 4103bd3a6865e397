"""Standing rules, and tables without a line, in words on pages."""

from collections.abc import Mapping
from datetime import date

from django import template

from scoring.models.standing_settings import TableSettings
from scoring.queries import empty_tables
from scoring.queries.standings import StandingsTable

register = template.Library()
register.simple_tag(empty_tables.not_listed)
register.simple_tag(empty_tables.disputed_alone)


@register.simple_tag
def why_empty(table: StandingsTable, disputed: int | str = 0, day: date | None = None) -> str:
    """Why nobody is listed in ``table``; what a page does not know comes as an empty text."""
    return " ".join(empty_tables.why_empty(table, int(disputed or 0), day))


@register.filter
def in_words(rules: TableSettings, names: Mapping[int, str]) -> list[str]:
    """The sentences of ``rules`` with the ``names`` of the players, by id."""
    return rules.in_words(names)
