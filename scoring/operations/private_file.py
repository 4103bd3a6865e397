"""The file of a SQLite database is its owner's alone: it holds addresses and password hashes."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

OTHERS = 0o077
# SQLite makes the files beside it as it finds the first.
ENDINGS = ("", "-wal", "-shm")


def keep_private() -> None:
    """From now on, nobody else reads the database of a process that opens it."""
    connection_created.connect(_close_to_others, dispatch_uid="private_file")


def _close_to_others(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if connection.vendor != "sqlite":
        return
    for ending in ENDINGS:
        path = Path(f"{connection.settings_dict['NAME']}{ending}")
        # There is none of a database in memory; of another account's, that account has to say.
        with suppress(OSError):
            mode = path.stat().st_mode
            if mode & OTHERS:
                os.chmod(path, mode & ~OTHERS & 0o7777)
