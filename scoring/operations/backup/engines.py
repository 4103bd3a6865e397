"""Which of the two kinds of database a backup is made of."""

from django.db import connection

from .errors import BackupRefused
from .postgresql import Postgresql
from .protocols import Engine
from .sqlite import Sqlite


def engine() -> Engine:
    """The one of the site's database.

    :raises BackupRefused: for a database that nobody can back up.
    """
    if connection.vendor == "sqlite":
        return Sqlite()
    if connection.vendor == "postgresql":
        return Postgresql()
    raise BackupRefused(f"Backups are made of SQLite and PostgreSQL, not of {connection.vendor}.")
