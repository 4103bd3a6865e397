"""The evenings of a league; an organiser closes one, and opens it again."""

from datetime import date

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.models import League
from scoring.models.evenings import is_evening_closed
from scoring.models.left_open import left_open
from scoring.models.permissions import Permission, can, check_not_closed, check_permission
from scoring.models.problems import has_code
from scoring.queries.evenings import evening_of, paid_without_games
from scoring.queries.evenings import evenings as evenings_of
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.idempotency import StoredResponse

from ..account.drafts import member_or_form_later, members_form_of, typed_before
from ..idempotent_form import carry_out
from ..shared.reason_form import ConfirmForm, ReasonForm
from ..shared.requests import visible_league
from ..shared.seats import seats_anyway
from .preview import evening_preview

A_PAGE = 30


@require_safe
def evenings(request: HttpRequest, slug: str) -> HttpResponse:
    """Every day on which a game of the league began."""
    league = visible_league(request, slug)
    page = Paginator(evenings_of(league), A_PAGE).get_page(request.GET.get("page"))
    context = {"league": league, "page": page}
    if can(request.user, Permission.SEE_WHO_PAYS):
        context["paid_without_games"] = paid_without_games(league)
    return render(request, "evening/evenings.html", context)


@require_safe
def evening(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """What was played on one evening, what is still open, and whether it is closed."""
    form = ReasonForm(initial=typed_before(request))
    return _page(request, visible_league(request, slug), day, form)


@member_or_form_later
@require_http_methods(["GET", "POST"])
def close(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """Shows what is still open, asks, and closes the evening; open games end where they stand."""
    league = visible_league(request, slug)
    form = ConfirmForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        check_permission(request.user, Permission.CLOSE_AN_EVENING)
        check_not_closed(league)
        return _ask_to_close(request, league, day, status=422 if form.is_bound else 200)
    try:
        done = _("The evening is closed.")
        carry_out(request, form, lambda: _close(request, league, day, form), done)
    except ValidationError as error:
        if has_code(error, "moved_on"):
            messages.warning(request, " ".join(error.messages))
            return _ask_to_close(request, league, day, status=409)
        messages.info(request, " ".join(error.messages))
    return redirect("evening", slug, day)


def _close(request: HttpRequest, league: League, day: date, form: ConfirmForm) -> StoredResponse:
    close_evening(league, day, by=request.user, expected_etag=form.cleaned_data["seen"])
    return StoredResponse(200, {"evening": day.isoformat()})


def _ask_to_close(request: HttpRequest, league: League, day: date, *, status: int) -> HttpResponse:
    """What is still open, in a form of its own: a key that came may be used already."""
    shown = evening_of(league, day)
    if shown is None:
        raise Http404
    if shown.closed:
        return redirect("evening", league.slug, day)
    left = left_open(league, day)
    form = ConfirmForm(initial={"seen": left.etag})
    context = {"evening": shown, "league": league, "left": left, "form": form}
    return render(request, "evening/close_evening.html", context, status=status)


@members_form_of("..")
def reopen(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """Open it again, for a reason."""
    league = visible_league(request, slug)
    form = ReasonForm(request.POST)
    if form.is_valid():
        try:
            done = _("The evening is open again.")
            carry_out(request, form, lambda: _reopen(request, league, day, form), done)
            return redirect("evening", slug, day)
        except ValidationError as error:
            form.refuse(error)
            if not is_evening_closed(league, day):
                messages.info(request, " ".join(error.messages))
                return redirect("evening", slug, day)
    check_permission(request.user, Permission.CLOSE_AN_EVENING)
    check_not_closed(league)
    return _page(request, league, day, form, status=422)


def _reopen(request: HttpRequest, league: League, day: date, form: ReasonForm) -> StoredResponse:
    reason, anyway = form.cleaned_data["reason"], seats_anyway(request)
    reopen_evening(league, day, by=request.user, reason=reason, anyway=anyway)
    return StoredResponse(200, {"evening": day.isoformat()})


def _page(
    request: HttpRequest, league: League, day: date, form: ReasonForm, *, status: int = 200
) -> HttpResponse:
    shown = evening_of(league, day)
    if shown is None:
        raise Http404
    closes = can(request.user, Permission.CLOSE_AN_EVENING) and not league.closed
    reads = can(request.user, Permission.READ_HISTORY)
    context = {
        "evening": shown,
        "league": league,
        "form": form,
        "closes": closes,
        "decides": can(request.user, Permission.DECIDE_A_LATE_HAND),
        "has_tables": can(request.user, Permission.MANAGE_TABLE_CODES),
        "reads": reads,
        "preview": evening_preview(request, league, day, shown.totals),
    }
    return render(request, "evening/evening.html", context, status=status)
