"""Requests for a piece of a page."""

from django.http import HttpRequest


def by_htmx(request: HttpRequest) -> bool:
    """Whether htmx asks, as its middleware tells."""
    return bool(getattr(request, "htmx", False))
