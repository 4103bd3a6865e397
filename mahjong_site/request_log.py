"""One log line a request: which page, how it went, how long it took. Nothing of what was said in it.

An address can hold tiles (the calculator's) and names (a search), so the line names the pattern that
the address fits, and the numbers in it.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from .paths import HEALTH

logger = logging.getLogger(__name__)

# Asked every few seconds by a machine, or answered from a folder: nothing to learn from.
EXCLUDED = (HEALTH,)


class RequestLog:
    """Logs every request but those for static files and for the site's health."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.static = settings.STATIC_URL

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        if "HTTP_X_FORWARDED_FOR" in request.META and not settings.REST_FRAMEWORK["NUM_PROXIES"]:
            _warn_of_proxy()
        response = self.get_response(request)
        match = request.resolver_match
        if not request.path.startswith(self.static) and not (match and match.route in EXCLUDED):
            took = time.perf_counter() - started
            level = logging.ERROR if response.status_code >= 500 else logging.INFO
            logger.log(level, "request", extra={"fields": _line(request, response, took)})
        return response


@cache
def _warn_of_proxy() -> None:
    # Once a process. Anybody can send that header: it is a hint, no more.
    logger.warning(
        "A request came through a proxy, and NUM_PROXIES is 0: everybody behind it shares one rate "
        "limit. Set NUM_PROXIES to the number of proxies before the site."
    )


def _line(request: HttpRequest, response: HttpResponse, took: float) -> dict[str, Any]:
    match = request.resolver_match
    numbers = match.kwargs.items() if match else ()
    return {
        "method": request.method,
        "route": match and match.route,
        **{name: value for name, value in numbers if isinstance(value, int)},
        "status": response.status_code,
        "milliseconds": round(took * 1000, 1),
        "user": _user_id(request),
    }


def _user_id(request: HttpRequest) -> int | None:
    """Who it was, if the request had to find out: the log asks the database nothing."""
    user = getattr(request, "user", None)
    if isinstance(user, SimpleLazyObject):
        user = getattr(request, "_cached_user", None)
    return getattr(user, "pk", None)
