"""The standing rules of a league: in words for everybody, and for organisers a form with a preview."""

import hashlib
import json
from dataclasses import dataclass
from datetime import date, timedelta
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
from scoring.models.standing_rules import names_of_people
from scoring.models.standing_settings import MOST_TABLES
from scoring.queries.games import games_by_id
from scoring.queries.leading import may_see_link
from scoring.queries.player_standing import player_standing
from scoring.queries.standing_preview import ComparedTable, preview_standings
from scoring.queries.standings import version_in_force
from scoring.services.standing_rules import change_standing_rules, undo_standing_rules
from scoring.translation import listed
from scoring.typed_numbers import typed_id

from ..shared.requests import by_htmx, members_post, stores_for_its_user, visible_league
from .forms import AsOfForm
from .standing_form import StandingForm

A_PAGE = 50


@require_safe
def sum_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """How the rank of a player came about: the written sum and its games, also of an earlier day."""
    league = visible_league(request, slug)
    form = AsOfForm(request.GET if "as_of" in request.GET else None, league=league)
    day = form.day
    player_sum = player_standing(league, pk, day, request.GET.get("table", ""))
    context: dict[str, Any] = {"league": league, "day": day, "player_sum": player_sum, "form": form}
    if player_sum is None:
        context["unknown"] = _unknown_table(league, day, request.GET.get("table", ""))
    else:
        page = Paginator(player_sum.games, A_PAGE).get_page(request.GET.get("page"))
        games = games_by_id(line.game.game for line in page)
        context["page"] = page
        context["lines"] = [(line, games[line.game.game]) for line in page]
    status = 200 if player_sum else 404
    return render(request, "league/sum.html", context, status=422 if form.errors else status)


def _unknown_table(league: League, day: date | None, name: str) -> str:
    """``name``, if no table of ``league`` has it now, or on ``day``."""
    version = version_in_force(league, day)
    names = [one.name.casefold() for one in version.rules] if version else []
    return "" if name.casefold() in ("", *names) else name


@require_safe
def standing_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules that hold now, in words, and every version that there was."""
    return _rules_page(request, visible_league(request, slug))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@stores_for_its_user("take")
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """One table (``?table=`` and its name) or a new one: a form, a preview, then take it."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    league = visible_league(request, slug)
    if league.closed:
        return _refuse_closed(request, league)
    name = request.GET.get("table", "")
    if "remove" in request.POST:
        return _remove(request, league, name)
    held = version_in_force(league)
    rules = next((one for one in held.rules if one.name == name), None) if held else None
    form = StandingForm(request.POST if request.method == "POST" else None, rules=rules)
    later = StandingRules.objects.next_after(league, club_day())
    context: dict[str, Any] = {"league": league, "form": form, "rules": rules, "later": later}
    if form.is_valid() and (version := _version(league, name, form)):
        etag = _etag(version)
        if "take" in request.POST and request.POST.get("etag") == etag:
            if _take(request, version, form):
                return redirect("standing_rules", league.slug)
        elif (preview := _preview(version, form)) is not None:
            unseen = "take" in request.POST
            context |= {"preview": preview, "etag": etag, "unseen": unseen}
            context["names"] = names_of_people(version.rules)
    template = "league/_tried.html" if by_htmx(request) else "league/change_standing_rules.html"
    wrong = form.is_bound and not form.is_valid() and not by_htmx(request)
    return render(request, template, context, status=422 if wrong else 200)


@members_post()
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the newest version back, by a new one."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    league = visible_league(request, slug)
    if league.closed:
        return _refuse_closed(request, league)
    try:
        undo_standing_rules(league, by=request.user, seen=_seen(request))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("The standing rules are as they were before."))
    return redirect("standing_rules", slug)


def _rules_page(request: HttpRequest, league: League, status: int = 200) -> HttpResponse:
    versions = list(league.standing_rules.select_related("made_by__player").order_by("-number"))
    context = {
        "league": league,
        "held": version_in_force(league),
        "later": StandingRules.objects.next_after(league, club_day()),
        "versions": versions,
        "names": names_of_people(table for version in versions for table in version.rules),
        "may_change": may_see_link(request.user, Permission.RUN_LEAGUES) and not league.closed,
        "may_reopen": may_see_link(request.user, Permission.CLOSE_A_SEASON) and league.closed,
        "most": MOST_TABLES,
    }
    return render(request, "league/standing_rules.html", context, status=status)


