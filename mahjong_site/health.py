"""Report whether the site can do its work: for load balancers, supervisors and the organiser."""

from functools import cache
from threading import Lock, Thread

from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

# For the database to answer. Who asks has the answer within two seconds.
PATIENCE = 1.0
UNREACHABLE = {"status": "unavailable", "database": "unreachable", "migrations": "unknown"}


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 if the database answers and every migration is applied, otherwise 503. No club data."""
    report = health()
    return JsonResponse(report, status=200 if report["status"] == "ok" else 503)


def health() -> dict[str, str]:
    """``status`` (ok or unavailable), ``database`` and ``migrations``, after a second at most."""
    _latest_migrations()
    check = _current_check()
    check.join(PATIENCE)
    return check.found


class Check(Thread):
    """One question to the database, in a thread of its own: nothing else ends a wait for certain.

    :ivar found: what it came to; until there is an answer, that there is none.
    """

    def __init__(self) -> None:
        super().__init__(name="health", daemon=True)
        self.found = UNREACHABLE

    def run(self) -> None:
        try:
            self.found = _asked()
        finally:
            connection.close()


_lock = Lock()
_check: Check | None = None


def _current_check() -> Check:
    """The check that is under way, or a new one: one that hangs is joined by no second."""
    global _check  # noqa: PLW0603
    with _lock:
        if _check is None or not _check.is_alive():
            _check = Check()
            _check.start()
        return _check


def _asked() -> dict[str, str]:
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except Error:
        return UNREACHABLE
    if _latest_migrations() <= applied.keys():
        return {"status": "ok", "database": "ok", "migrations": "applied"}
    return {"status": "unavailable", "database": "ok", "migrations": "pending"}


@cache
def _latest_migrations() -> set[tuple[str, str]]:
    """The last migration of every app, read from the code once."""
    return set(MigrationLoader(None).graph.leaf_nodes())
