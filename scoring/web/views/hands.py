"""Logging a hand at the table, and its scorecard."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import reswap, retarget

from scoring.models import Game, Hand
from scoring.play.errors import Conflict, KeyReused, NotAllowed
from scoring.play.once import Answer
from scoring.play.permissions import Call, may
from scoring.play.record import record_hand

from ..forms.hands import HandForm
from ..lost_session import forget, keeps_what_was_typed
from ..picture import draw, sets_to_show
from ..preview import preview_of
from ..scoresheet import scoresheet_of
from ..sending import sent_once
from ..table import in_a_sentence
from ..trust import trust_of
from .games import table_context, visible_game

DAY = 24 * 60 * 60


@require_POST
@keeps_what_was_typed
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the hand that was entered; if it is refused, say why and keep what was entered."""
    game = visible_game(request, pk)
    form = HandForm(_sent(request), game=game)
    if not form.is_valid():
        return _again(request, game, form, status=422)
    try:
        answer = sent_once(request, form, lambda: _record(request, game, form))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except (Conflict, KeyReused) as refusal:
        game = visible_game(request, pk)
        there = game.hands.live().with_people().filter(number=form.cleaned_data["number"]).first()
        return _again(request, game, form, status=409, refusal=str(refusal), there=there)
    except ValidationError as error:
        form.refuse(error)
        return _again(request, game, form, status=422)
    forget(request, game.get_absolute_url())
    if not request.htmx:
        messages.success(request, answer.body["message"])
        return redirect("game", pk)
    context = table_context(request, visible_game(request, pk))
    return render(request, "games/_table.html", {**context, "saved": answer.body})


@require_POST
@keeps_what_was_typed
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """What saving would do: a piece of page while tapping, the whole one where no scripts run."""
    game = visible_game(request, pk)
    if not may(request.user, Call.LOG_A_HAND, game):
        raise PermissionDenied
    form = HandForm(request.POST, game=game)
    shown = preview_of(game, form)
    if request.htmx:
        return render(request, "components/preview.html", {"preview": shown})
    return render(request, "games/table.html", table_context(request, game, form, preview=shown))


@require_GET
def hand(request: HttpRequest, pk: int) -> HttpResponse:
    """The scorecard of one hand."""
    hands = Hand.objects.visible_to(request.user).with_people().select_related("game__league")
    shown = get_object_or_404(hands, pk=pk)
    sheet = scoresheet_of(shown)
    context = {"sheet": sheet, "trust": trust_of(shown, request.user)}
    if sets_to_show(shown):
        picture = reverse("hand_picture", args=[pk])
        context["picture"] = request.build_absolute_uri(picture)
    return render(request, "hands/scorecard.html", context)


@require_GET
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """A winning hand for sharing; 404 for a hand without tiles to show."""
    shown = get_object_or_404(Hand.objects.visible_to(request.user), pk=pk)
    sets = sets_to_show(shown)
    if sets is None or shown.final is None:
        raise Http404
    response = HttpResponse(draw(sets, shown.final), content_type="image/png")
    # A version of a hand never changes; who may see it can.
    patch_cache_control(response, private=True, max_age=DAY)
    return response


def _sent(request: HttpRequest) -> QueryDict:
    """What was entered; as another hand, if the table had moved on and the person says so."""
    if "as_number" not in request.POST:
        return request.POST
    sent = request.POST.copy()
    sent["number"], sent["key"] = sent["as_number"], uuid4().hex
    return sent


def _record(request: HttpRequest, game: Game, form: HandForm) -> Answer:
    key = form.cleaned_data["key"]
    saved = record_hand(game, form.entry, by=request.user, key=key).hand
    return Answer(201, {"hand": saved.pk, "message": in_a_sentence(saved)})


def _again(
    request: HttpRequest, game: Game, form: HandForm, *, status: int, **more: Any
) -> HttpResponse:
    """The form as it was sent, with what is wrong; scripts get the form alone, for its place."""
    context = table_context(request, game, form, **more)
    if not request.htmx:
        return render(request, "games/table.html", context, status=status)
    response = render(request, "games/_log.html", context, status=status)
    return reswap(retarget(response, "#log"), "outerHTML")
