"""Deleting what is old, a little at a time, so that nobody waits for it."""

from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from scoring.models import Notice
from scoring.models.notices import KEPT_FOR

AT_ONCE = 200


def prune() -> int:
    """Delete what is old; how many rows it were, without what goes with them.

    At most 200 each of: notices older than 90 days, with their deliveries; sessions that have ended;
    and what was noted about those (address and browser).
    """
    now = timezone.now()
    # A session that begins is noted before it is stored.
    noted = UserSession.objects.filter(last_seen_at__lt=now - timedelta(days=1))
    return (
        _delete_some(Notice.objects.filter(made_at__lt=now - KEPT_FOR).order_by("made_at"))
        + _delete_some(Session.objects.filter(expire_date__lt=now).order_by("expire_date"))
        + _delete_some(noted.exclude(session_key__in=Session.objects.values("session_key")))
    )


def _delete_some(rows: QuerySet[Any]) -> int:
    some = list(rows.values_list("pk", flat=True)[:AT_ONCE])
    if some:
        rows.model._base_manager.filter(pk__in=some).delete()
    return len(some)
