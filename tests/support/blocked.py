"""Wait until somebody on another connection waits for what this one has locked."""

import time
from concurrent.futures import Future, wait

import pytest
from django.db import connection

SECONDS = 30
# SQLite does not tell who waits: long enough for what waits for nobody.
A_MOMENT = 0.5
WAITS_FOR_US = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"


def until_blocked() -> None:
    """On PostgreSQL; the test fails where nobody comes to wait."""
    if not _comes_to_wait(Future()):
        pytest.fail("Nobody waits for what is locked.")


def until_done_or_blocked(answer: Future) -> None:
    if connection.vendor == "postgresql":
        _comes_to_wait(answer)
    else:
        wait([answer], timeout=A_MOMENT)


def _comes_to_wait(answer: Future) -> bool:
    """Whether somebody did, before ``answer`` was there."""
    deadline = time.monotonic() + SECONDS
    with connection.cursor() as cursor:
        while not answer.done() and time.monotonic() < deadline:
            cursor.execute(WAITS_FOR_US)
            if cursor.fetchone()[0]:
                return True
            time.sleep(0.01)
    return False
