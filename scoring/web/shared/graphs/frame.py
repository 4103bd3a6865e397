"""The frame of a drawing: round figures with lines across, and what is named below."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.figures import whole

from .drawing import LETTERS, WIDTH, Drawing, every, round_ticks, text_width

TOP, BOTTOM = 10, 20
TICK = 11


@dataclass(frozen=True, slots=True)
class Frame:
    """Where figures lie in a drawing: from ``left`` to ``right``, and from ``high`` on ``top`` down to ``low``."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int

    def x(self, place: float, last: int) -> float:
        """Where ``place`` of 0 to ``last`` lies; the only one lies on the left."""
        return self.left + (self.right - self.left) * place / max(last, 1)

    def y(self, value: float) -> float:
        """The height of ``value``."""
        return self.bottom - (self.bottom - self.top) * (value - self.low) / (self.high - self.low)


def frame(drawing: Drawing, low: int, high: int, *, right: float = WIDTH, top: float = 0) -> Frame:
    """Draw round figures that hold ``low`` and ``high``, the line of 0 stronger than the others.

    :param top: where in the drawing it begins.
    """
    ticks = round_ticks(low, high)
    left = max(text_width(whole(tick), TICK) for tick in ticks) + 4
    drawn = Frame(left, right, top + TOP, drawing.height - BOTTOM, ticks[0], ticks[-1])
    for tick in ticks:
        y = drawn.y(tick)
        drawing.add("line", "zero" if tick == 0 else "grid", x1=left, x2=right, y1=y, y2=y)
        drawing.text("tick", whole(tick), left - 4, y + TICK / 3, "end")
    return drawn


def name_below(drawing: Drawing, within: Frame, names: Sequence[str]) -> None:
    """Name the places from left to right: as many of ``names`` as fit beside each other, and the last one."""
    last = len(names) - 1
    widest = max((text_width(name, TICK) for name in names), default=0) + LETTERS
    for place in every(len(names), widest, within.right - within.left):
        if not names[place]:
            continue
        x, half = within.x(place, last), text_width(names[place], TICK) / 2
        x = min(max(x, half), WIDTH - half)
        drawing.text("tick", names[place], x, drawing.height - 5, "middle")
