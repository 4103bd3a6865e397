"""What a benchmark prints: figures in columns, each beside its target and its peer."""

from collections.abc import Iterable
from dataclasses import dataclass

MEDIAN, P95 = "median", "p95"


@dataclass(frozen=True)
class Line:
    """One figure. ``median`` and ``p95`` are in ``unit``; the target is for the median or the p95.

    A report may say that they are other figures, such as the mean and the worst.

    ``beside`` is what a peer took for the same, ``note`` whatever else was counted.
    """

    what: str
    median: float
    unit: str
    p95: float | None = None
    target: float | None = None
    target_is_p95: bool = False
    beside: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target was met; None without one."""
        if self.target is None:
            return None
        return (self.p95 if self.target_is_p95 else self.median) <= self.target

    def cells(self, second: str = P95) -> tuple[str, ...]:
        return (
            self.what,
            f"{figure(self.median)} {self.unit}",
            "" if self.p95 is None else f"{figure(self.p95)} {self.unit}",
            "" if self.target is None else f"{f'{second} ' * self.target_is_p95}≤ {self.target:g}",
            {None: "", True: "met", False: "MISSED"}[self.met],
            self.note if self.beside is None else f"{ratio(self.median, self.beside)} {self.note}",
        )


def figure(number: float) -> str:
    return (
        f"{number:.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"
    )


def ratio(ours: float, theirs: float) -> str:
    """How we stand beside a peer.

    >>> ratio(5, 50), ratio(50, 5)
    ('10.0 × faster', '10.0 × slower')
    """
    return f"{theirs / ours:.1f} × faster" if ours <= theirs else f"{ours / theirs:.1f} × slower"


def printed(title: str, lines: Iterable[Line], figures: tuple[str, str] = (MEDIAN, P95)) -> str:
    """A heading and its lines, in columns: words to the left, figures to the right."""
    rows = [("", *figures, "target", "", ""), *(line.cells(figures[1]) for line in lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines_of_text = [
        "  ".join(
            cell.rjust(width) if 1 <= column <= 3 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(["", title, *(f"  {line}" for line in lines_of_text)])


def missed(lines: Iterable[Line]) -> str:
    """Which targets were missed, in a sentence.

    >>> missed([Line("quick", 1, "µs", target=3), Line("slow", 4, "µs", target=3)])
    'Missed: slow.'
    """
    missing = [line.what for line in lines if line.met is False]
    return f"Missed: {'; '.join(missing)}." if missing else "Every target is met."
