"""A site that nobody has an account on leads to the page that sets it up."""

from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from scoring.models.first_run import is_open

from .paths import API, HEALTH


class FirstRunMiddleware:
    """Pages lead there; programs, health checks and what a page is made of are answered as ever."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        own = (reverse(name) for name in ("start", "set_language", "manifest", "worker", "offline"))
        self.answered = (*own, API, f"/{HEALTH}", f"/{settings.STATIC_URL.strip('/')}/")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(self.answered) and not _is_open():
            return redirect("start")
        return self.get_response(request)


def _is_open() -> bool:
    try:
        return is_open()
    except DatabaseError:
        return True  # the page says what is wrong
