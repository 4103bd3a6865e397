"""Limit how often a page may be asked for that costs something, or that lets people guess."""

import math
from collections.abc import Callable, Collection
from functools import wraps
from types import SimpleNamespace
from typing import TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from scoring.services.sign_in_rate import SignInThrottle

Answer = TypeVar("Answer", bound=HttpResponseBase)


def throttled(
    scope: str, methods: Collection[str] = ("GET", "POST")
) -> Callable[[Callable[..., Answer]], Callable[..., Answer | HttpResponse]]:
    """A view that answers 429 to more than the rate of ``scope``, by user or else by address.

    The rates are the API's, in ``DEFAULT_THROTTLE_RATES``, and counted as there.
    """

    def decorate(view: Callable[..., Answer]) -> Callable[..., Answer | HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> Answer | HttpResponse:
            throttle = SignInThrottle(request.POST.get("username", ""))
            counted = request.method in methods
            # Of a request it asks the user and the address, of a view its scope.
            asked = SimpleNamespace(throttle_scope=scope)
            if counted and not throttle.allow_request(request, asked):  # type: ignore[arg-type]
                return too_often(request, math.ceil(throttle.wait() or 1))
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def too_often(request: HttpRequest, seconds: int, why: str = "") -> HttpResponse:
    """429, with the number of ``seconds`` to wait.

    :param why: what there was too much of; empty for attempts to sign in.
    """
    minutes = -(-seconds // 60) if seconds > 120 else None
    params = {"seconds": seconds, "minutes": minutes, "why": why}
    response = render(request, "429.html", params, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response
