"""Values that no form of the organisers' desk sends: 400 instead of an error of the server."""

import logging
import re
from collections.abc import Callable
from traceback import walk_tb

from django.core.exceptions import FieldDoesNotExist
from django.db import DataError
from django.http import HttpRequest, HttpResponse

from .errors import bad_request

logger = logging.getLogger(__name__)

# What Django says of a value that a column cannot hold, and what psycopg says of a null character.
NO_VALUE = re.compile(r"Field '.+' expected |.*\bNUL\b")
# The functions of a ``ModelAdmin`` that write.
SAVES = frozenset(["save_form", "save_model", "save_related", "delete_model", "delete_queryset"])


class DeskValues:
    """Django's admin asks the database for whatever key a request names, before any form looks at it.

    What is being saved was looked at by a form: an error there is the site's own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not (_brings_values(request) and _is_of_the_value(error)) or _in_saving(error):
            return None
        # It may be a mistake of the site all the same.
        logger.warning("Bad value in a request to /admin/: answered 400", exc_info=error)
        return bad_request(request, error)


def _brings_values(request: HttpRequest) -> bool:
    match = request.resolver_match
    if match is None or match.app_name != "admin":
        return False
    return request.method == "POST" or bool(request.GET)


def _is_of_the_value(error: Exception) -> bool:
    if isinstance(error, OverflowError | DataError | FieldDoesNotExist):
        return True
    return isinstance(error, ValueError | TypeError) and bool(NO_VALUE.match(str(error)))


def _in_saving(error: Exception) -> bool:
    return any(frame.f_code.co_name in SAVES for frame, _line in walk_tb(error.__traceback__))
