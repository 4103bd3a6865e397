"""Timing calls one by one."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from time import perf_counter_ns
from typing import TypeVar

T = TypeVar("T")

MICRO, MILLI = 1e3, 1e6


def times(act: Callable[[T], object], things: Iterable[T]) -> list[int]:
    """Nanoseconds of ``act`` for each of ``things``."""
    found = []
    with collecting_no_garbage():
        for thing in things:
            begin = perf_counter_ns()
            act(thing)
            found.append(perf_counter_ns() - begin)
    return found


def middle(nanoseconds: Iterable[int], unit: float) -> float:
    """The median in ``unit`` (MICRO or MILLI)."""
    return median(nanoseconds) / unit


def p95(nanoseconds: Iterable[int], unit: float) -> float:
    """What all but one call in twenty stay under, in ``unit``."""
    return quantiles(nanoseconds, n=20)[-1] / unit


@contextmanager
def collecting_no_garbage() -> Iterator[None]:
    """As ``timeit`` does: a collection in the middle would be blamed on one call."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
