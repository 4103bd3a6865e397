"""Tell an error of a database that cannot answer now from one of a wrong query.

The first is nobody's mistake and passes: locked for too long, disk full, read-only, restarting,
closed while a backup is put in its place. It is answered with 503, and phones send again. So is a
SQLite file that is damaged: it lasts until somebody restores a backup, so the log says so.
"""

import logging
import re
import sqlite3

from django.apps import apps
from django.db import Error, IntegrityError, InterfaceError, OperationalError, connection
from django.http import HttpRequest

logger = logging.getLogger(__name__)

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
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    ]
)
DAMAGED = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB])
# A file that was moved away from under the site: SQLite opens an empty one in its place.
NOTHING_IN_IT = "no such table: "
# Our account may not use a table, as after a restore by another one.
NO_RIGHTS = "42501"
# PostgreSQL: classes of SQLSTATE (no connection, wrong account, deadlock, no resources, stopped by an
# operator or a time limit, the disk), and states of other classes (no such database: a restore is just
# renaming it; read-only; a transaction that idled for too long; in use by others; a lock not free; tables on
# which our account has no rights).
POSTGRESQL_CLASSES = ("08", "28", "40", "53", "57", "58")
POSTGRESQL = frozenset(["3D000", "25006", "25P03", NO_RIGHTS, "55006", "55P03"])
# "Not in the state for that": of a database that lets nobody in, or of a mistake of the site's.
NOT_IN_STATE, LETS_NOBODY_IN = "55000", "not currently accepting connections"
# The server stopped a query, as a rule at our own time limit.
STOPPED = "57014"
# A row names another one that is not there: PostgreSQL's state, SQLite's words (it has one code for all).
FOREIGN_KEY = "23503"
FOREIGN_KEY_FAILED = "FOREIGN KEY constraint failed"
# There is no such table, no such column: SQLite's words (it has one code for all), PostgreSQL's states.
SQLITE_LACKS = re.compile(r"no such (table|column): |table .* has no column named ")
POSTGRESQL_LACKS = frozenset(["42P01", "42703"])
# What services lock before they change it; each can be deleted.
LOCKED = ("scoring.League", "scoring.RuleSet")


def is_database_trouble(error: BaseException | None) -> bool:
    """Whether the database could not answer when ``error`` was raised, whatever it was asked."""
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        gone = str(cause).startswith(NOTHING_IN_IT) and _is_empty()
        return gone or _sqlite_code(cause) in SQLITE
    state = getattr(cause, "sqlstate", None)
    if state == NOT_IN_STATE:
        return LETS_NOBODY_IN in str(cause)
    if state is not None:
        return state in POSTGRESQL or state.startswith(POSTGRESQL_CLASSES)
    # Without a state there was no server to give one, or the site used a connection wrongly.
    if isinstance(error, InterfaceError):
        return _is_closed()
    return isinstance(error, OperationalError)


def lacks_a_table(error: BaseException | None) -> bool:
    """Whether the database has not the table or the column that was asked for, as one that is half restored."""
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return SQLITE_LACKS.match(str(cause)) is not None
    return getattr(cause, "sqlstate", None) in POSTGRESQL_LACKS


def names_what_is_gone(error: BaseException | None) -> bool:
    """Whether ``error`` says that somebody else has just deleted an account, a league or the like that is named.

    References are checked when a transaction ends, so whatever it wrote is not stored. A service that locks a league
    or rules finds none: the view had found them.
    """
    if any(isinstance(error, apps.get_model(name).DoesNotExist) for name in LOCKED):
        return True
    if not isinstance(error, IntegrityError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return str(cause) == FOREIGN_KEY_FAILED
    return getattr(cause, "sqlstate", None) == FOREIGN_KEY


def status_of(error: BaseException | None) -> int:
    """What a view that raised ``error`` is answered with: 503 if the database cannot answer now, 409 if
    something named is gone, else 500: a bug.
    """
    if is_database_trouble(error):
        return 503
    return 409 if names_what_is_gone(error) else 500


def log_if_lasting(error: BaseException | None, request: HttpRequest | None) -> None:
    """What is 503 for ever needs somebody: a query that always takes too long, no rights, a damaged file.

    The log says which, and which view asked.
    """
    cause, match = getattr(error, "__cause__", None), getattr(request, "resolver_match", None)
    asked = {"fields": {"route": match and match.route, "view": match and match.view_name}}
    state = getattr(cause, "sqlstate", None)
    if state == NO_RIGHTS:
        logger.error("The account of the site has no rights on a table", extra=asked)
    elif state == STOPPED:
        logger.error("A query was stopped at the time limit", extra=asked)
    elif isinstance(cause, sqlite3.Error) and _sqlite_code(cause) in DAMAGED:
        logger.error("The database file is damaged: restore a backup", extra=asked)


def _sqlite_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, which is the lowest byte; 0 if there is none."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _is_empty() -> bool:
    """Whether this thread's SQLite database is none of the site's: it was never migrated."""
    opened = connection.connection
    if not isinstance(opened, sqlite3.Connection):
        return False
    # Not through Django, which asks nothing more in a transaction that failed.
    query = "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
    return opened.execute(query).fetchone() is None


def _is_closed() -> bool:
    """Whether this thread's connection to the database is gone, or was never there."""
    opened = connection.connection
    return opened is None or bool(getattr(opened, "closed", False))
