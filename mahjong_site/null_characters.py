"""A null character: no keyboard types one, and PostgreSQL keeps none in a text."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict

from .errors import unreadable
from .paths import API


class NullCharacters:
    """Refuses a page's query or form that has one with 400; the API's fields refuse their own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        if request.path.startswith(API) or not (_has_one(request.GET) or _has_one(request.POST)):
            return None
        return unreadable(request)


def _has_one(sent: QueryDict) -> bool:
    return any("\x00" in value for _name, values in sent.lists() for value in values)
