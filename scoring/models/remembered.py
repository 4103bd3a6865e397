"""Values of the database that each worker caches for a few seconds, so that pages need not ask each time."""

from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

Value = TypeVar("Value")
# How long a worker may go on with what another one has changed by now, in seconds.
REMEMBERED_FOR = 5.0


class Remembered(Generic[Value]):
    """A value that ``read`` reads: asked for again when it is older than ``REMEMBERED_FOR``."""

    def __init__(self, read: Callable[[], Value]) -> None:
        self.read = read
        self.kept: list[Value] = []
        self.until = 0.0

    def get(self) -> Value:
        """The value. It raises what ``read`` raises."""
        if self.kept and monotonic() < self.until:
            return self.kept[0]
        return self.remember(self.read())

    def latest(self, otherwise: Value) -> Value:
        """What was known last, however old, for another while; ``otherwise`` if nothing was.

        For when the database cannot answer: waiting for it takes seconds.
        """
        return self.remember(self.kept[0]) if self.kept else otherwise

    def remember(self, value: Value, seconds: float = REMEMBERED_FOR) -> Value:
        """Let :meth:`get` answer ``value`` for that time."""
        self.kept, self.until = [value], monotonic() + seconds
        return value

    def forget(self) -> None:
        """Let :meth:`get` read anew."""
        self.kept = []
