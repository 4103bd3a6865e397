"""To the nearest, for all that is rounded but the score itself, which `rules.py`, `counting.py` and `arrays.py` round."""

from fractions import Fraction


def nearest(value: Fraction | float, step: int = 1) -> int:
    """The multiple of ``step`` that is nearest to ``value``; a half goes away from 0.

    :param step: 1 or more.

    >>> nearest(75, 10), nearest(74, 10), nearest(-2.5), nearest(Fraction(1, 3))
    (80, 70, -3, 0)
    """
    if isinstance(value, float):
        value = Fraction(value)
    size = (2 * abs(value) + step) // (2 * step) * step
    return size if value > 0 else -size
