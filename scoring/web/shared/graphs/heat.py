"""Draw who won from whom, as squares: the stronger the colour, the more; a sign says which way."""

from collections.abc import Sequence
from math import ceil, sqrt

from .drawing import LETTERS, WIDTH, Drawing, fitted

NAMES, LARGEST = 104, 34
STRENGTHS = 3

# What each of the named has against each of them; None for two who never met.
Matrix = Sequence[Sequence[int | None]]


def heat(names: Sequence[str], matrix: Matrix) -> Drawing:
    """A row for each of ``names``, with a number that stands above its column too."""
    side = min(LARGEST, (WIDTH - NAMES) / max(len(names), 1))
    top = LETTERS + 6
    drawing = Drawing(top + side * len(names))
    most = max((abs(one or 0) for row in matrix for one in row), default=0)
    for number, (name, row) in enumerate(zip(names, matrix, strict=True)):
        y = top + number * side
        drawing.text("tick", str(number + 1), NAMES + (number + 0.5) * side, LETTERS, "middle")
        named = fitted(f"{number + 1} {name}", NAMES - 6, tail=2)
        drawing.text("label", named, NAMES - 6, y + side / 2 + LETTERS / 3, "end")
        for place, points in enumerate(row):
            x = NAMES + place * side
            kind = _kind(points, most)
            drawing.add("rect", f"cell cell--{kind}", x=x, y=y, width=side, height=side)
            if points:
                sign = "+" if points > 0 else "\N{MINUS SIGN}"
                drawing.text("sign", sign, x + side / 2, y + side / 2 + LETTERS / 3, "middle")
    return drawing


def _kind(points: int | None, most: int) -> str:
    """The class of a square: "won-3" for the ``most`` and what is near it, "none" for nothing.

    Few win very much: by the root, those in between are told apart.
    """
    if not points:
        return "none"
    strength = ceil(STRENGTHS * sqrt(abs(points) / most))
    return f"won-{strength}" if points > 0 else f"lost-{strength}"
