"""Deleting rows that have had their time: a few with each call, so that tables stay small."""

from typing import Any

from django.db.models import QuerySet

DELETED_AT_ONCE = 20


def delete_some(expired: QuerySet[Any]) -> None:
    """Delete at most 20 rows of ``expired``, in its order. What another call is deleting is skipped.

    Call it inside a transaction.
    """
    some = expired.select_for_update(skip_locked=True).values_list("pk", flat=True)
    if keys := list(some[:DELETED_AT_ONCE]):
        expired.model._base_manager.filter(pk__in=keys).delete()
