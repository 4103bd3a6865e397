"""How often a page may be asked for that costs something, or that lets people guess."""

import math
from collections.abc import Callable, Collection
from functools import wraps
from types import SimpleNamespace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.throttling import ScopedRateThrottle

View = Callable[..., HttpResponse]


def throttled(scope: str, methods: Collection[str] = ("GET", "POST")) -> Callable[[View], View]:
    """A view that answers 429 to more than the rate of ``scope``, by user or else by address.

    The rates are the API's, in ``DEFAULT_THROTTLE_RATES``, and counted as there.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            throttle = ScopedRateThrottle()
            counted = request.method in methods
            if counted and not throttle.allow_request(
                request, SimpleNamespace(throttle_scope=scope)
            ):
                return too_often(request, math.ceil(throttle.wait() or 1))
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """429, with the number of ``seconds`` to wait."""
    minutes = seconds // 60 if seconds > 120 else None
    params = {"seconds": seconds, "minutes": minutes}
    response = render(request, "429.html", params, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response
