"""Noting who did what, from inside the transaction that does it."""

from typing import Any

from django.db.models import Model

from scoring.models import AuditEntry
from scoring.models.permissions import User


def log_audit(action: str, subject: Model, *, by: User | None, **details: Any) -> None:
    """Write down that ``by`` (None: the server itself) did ``action`` to the row ``subject``.

    Every public function that writes calls this once, with its own name as the action.

    :param details: what the row itself does not tell any more, JSON-able.
    """
    AuditEntry.objects.create(
        by_id=None if by is None else by.pk,
        action=action,
        subject=subject._meta.model_name or "",
        subject_id=subject.pk,
        details=details,
    )
