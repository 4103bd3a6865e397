"""Noting who did what, from inside the transaction that does it."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import Model

from scoring.models import AuditEntry, ClubTable, Player
from scoring.models.permissions import User

Values = dict[str, Any]
# Who did it: an account; a phone without one, by the code of a table or the PIN of a player; None: the
# server itself.
Actor = User | ClubTable | Player | None


def values_of(row: Model, fields: Iterable[str]) -> Values:
    """What ``fields`` of ``row`` hold, JSON-able: of another row, its key."""
    return {field: _plain(row.serializable_value(field)) for field in fields}


def before_and_after(before: Values, after: Values) -> dict[str, Values]:
    """``before`` and ``after`` without what is the same in both: the details of a change."""
    names = [name for name, value in after.items() if before.get(name) != value]
    return {
        "before": {name: before.get(name) for name in names},
        "after": {name: after[name] for name in names},
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def log_change(action: str, subject: Model, *, by: Actor, before: Values, after: Values) -> None:
    """:func:`log_audit` of what is another value now; nothing is written down of a change of nothing."""
    details = before_and_after(before, after)
    if details["after"]:
        log_audit(action, subject, by=by, **details)


def log_audit(action: str, subject: Model, *, by: Actor, **details: Any) -> None:
    """Write down that ``by`` did ``action`` to the row ``subject``.

    Every public function that writes calls this once, with its own name as the action. The few that do
    not, because another name says it better or nobody wants to know, are listed with their reasons in
    ``tests/services/test_audit.py``.

    :param details: what the row itself does not tell any more, JSON-able.
    """
    account = None
    match by:
        case ClubTable():
            details = {**details, "by_code": by.pk}
        case Player():
            details = {**details, "by_pin": True}
        case _:
            account = None if by is None else by.pk
    AuditEntry.objects.create(
        by_id=account,
        action=action,
        subject=subject._meta.model_name or "",
        subject_id=subject.pk,
        details=details,
    )
