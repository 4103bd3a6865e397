"""Limit how long a process that answers requests waits for the database.

Commands wait as long as it takes: a migration or an import may.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

# Shorter than the ten seconds after which a phone gives up and sends again.
SECONDS_FOR_A_LOCK = 5
POSTGRESQL = {
    "lock_timeout": f"{SECONDS_FOR_A_LOCK}s",
    "statement_timeout": "15s",
    # Of a worker that hangs in the middle of a transaction: what it locked is free again.
    "idle_in_transaction_session_timeout": "30s",
    # Of a worker whose machine is gone: the server asks after 30 seconds, and three times more.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


def limit_waiting() -> None:
    """From now on, every new connection of this process to the database waits for so long only."""
    connection_created.connect(_limit, dispatch_uid="database_timeouts")


def _limit(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {SECONDS_FOR_A_LOCK * 1000}")
        elif connection.vendor == "postgresql":
            cursor.execute(
                "; ".join(f"SET {name} = '{value}'" for name, value in POSTGRESQL.items())
            )
