"""The interface of a database for making and restoring backups: SQLite and PostgreSQL."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from django.utils import timezone

Rows = Mapping[str, int]


class Scratch(Protocol):
    """A database of its own that holds what a backup holds, and goes away again.

    :ivar url: its address, as ``DATABASE_URL`` takes it.
    """

    url: str

    def rows(self) -> Rows:
        """How many rows each table has."""

    def migrations(self) -> set[tuple[str, str]]:
        """The migrations that are applied in it, as (app, name); empty if it is none of Django's."""

    def damage(self) -> str:
        """What the database finds wrong with itself; empty if nothing is."""


class Engine(Protocol):
    """The database of the site."""

    def dump(self, path: Path) -> Rows:
        """Write one moment of the database to ``path``, which is an empty file.

        Returns the rows of each table at that moment. Nobody who logs a hand waits for it.
        """

    def scratch(self, path: Path) -> AbstractContextManager[Scratch]:
        """A scratch database with the backup ``path``, which is only read.

        :raises BackupRefused: if ``path`` is no backup of this kind of database.
        """

    def put_in_place(self, scratch: Scratch) -> str:
        """Let ``scratch`` be the site's database from now on.

        Returns where the former one is kept; empty if there was none.

        :raises BackupRefused: if it cannot take the place; then nothing was changed.
        """

    def tidy(self) -> list[str]:
        """Bring to an end what a restore left that was killed: reopen, keep, throw away.

        Returns where former databases are kept that nobody has been told of. What is under way in
        another process is left alone.
        """


def stamp() -> str:
    """The moment as part of a name: 20260331-213000."""
    return f"{timezone.localtime():%Y%m%d-%H%M%S}"
