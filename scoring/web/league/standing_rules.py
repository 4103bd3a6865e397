"""The standing rules of a league: in words for everybody, and for organisers a form with a preview."""

import hashlib
import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.models import League, StandingRules, club_day
from scoring.models.permissions import Permission, check_permission
from scoring.models.standing_settings import MOST_TABLES
from scoring.queries.leading import leads
from scoring.queries.player_standing import player_standing
from scoring.queries.standing_preview import ComparedTable, preview_standings
from scoring.queries.standings import version_in_force
from scoring.services.standing_rules import change_standing_rules, undo_standing_rules

from ..shared.requests import by_htmx, visible_league
from .forms import AsOfForm
from .standing_form import StandingForm

A_PAGE = 50


@require_safe
def sum_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """How the rank of a player came about: the written sum and its games, also of an earlier day."""
    league = visible_league(request, slug)
    form = AsOfForm(request.GET if "as_of" in request.GET else None, league=league)
    day = form.day
    found = player_standing(league, pk, day, request.GET.get("table", ""))
    context: dict[str, Any] = {"league": league, "day": day, "found": found}
    if found:
        context["page"] = Paginator(found.games, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "league/sum.html", context, status=200 if found else 404)


@require_safe
def standing_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules that hold now, in words, and every version that there was."""
    league = visible_league(request, slug)
    versions = league.standing_rules.select_related("made_by__player").order_by("-number")
    context = {
        "league": league,
        "held": version_in_force(league),
        "versions": versions,
        "may_change": leads(request.user),
        "most": MOST_TABLES,
    }
    return render(request, "league/standing_rules.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """One table (``?table=0``, or ``new``): a form, the new table beside the present one, then take it."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    league = visible_league(request, slug)
    tables = _tables_to_change(league)
    place = _place(request.GET.get("table", ""), len(tables))
    if "remove" in request.POST and place is not None:
        return _remove(request, league, [*tables[:place], *tables[place + 1 :]])
    rules = None if place is None else StandingRules(league=league, tables=tables).rules[place]
    form = StandingForm(request.POST if request.method == "POST" else None, rules=rules)
    context: dict[str, Any] = {"league": league, "form": form, "place": place}
    if form.is_valid():
        tried = _with(tables, place, form.data_of_table())
        etag = _etag(league, tried, form)
        if "take" in request.POST and request.POST.get("etag") == etag:
            if _take(request, league, tried, form):
                return redirect("standing_rules", league.slug)
        elif (compared := _compare(league, tried, place, form)) is not None:
            unseen = "take" in request.POST
            context |= {"compared": compared, "etag": etag, "unseen": unseen}
    template = "league/_tried.html" if by_htmx(request) else "league/change_standing_rules.html"
    wrong = form.is_bound and not form.is_valid() and not by_htmx(request)
    return render(request, template, context, status=422 if wrong else 200)


@login_required
@require_http_methods(["POST"])
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the newest version back, by a new one."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    league = visible_league(request, slug)
    seen = request.POST.get("version", "")
    try:
        undo_standing_rules(league, by=request.user, seen=int(seen) if seen.isdecimal() else -1)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("The standing rules are as they were before."))
    return redirect("standing_rules", slug)


def _tables_to_change(league: League) -> list[dict[str, Any]]:
    """Those of the newest version: what somebody adds comes beside them."""
    newest = league.standing_rules.order_by("number").last()
    return list(newest.tables) if newest else []


def _place(asked: str, tables: int) -> int | None:
    """Which of so many tables is changed; None for a new one."""
    return int(asked) if asked.isdecimal() and int(asked) < tables else None


def _with(
    tables: list[dict[str, Any]], place: int | None, data: dict[str, Any]
) -> list[dict[str, Any]]:
    """``tables`` with ``data`` at ``place``, or behind them."""
    if place is None:
        return [*tables, data]
    return [*tables[:place], data, *tables[place + 1 :]]


def _etag(league: League, tables: list[dict[str, Any]], form: StandingForm) -> str:
    """A fingerprint of the preview: what is taken is what was seen."""
    shown = [league.standing_versions, str(form.cleaned_data["effective_from"]), tables]
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:32]


def _compare(
    league: League, tables: list[dict[str, Any]], place: int | None, form: StandingForm
) -> ComparedTable | None:
    """The table that is changed, beside the present one; None if the rules are refused, in ``form``."""
    version = StandingRules(league=league, number=1, tables=tables)
    try:
        version.clean()
    except ValidationError as error:
        form.refuse(error)
        return None
    shown = version.rules[-1 if place is None else place]
    return preview_standings(league, [shown])[0]


def _take(
    request: HttpRequest, league: League, tables: list[dict[str, Any]], form: StandingForm
) -> bool:
    """Save ``tables``; False if they are refused, at the fields of ``form``."""
    day = form.cleaned_data["effective_from"]
    try:
        change_standing_rules(
            league, tables, effective_from=day, by=request.user, seen=league.standing_versions
        )
    except ValidationError as error:
        form.refuse(error)
        return False
    message = _("The table follows these rules from %(day)s on.")
    messages.success(request, message % {"day": date_format(day)})
    return True


def _remove(request: HttpRequest, league: League, tables: list[dict[str, Any]]) -> HttpResponse:
    """Go on from today with ``tables``."""
    change_standing_rules(league, tables, effective_from=club_day(), by=request.user)
    messages.success(request, _("The table is removed from today on."))
    return redirect("standing_rules", league.slug)
