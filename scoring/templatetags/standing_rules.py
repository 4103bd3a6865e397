"""Standing rules, and tables without a line, in words on pages."""

from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from django import template
from django.utils.translation import gettext as _

from scoring.figures import signed_exact, whole
from scoring.models import FinalRow
from scoring.models.standing_settings import TableSettings, units
from scoring.queries import empty_tables
from scoring.queries.standing_sums import Standing
from scoring.queries.standings import StandingsRow, StandingsTable

register = template.Library()
register.simple_tag(empty_tables.not_listed)
register.simple_tag(empty_tables.disputed_alone)


@register.simple_tag
def no_rank_yet(standing: Standing) -> str:
    """Of a player without a rank: how much of what a rank takes was played."""
    return _("No rank yet: %(played)s of %(needed)s %(units)s") % {
        "played": whole(standing.towards_minimum),
        "needed": whole(standing.needed),
        "units": units(standing.counted, standing.needed),
    }


@register.inclusion_tag("components/without_rank.html")
def without_rank(
    rows: Iterable[StandingsRow | FinalRow], rules: TableSettings | None
) -> Mapping[str, Any]:
    """What "1 of 2" means in the rank's place, if one of ``rows`` has it there."""
    waiting = next((row for row in rows if row.rank is None), None)
    if waiting is None:
        return {}
    if isinstance(waiting, FinalRow):
        played, needed = waiting.played, waiting.needed
    else:
        played, needed = waiting.standing.towards_minimum, waiting.standing.needed
    return {
        "played": played,
        "needed": needed,
        "units": units(rules.needs_of if rules else "games", needed),
    }


@register.simple_tag
def why_empty(table: StandingsTable, disputed: int | str = 0, day: date | None = None) -> str:
    """Why nobody is listed in ``table``; what a page does not know comes as an empty text."""
    return " ".join(empty_tables.why_empty(table, int(disputed or 0), day))


@register.filter
def ranked_figure(value: Fraction | int, rules: TableSettings | None) -> str:
    """What a table ranks by ``rules``; without any, points won and lost."""
    return rules.figure(value) if rules else signed_exact(value)


@register.filter
def in_words(rules: TableSettings, names: Mapping[int, str]) -> list[str]:
    """The sentences of ``rules`` with the ``names`` of the players, by id."""
    return rules.in_words(names)
