"""Sending what waits: one delivery after the other, each at least once.

A worker takes a delivery by putting it off, in a transaction of its own, sends it, and writes down
what became of it. One that dies in between leaves it to the next worker, which may send it again: with
the same key, by which the receiver recognises it. Two workers never take the same one at once.
"""

from .pruning import prune
from .sending import send_due

__all__ = ["prune", "send_due"]
