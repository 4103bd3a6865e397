"""Timing calls one by one."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from statistics import mean, median, quantiles
from time import perf_counter_ns, process_time_ns
from typing import NamedTuple, TypeVar

T = TypeVar("T")

MICRO, MILLI = 1e3, 1e6


class Taken(NamedTuple):
    """Nanoseconds of each call: on the clock, and of the processor. A busy machine shows in the first."""

    wall: list[int]
    cpu: list[int]

    def median(self, unit: float) -> float:
        """On the clock, in ``unit`` (MICRO or MILLI)."""
        return median(self.wall) / unit

    def p95(self, unit: float) -> float:
        """What all but one call in twenty stay under on the clock, in ``unit``."""
        return quantiles(self.wall, n=20)[-1] / unit

    def median_cpu(self, unit: float) -> float:
        return median(self.cpu) / unit

    def mean_cpu(self, unit: float) -> float:
        """What is slow a few times counts in full."""
        return mean(self.cpu) / unit

    def worst_cpu(self, unit: float) -> float:
        return max(self.cpu) / unit


def times(act: Callable[[T], object], things: Iterable[T]) -> Taken:
    """How long ``act`` takes for each of ``things``."""
    taken = Taken([], [])
    for thing in things:
        worked, begin = process_time_ns(), perf_counter_ns()
        act(thing)
        taken.wall.append(perf_counter_ns() - begin)
        taken.cpu.append(process_time_ns() - worked)
    return taken


def clocked(act: Callable[[T], object], things: Iterable[T]) -> Taken:
    """The same for calls of a few microseconds: asking for the processor's time would slow them."""
    wall = []
    for thing in things:
        begin = perf_counter_ns()
        act(thing)
        wall.append(perf_counter_ns() - begin)
    return Taken(wall, [])


@contextmanager
def collecting_no_garbage() -> Iterator[None]:
    """As ``timeit`` does: a collection in the middle would be blamed on one call."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
