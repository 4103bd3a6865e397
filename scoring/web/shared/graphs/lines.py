"""Running figures as lines: each with its name at its end, a mark and a dash, not by colour alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from scoring.figures import signed

from .drawing import DASHES, HUES, LINE, WIDTH, Drawing, Point, fitted, spread, text_width
from .frame import BOTTOM, TOP, frame, name_below

# The room for the names at the ends, and from the end of a line to its name.
NAMES, TO_NAME = 128, 16
HEIGHT = 190
# More places than this are not told apart on a phone.
MOST_PLACES = 60
# How many corners a mark has, and where the first of them points: a circle, a square, triangles, a diamond.
MARKS = ((12, 0), (4, pi / 4), (3, -pi / 2), (4, 0), (3, pi / 2))


@dataclass(frozen=True, slots=True)
class Series:
    """What ``name`` has at each place, from left to right, in whole points; at least one figure."""

    name: str
    values: Sequence[int]


def lines(series: Sequence[Series], below: Sequence[str]) -> Drawing:
    """``series`` as lines; ``below`` names their places, as many as each has figures."""
    drawing = Drawing(max(HEIGHT, TOP + BOTTOM + 1.5 * LINE * len(series)))
    names = _at_ends(series)
    right = WIDTH - max(map(text_width, names)) - TO_NAME
    values = [value for one in series for value in one.values]
    within = frame(drawing, min(values), max(values), right=right)
    name_below(drawing, within, below)
    ends = [within.y(one.values[-1]) for one in series]
    heights = spread(ends, within.top, within.bottom)
    # The first one lies on top of the others.
    for number in reversed(range(len(series))):
        hue, dash = number % len(HUES), number // len(HUES) % len(DASHES)
        figures, height = series[number].values, heights[number]
        points = [(within.x(x, len(below) - 1), within.y(y)) for x, y in enumerate(figures)]
        drawing.path(f"line stroke--{hue} dash--{dash}", points)
        drawing.path(f"leader stroke--{hue}", [points[-1], (right + TO_NAME - 3, height)])
        drawing.area(f"mark ink--{hue}", _mark(number, *points[-1]))
        drawing.text(f"label ink--{hue}", names[number], right + TO_NAME, height + LINE / 3)
    return drawing


def _at_ends(series: Sequence[Series]) -> list[str]:
    """The name and last figure of each; of a single one the figure, which needs no name."""
    figures = [signed(one.values[-1]) for one in series]
    if len(series) == 1:
        return figures
    rooms = [NAMES - TO_NAME - text_width(f" {figure}") for figure in figures]
    names = [fitted(one.name, room, tail=2) for one, room in zip(series, rooms, strict=True)]
    return [f"{name} {figure}" for name, figure in zip(names, figures, strict=True)]


def _mark(number: int, x: float, y: float) -> list[Point]:
    """The corners of the mark of the line ``number``, around a point."""
    corners, turn = MARKS[number % len(MARKS)]
    angles = [turn + 2 * pi * corner / corners for corner in range(corners)]
    return [(x + 4 * cos(one), y + 4 * sin(one)) for one in angles]
