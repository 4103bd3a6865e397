"""Answer what fails outside a view: with a page, or under ``/api/`` with a problem."""

import logging
import sys
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found

from scoring.api import problems
from scoring.models.refusals import NOTHING_HERE
from scoring.operations.database_trouble import (
    RETRY_AFTER,
    log_if_lasting,
    status_of,
)
from scoring.web.account.drafts import typed_at_a_table
from scoring.web.shared.requests import sends_by_script, signed_out
from scoring.web.table.outcomes import refused
from scoring.web.throttles import too_often

from .languages import readers_language
from .paths import API
from .plain_pages import SENTENCES, address_again, plain_page
from .wrong_host import wrong_host

# How the addresses of a game begin, and those of its hands.
OF_A_GAME = ("games/<", "hands/<")
RELOADED_AFTER = 20  # seconds until a page that could not be shown is asked for again
logger = logging.getLogger(__name__)

# What the API answers where there may be no request yet.
PROBLEMS = {400: problems.unreadable, 409: problems.gone_meanwhile, 500: problems.our_fault}
# Where what was typed into a form of a hand is shown once more: it saves nothing.
SHOWN_AGAIN = {
    "log_hand": "preview_hand",
    "preview_hand": "preview_hand",
    "correct_hand": "correct_hand",
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: nothing that the site can read. The words of ``exception`` are for the log."""
    with readers_language(request):
        if isinstance(exception, DisallowedHost):
            try:
                return wrong_host(request)
            except Exception:  # its template or its words may be what is broken
                logger.exception("No page for a wrong host")
        return unreadable(request)


def unreadable(request: HttpRequest) -> HttpResponse:
    """400: a page, a problem, or for a script JSON."""
    if sends_by_script(request) and not request.path.startswith(API):
        return refused(400, "unreadable", [str(SENTENCES[400][1])])
    return failed(400, request.path, request_number(request))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: a page, or for what a script has sent the JSON that tells the site from what is in between."""
    if sends_by_script(request):
        match = request.resolver_match
        if match is not None and match.route.startswith(OF_A_GAME):
            reasons = [_("This game is gone, or you may not see it any more.")]
            if match.url_name == "log_hand":
                reasons.append(_("Ask an organiser before you throw the hand away."))
            return refused(404, "gone", reasons)
        return refused(404, "not_found", [str(NOTHING_HERE)])
    return page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """503, 409 or 500, by :func:`status_of`.

    Django calls this while it handles the exception. What is answered depends on nothing that may be
    what is broken.
    """
    error = sys.exc_info()[1]
    status = status_of(error)
    if status == 503:
        log_if_lasting(error, request)
        return unavailable(request)
    with readers_language(request):
        return failed(status, request.path, request_number(request))


def failed(status: int, path: str, request_id: str) -> HttpResponse:
    """400, 409 or 500, where there may be no request yet, only its ``path``."""
    if path.startswith(API):
        return PROBLEMS[status](request_id)
    return plain_page(status, request_id=request_id)


def unavailable(request: HttpRequest) -> HttpResponse:
    """503: come back in a moment. What phones send is kept by their queue."""
    number = request_number(request)
    with readers_language(request):
        if request.path.startswith(API):
            return problems.unavailable(RETRY_AFTER, number)
        response = plain_page(503, request_id=number, again=address_again(request))
    if request.method == "GET":
        # The page that comes then sends the hands that wait on the phone.
        response.headers["Refresh"] = str(RELOADED_AFTER)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def request_number(request: HttpRequest) -> str:
    """The number of ``request``; empty if it did not come far enough to get one."""
    return getattr(request, "request_id", "")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: perhaps another site sent this. A hand that was typed is offered to be sent once more.

    Nothing of it is stored, here or in the session: that takes a tap of the person's own.
    """
    if sends_by_script(request):
        return signed_out()
    match = request.resolver_match
    shown: dict[str, Any] = {}
    if match is not None and (again := SHOWN_AGAIN.get(match.url_name or "")):
        shown = {"again": reverse(again, kwargs=match.kwargs), "typed": _typed(request)}
    return render(request, "403_csrf.html", shown, status=403)


def _typed(request: HttpRequest) -> dict[str, str]:
    # As browsers send it; other bodies might not even be readable.
    if request.content_type != "application/x-www-form-urlencoded":
        return {}
    return typed_at_a_table(request.POST)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """429 for mails that were asked for too often: an hour later they are sent again."""
    return too_often(request, 60 * 60)


def too_large(request: HttpRequest) -> HttpResponse:
    """413: more than anybody enters."""
    if request.path.startswith(API):
        return problems.too_large()
    if sends_by_script(request):
        return refused(413, "too_large", [_("This is larger than anything that is entered here.")])
    return render(request, "413.html", status=413)
