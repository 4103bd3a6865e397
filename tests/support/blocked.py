"""Wait until something done on another connection is over, or waits for what this one has locked."""

import time
from concurrent.futures import Future, wait

from django.db import connection

SECONDS = 30
# SQLite does not tell who waits: long enough for what waits for nobody.
A_MOMENT = 0.5
WAITS_FOR_US = """
SELECT EXISTS (
    SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
)
"""


def until_done_or_blocked(answer: Future) -> None:
    if connection.vendor != "postgresql":
        wait([answer], timeout=A_MOMENT)
        return
    deadline = time.monotonic() + SECONDS
    with connection.cursor() as cursor:
        while not answer.done() and time.monotonic() < deadline:
            cursor.execute(WAITS_FOR_US)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.01)
