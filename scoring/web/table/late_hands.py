"""Late hands: a phone asks for them, an organiser decides."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models import Game, LateHand
from scoring.models.permissions import Permission, PermissionDenied, can, check_permission
from scoring.services.errors import Conflict, KeyReused
from scoring.services.idempotency import StoredResponse
from scoring.services.late_hands import (
    Asked,
    ask_for_late_hand,
    decline_late_hand,
    take_in_late_hand,
    waiting_at,
)

from ..idempotent_form import carry_out, idempotent_post, say_done
from ..shared.hand_form import HandForm
from ..shared.reason_form import ReasonForm
from ..shared.requests import for_its_phone, members_post, visible_game
from ..shared.scoresheet import scoresheet_to_come
from ..shared.sentences import in_a_sentence, what_became_of
from . import outcomes
from .entered_hand import entered_lines
from .refused_hand import conflict_context, refused_hand
from .views import table_context


@require_http_methods(["GET", "POST"])
def late_hands(request: HttpRequest, pk: int) -> HttpResponse:
    """For organisers the late hands that wait; a POST is a phone that asks for one, in JSON."""
    return _asked(request, pk) if request.method == "POST" else _page(request, pk)


@for_its_phone
def _asked(request: HttpRequest, pk: int) -> JsonResponse:
    """Keeps the hand for an organiser; answers how it stands by now."""
    game = visible_game(request, pk)
    form = HandForm(request.POST, game=game)
    try:
        return _standing_of(game, _ask(request, game, form))
    except ValidationError as error:
        form.refuse(error)
        return _refused(request, game, form)
    except PermissionDenied as refusal:
        return outcomes.refused(403, refusal.code, [str(refusal)], game)
    except (Conflict, KeyReused) as refusal:
        if refusal.code == "open":
            return outcomes.late(game, "open", str(refusal), status=409, code="open")
        return _refused(request, game, form, **conflict_context(game, form, refusal))


def _ask(request: HttpRequest, game: Game, form: HandForm) -> Asked:
    """:raises ValidationError: with nothing in it where ``form`` itself has found what is wrong."""
    if not form.is_valid():
        raise ValidationError({})
    again = "again" in request.POST
    return ask_for_late_hand(
        game, form.entry, by=request.user, key=form.cleaned_data["key"], again=again
    )


def _refused(request: HttpRequest, game: Game, form: HandForm, **why: Any) -> JsonResponse:
    context = table_context(request, game.pk, form, **why)
    return refused_hand(request, form, context, status=422)


@members_post()
def decide(request: HttpRequest, pk: int, late: int) -> HttpResponse:
    """Takes one late hand in, or declines it with a reason."""
    game = visible_game(request, pk)
    late_hand = get_object_or_404(LateHand, pk=late, game=game)
    form = ReasonForm(request.POST)
    try:
        if request.POST.get("decision") == "take":
            answer = idempotent_post(request, lambda: _take_in(request, late_hand))
            say_done(request, answer, answer.body["message"])
        elif form.is_valid():
            done = _("The late hand is declined.")
            carry_out(request, form, lambda: _decline(request, late_hand, form), done)
        else:
            return _page(request, pk, form=form, about=late_hand)
    except PermissionDenied as refusal:
        if not can(request.user, Permission.DECIDE_A_LATE_HAND):
            raise
        messages.error(request, str(refusal))
    except Conflict as refusal:
        messages.info(request, str(refusal))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    left = game.late_hands.waiting().exists()
    return redirect("late_hands" if left else "game", pk)


def _take_in(request: HttpRequest, late: LateHand) -> StoredResponse:
    hand = take_in_late_hand(late, by=request.user, expected_etag=request.POST.get("seen", ""))
    return StoredResponse(201, {"message": in_a_sentence(hand)})


def _decline(request: HttpRequest, late: LateHand, form: ReasonForm) -> StoredResponse:
    decline_late_hand(late, by=request.user, reason=form.cleaned_data["reason"])
    return StoredResponse(200, {"id": late.pk})


@login_required
def _page(
    request: HttpRequest, pk: int, *, form: ReasonForm | None = None, about: LateHand | None = None
) -> HttpResponse:
    check_permission(request.user, Permission.DECIDE_A_LATE_HAND)
    game = visible_game(request, pk)
    lines = [
        {
            "late": one.late,
            "hand": one.recorded and one.recorded.hand,
            "entered": [] if one.recorded else entered_lines(one.entered, game),
            "sentence": one.recorded and in_a_sentence(one.recorded.hand),
            "sheet": one.recorded and scoresheet_to_come(one.recorded.hand, one.recorded.payments),
            "problems": one.problems,
            "etag": one.etag,
            "form": form if about == one.late else ReasonForm(auto_id=f"late-{one.late.pk}-%s"),
        }
        for one in waiting_at(game)
    ]
    context = {"game": game, "lines": lines}
    return render(request, "table/late.html", context, status=422 if form else 200)


def _standing_of(game: Game, asked: Asked) -> JsonResponse:
    """What the phone reads: of a hand that is logged also what became of it since."""
    sentence = {
        LateHand.Status.ASKED: _("An organiser will look at this hand."),
        LateHand.Status.TAKEN: _("This hand is logged."),
        LateHand.Status.DECLINED: _("An organiser declined this hand: “%(reason)s”"),
    }[LateHand.Status(asked.outcome)] % {"reason": asked.reason}
    reasons = [asked.reason] if asked.reason else []
    hand = asked.hand and asked.hand.pk
    if asked.hand and (since := what_became_of(asked.hand)):
        sentence = f"{in_a_sentence(asked.hand)} {since}"
    return outcomes.late(game, str(asked.outcome), sentence, reasons=reasons, hand=hand)
