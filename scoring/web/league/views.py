"""The leagues and their tables."""

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.models import Game, League, club_day, known_club
from scoring.models.game_tables import with_table
from scoring.queries.anniversaries import anniversaries
from scoring.queries.games import GameResult, game_results
from scoring.queries.leaders import LeagueLeaders, disputed_hands, leaders
from scoring.queries.standings import StandingsTable, standings_tables

from ..shared.link_preview import LinkPreview, first_lines, link_preview
from ..shared.requests import is_own
from ..shared.table_lines import table_lines
from .forms import AsOfForm

GAMES = 20


@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    """All leagues: those that run, those to come, those that are over."""
    visible = League.objects.visible_to(request.user).select_related("ruleset_version__ruleset")
    sections: dict[str, list[LeagueLeaders]] = {"running": [], "to_come": [], "over": []}
    for entry in leaders(visible):
        sections[_when(entry)].append(entry)
    return render(request, "league/index.html", {**sections})


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """The league table, now or as of an earlier day; now also the games behind it."""
    visible = League.objects.visible_to(request.user).select_related("ruleset_version__ruleset")
    shown = get_object_or_404(visible, slug=slug)
    form = AsOfForm(request.GET if "as_of" in request.GET else None, league=shown)
    day = form.day
    tables = standings_tables(shown, as_of=day)
    rows = tables[0].rows
    context = {
        "league": shown,
        "form": form,
        "day": day,
        "today": club_day(),
        "rows": rows,
        "main_table": tables[0],
        # Without standing rules there is one table, by the sum of the points.
        "tables": tables if tables[0].rules else (),
        "embeds": bool(known_club().embed_sites),
        "preview": _preview(request, shown, tables[0]),
        "own": next((row.player for row in rows if is_own(row.player, request)), None),
    }
    if day is None:
        # The games of today have no place beside the table of another day.
        games = _games(shown)
        context["disputed"] = disputed_hands([shown]).get(shown.pk, 0)
        context["open_games"] = [game for game in games if not game.game.finished]
        context["anniversaries"] = anniversaries(shown, request.user)
        context["finished_games"] = [game for game in games if game.game.finished]
    return render(request, "league/league.html", context, status=422 if form.errors else 200)


def _preview(request: HttpRequest, league: League, table: StandingsTable) -> LinkPreview | None:
    """The first three, with the picture of the table."""
    words = first_lines(table_lines(table))
    text = words or _("The league table of %(league)s.") % {"league": league}
    return link_preview(request, league, text, reverse("league_picture", args=[league.slug]))


def _when(entry: LeagueLeaders) -> str:
    if entry.league.running:
        return "running"
    return "to_come" if entry.league.starts_on > club_day() else "over"


def _games(league: League) -> list[GameResult]:
    """The open games, and the last ones that finished."""
    games = with_table(Game.objects.played().filter(league=league))
    latest = games.order_by(F("finished_at").desc(nulls_first=True), "-started_at")
    return game_results(list(latest[:GAMES]))
