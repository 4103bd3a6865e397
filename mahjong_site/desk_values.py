"""Values that no form of the organisers' desk sends: 400 instead of an error of the server."""

import re
from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse

from .errors import bad_request

# What Django says of a value that a column cannot hold, and what psycopg says of a null character.
NO_VALUE = re.compile(r"Field '.+' expected |.*\bNUL\b")


class DeskValues:
    """Django's admin asks the database for whatever key a request names, before any form looks at it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or match.app_name != "admin" or not _is_of_the_value(error):
            return None
        return bad_request(request, error)


def _is_of_the_value(error: Exception) -> bool:
    if isinstance(error, OverflowError | DataError):
        return True
    return isinstance(error, ValueError | TypeError) and bool(NO_VALUE.match(str(error)))
