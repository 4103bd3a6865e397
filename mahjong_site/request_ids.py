"""A number for every request: on its answer, in its log lines, on the page that says it failed."""

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
# What a proxy may call a request: enough to be one of a kind, nothing that could mean anything.
SANE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}", re.ASCII)
# Without I, L, O and U: people read these numbers to each other.
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

current: ContextVar[str] = ContextVar("request_id", default="")


class NumberedRequest(HttpRequest):
    """A request that has its number."""

    request_id: str


class RequestIds:
    """Names each request: as the proxy before the site did, or anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: NumberedRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        request.request_id = given if SANE.fullmatch(given) else new()
        token = current.set(request.request_id)
        try:
            response = self.get_response(request)
        finally:
            current.reset(token)
        response.headers[HEADER] = request.request_id
        return response


def new() -> str:
    """A number that can be read out: two groups of four."""
    first, second = ("".join(secrets.choice(LETTERS) for _letter in range(4)) for _group in "ab")
    return f"{first}-{second}"
