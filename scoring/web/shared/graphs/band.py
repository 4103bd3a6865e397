"""A figure with its band: how sure it is."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.figures import whole

from .drawing import WIDTH, Drawing, Point, spread, text_width
from .frame import frame, name_below

HEIGHT = 190
ALONE = 5  # half the width of the band of one point
LABELS = ("label ink--0", "tick", "tick")


class BandPoint(NamedTuple):
    """A ``value`` that lies between ``low`` and ``high`` in all likelihood; whole figures."""

    value: int
    low: int
    high: int


def band(points: Sequence[BandPoint], below: Sequence[str]) -> Drawing:
    """``points`` as a line within its band, and on the right what the last one is; one or more."""
    drawing = Drawing(HEIGHT)
    room = max(text_width(whole(figure)) for figure in points[-1]) + 8
    lowest, highest = min(one.low for one in points), max(one.high for one in points)
    within = frame(drawing, lowest, highest, right=WIDTH - room)
    name_below(drawing, within, below)
    value, low, high = (
        [(within.x(place, len(points) - 1), within.y(one)) for place, one in enumerate(figures)]
        for figures in zip(*points, strict=True)
    )
    high, low = _edge(high), _edge(low)
    drawing.area("band", [*high, *reversed(low)])
    for edge in (high, low):
        drawing.path("leader stroke--0", edge)
    drawing.path("line stroke--0", value)
    x, y = value[-1]
    drawing.add("circle", "mark ink--0", cx=x, cy=y, r=4)
    heights = spread([y, low[-1][1], high[-1][1]], within.top, within.bottom)
    for figure, height, classes in zip(points[-1], heights, LABELS, strict=True):
        drawing.text(classes, whole(figure), x + 8, height + 4)
    return drawing


def _edge(points: list[Point]) -> list[Point]:
    """``points`` as an edge of the band; one alone has a width, too."""
    if len(points) > 1:
        return points
    [(x, y)] = points
    return [(x - ALONE, y), (x + ALONE, y)]
