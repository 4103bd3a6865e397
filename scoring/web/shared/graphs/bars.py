"""Draw how often each figure came: a bar for each round step of the scale."""

import itertools
from collections.abc import Mapping
from typing import NamedTuple

from scoring.figures import whole

from .drawing import Drawing, round_ticks, text_width
from .frame import TICK, frame, name_below

HEIGHT, MOST, GAP = 190, 14, 2


class Bar(NamedTuple):
    """How many figures there are from ``first`` to ``last``, both with them."""

    first: int
    last: int
    number: int


def in_steps(counts: Mapping[int, int]) -> list[Bar]:
    """``counts`` (how often each figure came) added up in at most fourteen round steps, without a hole."""
    if not counts:
        return []
    ticks = round_ticks(min(counts), max(counts) + 1, MOST)
    steps = itertools.pairwise(ticks)
    return [
        Bar(low, high - 1, sum(n for value, n in counts.items() if low <= value < high))
        for low, high in steps
    ]


def bars(steps: list[Bar]) -> Drawing:
    """A bar for each of ``steps``, with its number where there is room."""
    drawing = Drawing(HEIGHT)
    within = frame(drawing, 0, max(bar.number for bar in steps))
    wide = (within.right - within.left) / len(steps)
    fits = all(text_width(whole(bar.number), TICK) < wide for bar in steps)
    for place, bar in enumerate(steps):
        x, y = within.x(place, len(steps)), within.y(bar.number)
        drawing.add("rect", "bar", x=x + GAP / 2, y=y, width=wide - GAP, height=within.bottom - y)
        if bar.number and fits:
            drawing.text("tick", whole(bar.number), x + wide / 2, y - 2, "middle")
    edges = [*(whole(bar.first) for bar in steps), whole(steps[-1].last + 1)]
    name_below(drawing, within, edges)
    return drawing
