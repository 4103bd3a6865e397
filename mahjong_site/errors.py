"""What is answered when a request fails outside its view: a page, or under ``/api/`` a problem."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token

from scoring.api import problems

API = "/api/"


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: nothing that the site can read. The words of ``exception`` are for the log."""
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


def too_large(request: HttpRequest) -> HttpResponse:
    """413: more than anybody enters."""
    if request.path.startswith(API):
        return problems.too_large()
    return render(request, "413.html", status=413)
