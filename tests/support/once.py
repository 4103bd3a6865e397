"""What one worker makes for all of a run: the first that needs it makes it, the others wait for it."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def common_folder(config: pytest.Config, temporary: pytest.TempPathFactory) -> Path:
    """A temporary folder of the run, the same for every worker."""
    own = temporary.getbasetemp()
    return own.parent if hasattr(config, "workerinput") else own


@contextmanager
def one_worker_at_a_time(folder: Path) -> Iterator[None]:
    """Only one of the processes that name ``folder`` is in this block."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
