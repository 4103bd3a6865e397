"""League tables, final tables and evenings as files for a spreadsheet."""

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.models import FinalRow
from scoring.operations.sheets import Cell, Sheet
from scoring.queries.recaps import Recap, recap_of
from scoring.queries.seasons import FinalTable, final_season
from scoring.queries.standings import StandingsRow, StandingsTable, StandingsTeam, standings_tables

from ..shared.day_form import DayForm
from ..shared.requests import visible_league
from ..shared.sheet_file import sheet_file


@require_safe
def standings(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The tables of a league, now or as of the day ``?as_of=``."""
    league = visible_league(request, slug)
    form = DayForm(request.GET)
    if not form.is_valid():
        message = " ".join(map(str, form.errors["as_of"]))
        return HttpResponseBadRequest(message, content_type="text/plain; charset=utf-8")
    name = f"{slug}-{form.day}" if form.day else slug
    return sheet_file(_standings(standings_tables(league, form.day)), name, kind)


@require_safe
def final(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The final tables of a closed season."""
    season = final_season(visible_league(request, slug))
    if season is None:
        raise Http404
    return sheet_file(_standings(season.tables), f"{slug}-final", kind)


@require_safe
def evening(request: HttpRequest, slug: str, day: date, kind: str) -> HttpResponse:
    """What everybody won or lost on one evening."""
    recap = recap_of(visible_league(request, slug), day)
    if recap is None:
        raise Http404
    return sheet_file(_evening(recap), f"{slug}-{day}", kind)


def _evening(recap: Recap) -> Sheet:
    return Sheet(
        [_("Rank"), _("Player"), _("Points")],
        [[place.rank, place.player.name, place.total] for place in recap.places],
    )


def _standings(tables: Iterable[StandingsTable | FinalTable]) -> Sheet:
    """A row for each player of each of ``tables``, then one for each team."""
    columns = (_("Points"), _("Games"), _("Hands"), _("Won"), _("Best hand"), _("Rating"))
    return Sheet(
        [_("Rank"), _("Player"), _("Ranked figure"), *columns, _("Table"), _("Team")],
        [row for table in tables for row in (*_of_players(table), *_of_teams(table))],
    )


def _of_players(table: StandingsTable | FinalTable) -> Iterator[list[Cell]]:
    for row in table.rows:
        assert row.player is not None
        figures = (row.points, row.games, row.hands, row.wins, row.best_hand, row.rating)
        yield [row.rank, row.player.name, _counts(row), *figures, table.name, None]


def _counts(row: StandingsRow | FinalRow) -> Fraction | int:
    return row.figure if isinstance(row, FinalRow) else row.standing.value


def _of_teams(table: StandingsTable | FinalTable) -> Iterator[list[Cell]]:
    nothing = [None] * 6
    for team in table.teams:
        name, figure = _team(team)
        yield [team.rank, None, figure, *nothing, table.name, name]


def _team(team: StandingsTeam | FinalRow) -> tuple[str, Fraction]:
    return (team.team, team.figure) if isinstance(team, FinalRow) else (team.name, team.value)
