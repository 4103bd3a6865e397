"""Booking a penalty at a table, an adjustment in a league, and taking one back."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models import Adjustment, Game, League
from scoring.models.game_tables import with_table
from scoring.models.permissions import Permission, User, can, check_not_closed, check_permission
from scoring.services.adjustments import (
    book_at_table,
    book_in_league,
    reverse,
    why_not_reversed,
)
from scoring.services.errors import KeyReused
from scoring.services.idempotency import StoredResponse

from ..account.drafts import form_later, member_or_form_later, typed_before
from ..idempotent_form import idempotent_form, say_done
from ..shared.reason_form import ReasonForm
from ..shared.requests import visible_game, visible_league
from .adjustment_forms import AdjustmentForm, PenaltyForm

A_PAGE = 50


@member_or_form_later
@require_http_methods(["GET", "POST"])
def penalty(request: HttpRequest, pk: int) -> HttpResponse:
    """One of the four pays the other three, for a false mah jongg or for coming late."""
    game = visible_game(request, pk)
    form = PenaltyForm(request.POST or None, initial=typed_before(request), game=game)

    def book() -> Adjustment:
        given = form.cleaned_data
        return book_at_table(
            game,
            form.lines,
            by=request.user,
            reason=given["reason"],
            once_more=given["anyway"],
        )

    if _sent(request, form, book):
        return redirect(game)
    check_permission(request.user, Permission.BOOK_AT_A_TABLE, game)
    context = {"game": game, "form": form}
    return render(request, "league/penalty.html", context, status=422 if form.is_bound else 200)


@form_later
@require_http_methods(["GET", "POST"])
def adjustments(request: HttpRequest, slug: str) -> HttpResponse:
    """All bookings of a league, and for organisers the form of another one."""
    league = visible_league(request, slug)
    books = can(request.user, Permission.BOOK_IN_A_LEAGUE)
    asks = books and not league.closed
    form: AdjustmentForm | None = None
    if request.method == "POST":
        form = AdjustmentForm(request.POST, league=league)
        if _sent(request, form, partial(_book_in, league, form, request.user)):
            return redirect("adjustments", slug)
        check_permission(request.user, Permission.BOOK_IN_A_LEAGUE)
        check_not_closed(league)
    elif asks:
        form = AdjustmentForm(initial=typed_before(request), league=league)
    adjustments_of_league = Adjustment.objects.filter(league=league).with_people()
    page = Paginator(adjustments_of_league, A_PAGE).get_page(request.GET.get("page"))
    context = {"league": league, "form": form, "page": page, "books": books}
    status = 422 if form and form.is_bound else 200
    return render(request, "league/adjustments.html", context, status=status)


@member_or_form_later
@require_http_methods(["GET", "POST"])
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Book the same points the other way round, with a reason."""
    visible = Adjustment.objects.visible_to(request.user).select_related("league").with_people()
    booked = get_object_or_404(visible, pk=pk)
    game = with_table(Game.objects).get(pk=booked.game_id) if booked.game_id else None
    form = ReasonForm(request.POST or None, initial=typed_before(request))

    def book() -> Adjustment:
        return reverse(booked, by=request.user, reason=form.cleaned_data["reason"])

    if _sent(request, form, book):
        return redirect(game) if game else redirect("adjustments", booked.league.slug)
    books = Permission.BOOK_AT_A_TABLE if game else Permission.BOOK_IN_A_LEAGUE
    check_permission(request.user, books, game)
    check_not_closed(booked.league)
    refusal = why_not_reversed(booked)
    context = {"booked": booked, "game": game, "form": form, "refusal": refusal and refusal[1]}
    return render(request, "league/take_back.html", context, status=422 if form.is_bound else 200)


def _book_in(league: League, form: AdjustmentForm, by: User) -> Adjustment:
    return book_in_league(league, form.lines, by=by, reason=form.cleaned_data["reason"])


def _sent(request: HttpRequest, form: ReasonForm, book: Callable[[], Adjustment]) -> bool:
    """Whether ``form`` was sent and carried out; if not, it says why."""
    if not (form.is_bound and form.is_valid()):
        return False
    began = timezone.now()
    try:
        answer = idempotent_form(request, form, lambda: StoredResponse(201, _answer(book(), began)))
    except KeyReused:
        messages.info(request, _("It is saved already. For a second one, say so in the reason."))
        return True
    except ValidationError as error:
        form.refuse(error)
        return False
    if answer.replayed or answer.body.get("anew", True):
        say_done(request, answer, _("Saved."))
    else:
        message = _("It is saved already. For a second one, say so in the reason.")
        messages.info(request, message)
    return True


def _answer(booked: Adjustment, began: datetime) -> dict[str, Any]:
    """What the form is answered: whether this call booked it, or an earlier one had."""
    return {"adjustment": booked.pk, "anew": booked.made_at >= began}
