"""Show how far a long command is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Advance = Callable[[int], None]


@contextmanager
def progress(words: str, total: int) -> Iterator[Advance]:
    """A bar on the standard error of a terminal, and nothing anywhere else."""
    with later_progress(words) as begin:
        yield begin(total)


@contextmanager
def later_progress(words: str) -> Iterator[Callable[[int], Advance]]:
    """The same for work that finds out by itself how much there is: it calls what it gets with that."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:

        def begin(total: int) -> Advance:
            task = bar.add_task(words, total=total)
            return lambda more: bar.advance(task, more)

        yield begin
