"""A line of figures as the numbers of an SVG drawing: no script draws it, no style is inline."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, MARGIN = 600, 120, 6
# A line that hardly moves shall not look like a mountain range.
LEAST_SPAN = 100


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A polyline in a box of ``width`` × ``height``; ``points`` as SVG writes them.

    ``lowest``, ``highest``, ``first`` and ``now`` are the figures themselves.
    """

    points: str
    lowest: int
    highest: int
    first: int
    now: int
    width: int = WIDTH
    height: int = HEIGHT


def line_of(figures: Sequence[int]) -> ChartLine | None:
    """``figures``, oldest first, as a line; None for fewer than two, which are none."""
    if len(figures) < 2:
        return None
    lowest, highest = min(figures), max(figures)
    span = max(highest - lowest, LEAST_SPAN)
    middle = (lowest + highest) / 2
    step = (WIDTH - 2 * MARGIN) / (len(figures) - 1)
    points = [
        (
            round(MARGIN + position * step, 1),
            round(HEIGHT / 2 - (figure - middle) / span * (HEIGHT - 2 * MARGIN), 1),
        )
        for position, figure in enumerate(figures)
    ]
    return ChartLine(
        points=" ".join(f"{x},{y}" for x, y in points),
        lowest=lowest,
        highest=highest,
        first=figures[0],
        now=figures[-1],
    )
