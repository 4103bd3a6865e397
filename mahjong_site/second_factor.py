"""Leads whoever owes the club a second factor to the page that sets it up."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from scoring.api import problems
from scoring.models.permissions import PermissionDenied
from scoring.services.accounts import require_second_factor
from scoring.web.shared.requests import sends_by_script, signed_out

from .paths import API

# What such a person may still open: the way to a second factor, and the way out.
ALLOWED = ("account/mfa/", "account/mail/", "account/again/", "sign-out/", "language/", "healthz")


class SecondFactor:
    """An owner of a club that demands a second factor sees nothing else until there is one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        if request.path_info.lstrip("/").startswith(ALLOWED):
            return None
        try:
            require_second_factor(request.user)
        except PermissionDenied as refusal:
            if request.path.startswith(API):
                return problems.ProblemResponse(403, str(refusal), code="second_factor")
            if sends_by_script(request):
                return signed_out()
            messages.warning(request, str(refusal))
            return redirect("mfa_index")
        return None
