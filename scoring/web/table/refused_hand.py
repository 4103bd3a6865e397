"""A hand that was sent and refused: why, and which hand stands at its position, or is the same one."""

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.models import Game, Hand
from scoring.services.errors import Conflict, KeyReused
from scoring.services.games import played_out
from scoring.services.hands.record import find_same_hand, hand_at

from ..shared.form_initial import form_initial
from ..shared.hand_form import HandForm
from ..shared.preview import sentences
from . import outcomes

NOT_NEXT = "not_the_next_hand"
OF_THE_NUMBER = {NOT_NEXT, "already_there"}


def conflict_context(
    game: Game, form: HandForm, refusal: Conflict | KeyReused, same: Hand | None = None
) -> dict[str, Any]:
    """For ``table/_conflict.html``: another hand was first, or the game is over.

    Where the same hand is logged under another number, that one is shown, and not the one at its position.

    :param same: that hand, if it is known already.
    """
    there = refusal.hand
    if isinstance(refusal, Conflict) and there is None:
        there = hand_at(game, form.cleaned_data["number"])
    is_taken = there is not None
    if same is None and refusal.code in OF_THE_NUMBER:
        same = find_same_hand(game, form.entry)
    has_other_number = same is not None and same != there
    if same is not None and has_other_number:
        refusal, there = not_the_next(game, same), same
    fields = form_initial(there) if there else {}
    return {
        "refusal": str(refusal),
        "there": there,
        "is_position_taken": is_taken,
        "has_other_number": has_other_number,
        "there_fields": json.dumps(outcomes.pairs_of(fields)),
        # Organisers take in nothing once the last round is over.
        "code": "played_out" if refusal.code == "finished" and played_out(game) else refusal.code,
        # What the words are about: the table that is shown beside may have moved on since.
        "answered": refusal.state.number if isinstance(refusal, Conflict) else None,
    }


def not_the_next(game: Game, same: Hand) -> Conflict:
    """Why a hand is not logged: ``same`` is that hand, under another number."""
    message = _("Hand %(number)s has the same winner and tiles. The next one is number %(next)s.")
    numbers = {"number": same.number, "next": game.next_number}
    return Conflict(message % numbers, code=NOT_NEXT, state=game.state)


def the_next_after_all(game: Game, number: int) -> Conflict:
    """What is said of a hand that nothing stands against any more: hand ``number`` had its winner and tiles."""
    message = _(
        "Hand %(number)s no longer has the same winner and tiles. The next one is number %(next)s."
    )
    numbers = {"number": number, "next": game.next_number}
    return Conflict(message % numbers, code=NOT_NEXT, state=game.state)


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
        "position_taken": context.get("is_position_taken", False),
    }
