"""Whether an error says that the database cannot answer now, or that the site asked it nonsense.

The first is nobody's mistake and passes: locked for too long, disk full, read-only, restarting,
closed while a backup is put in its place. It is answered with 503, and phones send again.
"""

import sqlite3

from django.db import Error, InterfaceError, OperationalError

# When to come back, in seconds.
RETRY_AFTER = 5

# SQLite says "operational" of a missing column as well, so its own codes decide; their lowest byte.
SQLITE = frozenset(
    [
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    ]
)
# PostgreSQL: classes of SQLSTATE (no connection, wrong account, deadlock, no resources, not ready,
# stopped by an operator or a time limit, the disk, damage), and states of other classes (no such
# database: a restore is just renaming it; read-only; a transaction that idled for too long).
POSTGRESQL_CLASSES = ("08", "28", "40", "53", "55", "57", "58", "XX")
POSTGRESQL = frozenset(["3D000", "25006", "25P03"])


def is_database_trouble(error: BaseException | None) -> bool:
    """Whether the database could not answer when ``error`` was raised, whatever it was asked."""
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return code is not None and code & 0xFF in SQLITE
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return state in POSTGRESQL or state.startswith(POSTGRESQL_CLASSES)
    # Without a state there was no server to give one.
    return isinstance(error, OperationalError | InterfaceError)
