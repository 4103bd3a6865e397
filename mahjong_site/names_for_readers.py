"""Tells the database layer who reads, so that hidden names are read as initials by visitors."""

from collections.abc import Callable, Iterator

from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from scoring.models.hidden_names import VisitorNames, hiding_now
from scoring.models.permissions import Permission, Reader, can, read_for

from .paths import HEALTH


class NamesForReaders:
    """A visitor is whoever may not see the leagues of members: a token without ``read`` reads as one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == f"/{HEALTH}" or not (hiding := hiding_now()):
            return self.get_response(request)
        reader = VisitorNames(hiding, lambda: not can(request.user, Permission.SEE_MEMBERS_LEAGUES))
        with read_for(reader):
            response = self.get_response(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = _read_later(iter(response), reader)
        return response


def _read_later(parts: Iterator[bytes], reader: Reader) -> Iterator[bytes]:
    """``parts``, each made for ``reader``: they are made after the middleware has returned."""
    while True:
        with read_for(reader):
            part = next(parts, None)
        if part is None:
            return
        yield part
