"""Whether the site can do its work: for load balancers, supervisors and the organiser."""

from functools import cache

from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 if the database answers and every migration is applied, otherwise 503. No club data."""
    found = health()
    return JsonResponse(found, status=200 if found["status"] == "ok" else 503)


def health() -> dict[str, str]:
    """``status`` (ok or unavailable), ``database`` and ``migrations``."""
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except Error:
        return {"status": "unavailable", "database": "unreachable", "migrations": "unknown"}
    if _latest_migrations() <= applied.keys():
        return {"status": "ok", "database": "ok", "migrations": "applied"}
    return {"status": "unavailable", "database": "ok", "migrations": "pending"}


@cache
def _latest_migrations() -> set[tuple[str, str]]:
    """The last migration of every app, read from the code once."""
    return set(MigrationLoader(None).graph.leaf_nodes())
