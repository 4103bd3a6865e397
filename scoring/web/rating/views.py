"""Ratings: those across leagues, how one came about, and who will probably win a game."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from scoring.models import League, Player
from scoring.models.club import rates_across_leagues
from scoring.models.permissions import Permission, can, check_permission
from scoring.models.tallies import NEWCOMER, PROVISIONAL_FROM
from scoring.queries.chances import LEAST_PLAYERS, seating_chances
from scoring.queries.ratings import (
    club_table,
    leagues_rated_in,
    rated_games,
    rating_rows,
)

from ..shared.day_form import DayForm
from ..shared.requests import by_htmx, chosen_league, is_own, visible_game

PLAYERS, GAMES = 100, 20

# What the explanation of ratings says in figures.
EXPLAINED = {"newcomer": NEWCOMER, "sure_margin": 2 * PROVISIONAL_FROM}


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """What a rating is and how sure; for members the table across leagues, if the club has it."""
    across = can(request.user, Permission.SEE_MEMBERS_LEAGUES) and rates_across_leagues()
    form = DayForm(request.GET if "as_of" in request.GET else None)
    day = form.day
    rows = club_table(day) if across else []
    context = {
        "across": across,
        "form": form,
        "day": day,
        "page": Paginator(rows, PLAYERS).get_page(request.GET.get("page")),
        "own": next((row.player for row in rows if is_own(row.player, request)), None),
        "may_switch_on": not across and can(request.user, Permission.CHANGE_THE_CLUB),
        **EXPLAINED,
    }
    return render(request, "rating/ratings.html", context, status=422 if form.errors else 200)


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """The rating of a player after each game: in one league (``?league=``), or ``?across=1``."""
    player = get_object_or_404(Player.objects.visible_to(request.user), pk=pk)
    leagues = leagues_rated_in(player, request.user)
    across = can(request.user, Permission.SEE_MEMBERS_LEAGUES) and rates_across_leagues()
    shown = _asked(request, leagues, across=across)
    context: dict[str, Any] = {
        "player": player,
        "leagues": leagues,
        "across": across,
        "shown": shown,
        **EXPLAINED,
    }
    if leagues:
        page = Paginator(rating_rows(player, shown), GAMES).get_page(request.GET.get("page"))
        context |= {"page": page, "games": rated_games(player, shown, list(page))}
    return render(request, "rating/history.html", context)


@login_required
@require_safe
def chances(request: HttpRequest, pk: int) -> HttpResponse:
    """The chance of each at a table to finish first, until its first hand; for the fold-out its part."""
    check_permission(request.user, Permission.SEE_CHANCES)
    game = visible_game(request, pk)
    begun = game.finished or game.hands.current().exists()
    context = {
        "game": game,
        "seating": None if begun else seating_chances(game.league, game.players),
        "least": LEAST_PLAYERS,
    }
    template = "rating/_chances.html" if by_htmx(request) else "rating/chances.html"
    return render(request, template, context)


def _asked(request: HttpRequest, leagues: list[League], *, across: bool) -> League | None:
    """The league that was asked for, else the newest; None for the ratings across leagues."""
    if across and request.GET.get("across"):
        return None
    return chosen_league(leagues, request)
