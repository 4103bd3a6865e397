"""What is answered when a request fails outside its view: a page, or under ``/api/`` a problem."""

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token

from scoring.api import problems
from scoring.web.lost_session import typed_at_a_table

from .wrong_host import wrong_host

API = "/api/"
# Where what was typed into a form of a hand is shown once more: it saves nothing.
SHOWN_AGAIN = {
    "log_hand": "preview_hand",
    "preview_hand": "preview_hand",
    "correct_hand": "correct_hand",
}


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: nothing that the site can read. The words of ``exception`` are for the log."""
    if isinstance(exception, DisallowedHost):
        return wrong_host(request)
    if request.path.startswith(API):
        return problems.ProblemResponse(400, _("This request cannot be read."))
    return render(request, "400.html", status=400)


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """500: a bug. The page asks for nothing that might be what is broken."""
    number = getattr(request, "request_id", "")
    if request.path.startswith(API):
        return problems.our_fault(number)
    page = get_template("500.html").render({"request": {"request_id": number}})
    return HttpResponse(page, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: perhaps another site sent this. A hand that was typed is offered to be sent once more.

    Nothing of it is stored, here or in the session: that takes a tap of the person's own.
    """
    match = request.resolver_match
    again = SHOWN_AGAIN.get(match.url_name) if match is not None else None
    shown = (
        {"again": reverse(again, kwargs=match.kwargs), "typed": _typed(request)} if again else {}
    )
    return render(request, "403_csrf.html", shown, status=403)


def _typed(request: HttpRequest) -> dict[str, str]:
    # As browsers send it; other bodies might not even be readable.
    if request.content_type != "application/x-www-form-urlencoded":
        return {}
    return typed_at_a_table(request.POST)


def too_large(request: HttpRequest) -> HttpResponse:
    """413: more than anybody enters."""
    if request.path.startswith(API):
        return problems.too_large()
    return render(request, "413.html", status=413)
