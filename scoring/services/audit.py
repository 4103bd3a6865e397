"""Noting who did what, from inside the transaction that does it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Model

from scoring.models import AuditEntry
from scoring.models.permissions import User


def log_audit(action: str, subject: Model, *, by: User | None, **details: Any) -> None:
    """Write down that ``by`` (None: the server itself) did ``action`` to the row ``subject``.

    Every public function that writes calls this once, with its own name as the action.

    :param details: what the row itself does not tell any more, JSON-able.
    """
    _entry(action, subject, by, details).save(force_insert=True)


def log_audits(action: str, subjects: Iterable[Model], *, by: User | None, **details: Any) -> None:
    """As :func:`log_audit` for each of many rows, in few statements."""
    entries = [_entry(action, subject, by, details) for subject in subjects]
    AuditEntry.objects.bulk_create(entries, batch_size=500)


def _entry(action: str, subject: Model, by: User | None, details: dict[str, Any]) -> AuditEntry:
    return AuditEntry(
        by_id=None if by is None else by.pk,
        action=action,
        subject=subject._meta.model_name or "",
        subject_id=subject.pk,
        details=details,
    )
