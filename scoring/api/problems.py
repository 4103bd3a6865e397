"""Problem documents (RFC 9457): the one kind of thing that the API refuses with."""

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework.utils.encoders import JSONEncoder

MEDIA_TYPE = "application/problem+json"

# The kinds of problem that a client may want to tell apart; the rest is what HTTP says it is.
INVALID = "invalid"
TITLES = {
    INVALID: _("The request is not valid"),
    "not_the_next_hand": _("That is not the next hand"),
    "finished": _("The game is over"),
    "no_longer_stands": _("This version of the hand no longer stands"),
    "not_void": _("The hand is not void"),
    "place_taken": _("Its place in the order is taken"),
    "logged_again": _("The hand was logged again"),
    "moved_on": _("The table has moved on"),
    "not_the_last_hand": _("Another hand was logged since"),
    "corrected": _("The hand was corrected"),
    "restored": _("The hand was restored"),
    "too_late": _("It is too late"),
    "accepted": _("The hand counts as accepted"),
    "nobody_is_asked": _("This league asks nobody to confirm its hands"),
    "not_disputed": _("Nobody disputes the hand"),
    "not_finished": _("The game is still in play"),
    "played_out": _("The game was played to its end"),
    "withdrawn": _("The game is withdrawn"),
    "not_withdrawn": _("The game is not withdrawn"),
    "scope": _("The token is not for this"),
    "newer_version": _("There is a newer version of the rules"),
    "key_reused": _("The Idempotency-Key came before with another request"),
}

# ``field`` (None: the request as a whole), ``code``, ``message``.
Error = dict[str, str | None]


class ProblemResponse(HttpResponse):
    """A problem document. It is JSON whatever the request accepts: there is no other way to say it.

    :param code: the kind of problem, one of ``TITLES``; anything else is ``about:blank``.
    :param extra: further members of the document.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        errors: Iterable[Error] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        document = {
            "type": problem_type(code),
            "title": TITLES.get(code, HTTPStatus(status).phrase),
            "status": status,
            "detail": detail,
            "errors": list(errors),
            **(extra or {}),
        }
        body = json.dumps(document, cls=JSONEncoder, ensure_ascii=False)
        # What is refused is often said again, and JSON can spell halves of characters ("\ud800").
        sayable = body.encode(errors="replace")
        super().__init__(sayable, status=status, content_type=MEDIA_TYPE)


def our_fault(request_id: str) -> ProblemResponse:
    """500, with the number under which the organiser finds the error in the log."""
    message = gettext_noop(
        "This is our fault, not yours. Tell the organiser this number: %(number)s."
    )
    detail = _whatever_is_broken(message) % {"number": request_id}
    return ProblemResponse(500, detail, extra={"request_id": request_id})


def gone_meanwhile(request_id: str) -> ProblemResponse:
    """409: somebody else has just deleted what the request names, an account or a league for example."""
    message = gettext_noop(
        "Somebody or something that this names was removed just now. Nothing was saved: look again, and try once more."
    )
    return ProblemResponse(409, _whatever_is_broken(message), extra={"request_id": request_id})


def unavailable(seconds: int, request_id: str) -> ProblemResponse:
    """503: the same request, with its key, in so many ``seconds`` will do."""
    message = gettext_noop(
        "The site cannot answer right now, and what you sent may not be saved. Send the same again, "
        "with the same Idempotency-Key, in %(seconds)s seconds."
    )
    detail = _whatever_is_broken(message) % {"seconds": seconds}
    problem = ProblemResponse(503, detail, extra={"request_id": request_id})
    problem.headers["Retry-After"] = str(seconds)
    problem.headers["Cache-Control"] = "no-store"
    return problem


def unreadable(request_id: str = "") -> ProblemResponse:
    """400: nothing that the site can read."""
    detail = _whatever_is_broken(gettext_noop("This request cannot be read."))
    return ProblemResponse(400, detail, extra={"request_id": request_id} if request_id else None)


def _whatever_is_broken(sentence: str) -> str:
    """``sentence`` in the reader's language; in English if the catalogues are what is broken."""
    try:
        return gettext(sentence)
    except Exception:
        return sentence


def too_large() -> ProblemResponse:
    """413: a body of more than anybody enters."""
    return ProblemResponse(413, str(_("The body is too large: a hand takes a thousand bytes.")))


def too_often(seconds: int) -> ProblemResponse:
    """429: come back in so many ``seconds``."""
    message = _("Too many requests from here. Try again in %(seconds)s seconds.")
    problem = ProblemResponse(429, message % {"seconds": seconds})
    problem.headers["Retry-After"] = str(seconds)
    return problem


def problem_type(code: str) -> str:
    """The URI of a kind of problem, explained in the documentation."""
    return f"/api/docs/#{code.replace('_', '-')}" if code in TITLES else "about:blank"
