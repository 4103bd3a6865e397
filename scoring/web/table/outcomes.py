"""Answers to the queue of a phone: what became of one hand, as JSON (docs/the-queue.md).

``outcome`` is "taken", "undone", "shown", "refused" or "signedOut"
(:func:`scoring.web.shared.requests.signed_out`), and of a late hand also "asked", "declined"
or "open"; ``reasons`` are sentences for the person;
``html`` is the piece of page that shows the same; ``word`` is the confirmed state: where the site says the game stands.
"""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string

from scoring.models import Game, Hand


def refused(
    status: int, code: str, reasons: Iterable[str], game: Game | None = None, **more: Any
) -> JsonResponse:
    """The hand is not stored, and why; ``position_taken``: another hand stands at its position."""
    if game is not None:
        more["word"] = confirmed_state(game)
    return _answer(
        status, "refused", code=code, reasons=[str(reason) for reason in reasons], **more
    )


def taken(
    request: HttpRequest, game: Game, hand: Hand, sentence: str, *, since: str = "", **more: Any
) -> JsonResponse:
    """The site has the hand. ``since`` is the end of ``sentence``: what became of it after it was logged."""
    context = {"sentence": sentence, "hand": hand, **more}
    html = render_to_string("table/_saved.html", context, request=request)
    return _answer(
        201 if not more.get("repeated") else 200,
        "taken",
        hand=hand.pk,
        number=hand.number,
        sentence=sentence,
        since=since,
        html=html,
        word=confirmed_state(game),
    )


def shown(html: str, refusal: dict[str, Any] | None = None) -> JsonResponse:
    """What saving would do, as the piece of page ``html``; ``refusal``: as of a refused hand, what is said of its number."""
    more = {"refusal": refusal} if refusal else {}
    return _answer(200, "shown", html=html, **more)


def undone(game: Game, hand: Hand, sentence: str, fields: dict[str, Any], who: str) -> JsonResponse:
    """The hand was taken back; ``fields`` are what had been entered, for the form, and ``key`` the one it came with.

    ``who`` won off whom, for a page that has no form any more.
    """
    return _answer(
        200,
        "undone",
        hand=hand.pk,
        key=hand.entry_key,
        number=hand.number,
        sentence=sentence,
        fields=pairs_of(fields),
        who=who,
        word=confirmed_state(game),
    )


def late(
    game: Game, outcome: str, sentence: str, *, status: int = 200, **more: Any
) -> JsonResponse:
    """How a late hand stands with the organisers."""
    body = {"code": "", "reasons": [], "hand": None, **more}
    return _answer(status, outcome, sentence=sentence, word=confirmed_state(game), **body)


def pairs_of(fields: dict[str, Any]) -> list[list[str]]:
    """``fields`` of a form, as a queue has them."""
    return [[name, str(value)] for name, value in fields.items()]


def confirmed_state(game: Game) -> dict[str, Any]:
    """Where ``game``, of :func:`visible_game`, stood when it was read: ``at`` tells which of two is the later one."""
    state = game.state
    return {
        "at": game.read_at,
        "round": state.round.value,
        "dealer": state.dealer,
        "number": state.number,
        "finished": state.finished,
    }


def _answer(status: int, outcome: str, **body: Any) -> JsonResponse:
    response = JsonResponse({"outcome": outcome, **body}, status=status)
    response["Cache-Control"] = "no-store"
    return response
