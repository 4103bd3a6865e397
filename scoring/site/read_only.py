"""Find out whether a database takes no changes, though it may still be read."""

import sqlite3

SQLITE = frozenset([sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL])
# Of PostgreSQL: a read-only transaction, a full disk.
POSTGRESQL = frozenset(["25006", "53100"])


def refuses_writing(error: BaseException) -> bool:
    """Whether ``error``, as Django raises it, says that nothing is written: read-only, or the disk is full."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The lowest byte is SQLite's own code, without the reason.
        return (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF in SQLITE
    return getattr(cause, "sqlstate", None) in POSTGRESQL
