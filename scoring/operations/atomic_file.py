"""Files that appear once they are whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """An empty file beside ``path`` that takes its place in the end; if anything fails, it is gone.

    Only its owner can read it: what a club writes to files holds addresses and password hashes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(0o600)
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
