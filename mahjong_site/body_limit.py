"""Refuse request bodies that are too large. A hand takes a thousand bytes."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from .errors import too_large


class BodyLimit:
    """Refuses a body that is too large before any of it is read, an uploaded file's as well.

    A body without a ``Content-Length`` is none to Django, so what the header says is all there is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return too_large(request)
        return self.get_response(request)