def _refuse_closed(request: HttpRequest, league: League) -> HttpResponse:
    """The page of the rules, which says that the season is closed."""
    if request.method == "POST":
        return _rules_page(request, league, status=422)
    return redirect("standing_rules", league.slug)


def _version(league: League, name: str, form: StandingForm) -> StandingRules | None:
    """The tables of the chosen day, with that of ``form`` in place of ``name``, or behind them.

    It is not saved, and not checked yet. None if there are other tables on that day, which ``form`` says.
    """
    day = form.cleaned_data["effective_from"]
    held = version_in_force(league, day)
    tables = list(held.tables) if held else []
    names = [table["name"] for table in tables]
    if name and names and name not in names:
        message = _(
            "On this day there is no table named %(name)s, but: %(tables)s. "
            "Change one of these, or choose another day."
        )
        params = {"name": name, "tables": listed(names)}
        form.add_error("effective_from", ValidationError(message % params, code="renamed"))
        return None
    place = names.index(name) if name in names else len(tables)
    tables[place : place + 1] = [form.data_of_table()]
    return StandingRules(
        league=league,
        number=league.standing_versions + 1,
        effective_from=day,
        tables=tables,
    )


def _etag(version: StandingRules) -> str:
    """A fingerprint of the preview: what is taken is what was seen."""
    shown = [version.number, str(version.effective_from), version.tables]
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class StandingPreview:
    """A table by new rules, beside the present one.

    :ivar day: the last day on which the rules hold that is not to come; None: today.
    :ivar later: the version that holds in their place from its day on.
    """

    compared: ComparedTable
    day: date | None
    later: StandingRules | None


def _preview(version: StandingRules, form: StandingForm) -> StandingPreview | None:
    """What ``version`` makes of the table of ``form``; None if it is refused, in ``form``."""
    try:
        version.clean()
    except ValidationError as error:
        form.refuse(error)
        return None
    [shown] = [one for one in version.rules if one.name == form.cleaned_data["name"]]
    later = StandingRules.objects.next_after(version.league, version.effective_from)
    day = max(club_day(), version.effective_from)
    if later:
        day = min(day, later.effective_from - timedelta(days=1))
    as_of = None if day == club_day() else day
    return StandingPreview(preview_standings(version.league, [shown], as_of)[0], as_of, later)


def _take(request: HttpRequest, version: StandingRules, form: StandingForm) -> bool:
    """Save ``version``; False if it is refused, at the fields of ``form``."""
    try:
        change_standing_rules(
            version.league,
            version.tables,
            effective_from=version.effective_from,
            by=request.user,
            seen=version.number - 1,
        )
    except ValidationError as error:
        form.refuse(error)
        return False
    day = version.effective_from
    message = _("The table follows these rules from %(day)s on.") % {"day": date_format(day)}
    messages.success(request, " ".join([message, *_until(version.league, day)]))
    return True


def _remove(request: HttpRequest, league: League, name: str) -> HttpResponse:
    """Go on from today without the table ``name``, if nothing changed since it was shown."""
    today = club_day()
    held = version_in_force(league)
    before = held.tables if held else []
    tables = [table for table in before if table["name"] != name]
    if tables == before:
        messages.info(request, _("This table is gone already."))
        return redirect("standing_rules", league.slug)
    try:
        change_standing_rules(
            league, tables, effective_from=today, by=request.user, seen=_seen(request)
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        message = _("The table is removed from today on.")
        messages.success(request, " ".join([message, *_until(league, today)]))
    return redirect("standing_rules", league.slug)


def _seen(request: HttpRequest) -> int:
    """The number of the newest version when the page was made; -1, which is none, without one."""
    number = typed_id(request.POST.get("version", ""))
    return -1 if number is None else number


def _until(league: League, day: date) -> list[str]:
    """That another version holds from a later day on, if it does."""
    later = StandingRules.objects.next_after(league, day)
    if later is None:
        return []
    message = _("From %(day)s on, version %(number)s holds.")
    return [message % {"day": date_format(later.effective_from), "number": later.number}]
