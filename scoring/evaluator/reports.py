"""The reports of a hand: lines that add up, and how the book prints them."""

from collections.abc import Sequence
from typing import NamedTuple

from .sets import set_of
from .text import Text
from .tiles import HonorsTile, Tile, tile

JsonObject = dict[str, object]
DOES_NOT_WIN = Text("This hand does not win.")


class PointLine(NamedTuple):
    """Points of winning, or of a set; ``tiles`` are codes."""

    rule: str
    label: str
    tiles: tuple[str, ...]
    points: int

    def as_dict(self) -> JsonObject:
        rule, label, tiles, points = self
        return {"rule": rule, "label": label, "tiles": list(tiles), "points": points}


class DoubleLine(NamedTuple):
    """Doubles of a rule; of the rules of one ``group`` at most one counts."""

    rule: str
    label: str
    doubles: int
    group: str

    def as_dict(self) -> JsonObject:
        rule, label, doubles, group = self
        return {"rule": rule, "label": label, "doubles": doubles, "group": group}


class PointReport(tuple[PointLine, ...]):
    """Winning, and each set, with its points; printed as the book prints it, with the sum.

    That of a hand that does not win has no lines, and is printed as :data:`DOES_NOT_WIN`.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return in_print(self.figures) if self else DOES_NOT_WIN

    @property
    def figures(self) -> list[tuple[str, int]]:
        """What is printed: the lines, and their sum."""
        if not self:
            return []
        lines = [(_set_in_print(line.tiles) or line.label, line.points) for line in self]
        return [*lines, ("Points", sum(line.points for line in self))]


class DoubleReport(tuple[DoubleLine, ...]):
    """Each rule that doubles, with its doubles; printed with the sum."""

    __slots__ = ()

    def __str__(self) -> str:
        return in_print(self.figures)

    @property
    def figures(self) -> list[tuple[str, int]]:
        """What is printed: the lines, and their sum."""
        lines = [(line.label, line.doubles) for line in self]
        return [*lines, ("Doubles", sum(line.doubles for line in self))]


class NoDoubleReport(DoubleReport):
    """That of a hand that does not win: it has no doubles, not even none."""

    __slots__ = ()

    def __str__(self) -> str:
        return DOES_NOT_WIN

    @property
    def figures(self) -> list[tuple[str, int]]:
        return []


def card_in_print(
    points: PointReport, doubles: DoubleReport, limits: Sequence[str], final: int
) -> str:
    """Both reports and the final score; ``limits`` are the names of limit hands.

    >>> points = PointReport([PointLine("winning", "Winning", (), 20)])
    >>> print(card_in_print(points, DoubleReport([DoubleLine("groups", "Groups", 1, "")]), (), 40))
    Winning      20
    Points       20
    Groups        1
    Doubles       1
    20 × 2¹      40
    Final score  40
    """
    (_points, all_points), (_doubles, all_doubles) = points.figures[-1], doubles.figures[-1]
    product = f"{all_points} × 2{str(all_doubles).translate(RAISED)}"
    lines = [*points.figures, *doubles.figures, (product, all_points << all_doubles)]
    return in_print([*lines, *[(name, final) for name in limits], ("Final score", final)])


def in_print(lines: Sequence[tuple[str, int]]) -> str:
    """What each line says, and its figure, one under another.

    >>> print(in_print([("Winning", 20), ("Groups", 1)]))
    Winning  20
    Groups    1
    """
    width = max(len(label) for label, _figure in lines)
    digits = max(len(str(figure)) for _label, figure in lines)
    return "\n".join(f"{label:<{width}}  {figure:>{digits}}" for label, figure in lines)


def _set_in_print(codes: Sequence[str]) -> str:
    """``PairSet['5B', '5B']``; nothing for no tiles."""
    tile_set = set_of([tile(code) for code in codes])
    return (
        f"{type(tile_set).__name__}{[_name(one_tile) for one_tile in tile_set.tiles]}"
        if tile_set
        else ""
    )


def _name(one_tile: Tile) -> str:
    return one_tile.honor.label if isinstance(one_tile, HonorsTile) else one_tile.code


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
