"""Limit how many requests of one process are at work at once. The rest wait their turn.

A server has so many threads. When the database is stuck, every request that asks it keeps its thread
for as long as it may wait, and soon there is none left to say so. A request that finds no place, while
no other has come to an end for a while, is answered 503 at once; phones send again.
"""

import time
from collections.abc import Callable
from threading import Condition

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from .errors import unavailable
from .paths import HEALTH

SAFE = ("GET", "HEAD", "OPTIONS")
# Always let in: it asks the database in a thread of its own.
EXEMPT = (f"/{HEALTH}",)
# How long, in seconds, a request waits for a place while none becomes free.
PATIENCE = 1.0


class Places:
    """So many places; who takes one gives it back."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._moved_at = time.monotonic()
        self._changed = Condition()

    def take(self) -> bool:
        """Wait for a place as long as others come and go; False if nothing moves."""
        with self._changed:
            while not self._free:
                left = self._moved_at + PATIENCE - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
            self._free -= 1
            self._moved_at = time.monotonic()
            return True

    def give_back(self) -> None:
        with self._changed:
            self._free += 1
            self._moved_at = time.monotonic()
            self._changed.notify()


class Admission:
    """Lets in as many requests as there are places, and of those that may save only a part."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.all = Places(settings.REQUESTS_AT_ONCE)
        self.writing = Places(settings.WRITES_AT_ONCE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in EXEMPT:
            return self.get_response(request)
        if request.method in SAFE or saves_nothing(request.path_info):
            return self._within([self.all], request)
        # Whoever waits to save takes no place of those who read.
        return self._within([self.writing, self.all], request)

    def _within(self, wanted: list[Places], request: HttpRequest) -> HttpResponse:
        if not wanted:
            return self.get_response(request)
        first, *others = wanted
        if not first.take():
            return unavailable(request)
        try:
            return self._within(others, request)
        finally:
            first.give_back()


def saves_nothing(path: str) -> bool:
    """Whether what is sent to ``path`` is answered and forgotten, as for a preview.

    Views say so by an attribute of this name. One that saves now and then does not have it.
    """
    try:
        view = resolve(path).func
    except Resolver404:
        return True
    # The API's calls say it by their class, or one by one.
    default = getattr(getattr(view, "cls", view), "saves_nothing", False)
    return bool(getattr(view, "initkwargs", {}).get("saves_nothing", default))
