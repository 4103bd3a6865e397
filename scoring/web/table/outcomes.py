"""Answers to the queue of a phone: what became of one hand, as JSON (docs/the-queue.md).

``outcome`` is "taken", "undone", "refused" or "signedOut", and of a late hand also "asked", "declined"
or "open"; ``reasons`` are sentences for the person;
``html`` is the piece of page that shows the same; ``word`` is where the site says the game stands.
"""

import time
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.models import Game, Hand

from ..htmx import by_htmx

View = Callable[..., HttpResponse]


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, not a browser that follows a form."""
    return not request.accepts("text/html") and request.accepts("application/json")


def is_script(request: HttpRequest) -> bool:
    """Whether a script of ours asks, for JSON or for a piece of a page."""
    return wants_json(request) or by_htmx(request)


def for_its_user(view: View) -> View:
    """A view that answers a script 401 unless the account is signed in that the field ``user`` names.

    A page that stayed open, or was kept for later, still sends what its own member entered: that must
    not be logged in the name of whoever signed in on the same phone since.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if is_script(request) and not is_its_user(request):
            return signed_out()
        return view(request, *args, **kwargs)

    return guarded


def is_its_user(request: HttpRequest) -> bool:
    """Whether the account is signed in that the field ``user`` names; any, if it names none."""
    meant = request.POST.get("user", "")
    return request.user.is_authenticated and meant in ("", str(request.user.pk))


def signed_out() -> JsonResponse:
    return _answer(
        401, "signedOut", reasons=[_("Sign in to do this: it is for members of the club.")]
    )


def refused(
    status: int, code: str, reasons: Iterable[str], game: Game | None = None, **more: Any
) -> JsonResponse:
    """The hand is not stored, and why; ``position_taken``: another hand stands at its position."""
    if game is not None:
        more["word"] = word_of(game)
    return _answer(
        status, "refused", code=code, reasons=[str(reason) for reason in reasons], **more
    )


def taken(request: HttpRequest, game: Game, hand: Hand, sentence: str, **more: Any) -> JsonResponse:
    """The site has the hand."""
    context = {"sentence": sentence, "hand": hand, **more}
    html = render_to_string("table/_saved.html", context, request=request)
    return _answer(
        201 if not more.get("repeated") else 200,
        "taken",
        hand=hand.pk,
        number=hand.number,
        sentence=sentence,
        html=html,
        word=word_of(game),
    )


def undone(game: Game, hand: Hand, sentence: str, fields: dict[str, Any]) -> JsonResponse:
    """The hand was taken back; ``fields`` are what had been entered, for the form."""
    pairs = [[name, str(value)] for name, value in fields.items()]
    return _answer(200, "undone", hand=hand.pk, sentence=sentence, fields=pairs, word=word_of(game))


def late(
    game: Game, outcome: str, sentence: str, *, status: int = 200, **more: Any
) -> JsonResponse:
    """How a late hand stands with the organisers."""
    body = {"code": "", "reasons": [], "hand": None, **more}
    return _answer(status, outcome, sentence=sentence, word=word_of(game), **body)


def word_of(game: Game) -> dict[str, Any]:
    """Where the game stands: ``at`` in milliseconds tells which of two words is the later one."""
    state = game.state
    return {
        "at": time.time_ns() // 1_000_000,
        "round": state.round.value,
        "dealer": state.dealer,
        "number": state.number,
        "finished": state.finished,
    }


def _answer(status: int, outcome: str, **body: Any) -> JsonResponse:
    response = JsonResponse({"outcome": outcome, **body}, status=status)
    response["Cache-Control"] = "no-store"
    return response
