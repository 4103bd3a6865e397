"""Try something, and take it back: many cases share what one test has made."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.db import transaction


@contextmanager
def taken_back() -> Iterator[None]:
    """What is done to the database in it has never been, and nobody called before."""
    cache.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
