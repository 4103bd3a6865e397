"""A hand that was sent and refused: why, and which hand stands at its position."""

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string

from scoring.models import Game
from scoring.services.errors import Conflict, KeyReused
from scoring.services.hands.record import hand_at

from ..shared.form_initial import form_initial
from ..shared.hand_form import HandForm
from ..shared.preview import sentences
from . import outcomes


def conflict_context(game: Game, form: HandForm, refusal: Conflict | KeyReused) -> dict[str, Any]:
    """For ``table/_conflict.html``: another hand was first, or the game is over."""
    there = refusal.hand
    if isinstance(refusal, Conflict) and there is None:
        there = hand_at(game, form.cleaned_data["number"])
    fields = form_initial(there) if there else {}
    return {
        "refusal": str(refusal),
        "there": there,
        "there_fields": json.dumps(outcomes.pairs_of(fields)),
        "code": refusal.code,
        # What the words are about: the table that is shown beside may have moved on since.
        "answered": refusal.state.number if isinstance(refusal, Conflict) else None,
    }


def refused_hand(
    request: HttpRequest, form: HandForm, context: dict[str, Any], *, status: int
) -> JsonResponse:
    """The answer to a phone whose hand is refused.

    :param context: of the page of the table, with ``form``, and :func:`conflict_context` if there is one.
    """
    game = context["table"].game
    return outcomes.refused(status, game=game, **refusal_of(request, form, context))


def refusal_of(request: HttpRequest, form: HandForm, context: dict[str, Any]) -> dict[str, Any]:
    """Why the hand in ``form`` is refused, as a phone reads it; ``context`` as in :func:`refused_hand`."""
    reasons = [context["refusal"]] if "refusal" in context else [*map(str, sentences(form))]
    return {
        "code": context.get("code", "invalid"),
        "reasons": reasons,
        "html": render_to_string("table/_refusal.html", context, request=request),
        "position_taken": context.get("there") is not None,
    }
