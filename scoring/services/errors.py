"""Errors with which a table refuses, beyond what is wrong with the hand itself (a ValidationError)."""

import math
from datetime import timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Hand, RuleSetVersion
from scoring.models.people import person_name
from scoring.models.permissions import PermissionDenied, User
from scoring.models.problems import Refused


class TooManyAttempts(PermissionDenied):
    """Somebody may be guessing a PIN, or opens one game after another.

    :ivar seconds: how long to wait.
    """

    def __init__(self, message: str, *, wait: timedelta) -> None:
        super().__init__(message)
        self.seconds = math.ceil(wait.total_seconds())


class SignInStopped(Refused):
    """Too many wrong passwords or codes came for one account.

    No ``PermissionDenied``: Django takes that for a wrong password, and says nothing of waiting.

    :ivar seconds: how long to wait.
    """

    def __init__(self, message: str, *, wait: timedelta) -> None:
        super().__init__(message)
        self.seconds = math.ceil(wait.total_seconds())


class KeyReused(Refused):
    """An idempotency key came back with another body.

    :ivar hand: the hand that was logged with the key, if it was a hand.
    """

    code = "key_reused"

    def __init__(self, hand: Hand | None = None) -> None:
        self.hand = hand
        message = _(
            "This hand was saved before with something else in it: look at that one, and correct it if "
            "it is wrong. Another hand is entered as a new one."
        )
        super().__init__(message)


class Conflict(Refused):
    """The table has moved on: another scorer was first, or the game is over.

    :ivar hand: the hand that stands at the position already, if there is one.
    :ivar state: where the table stands now.
    """

    code = "conflict"

    def __init__(
        self, message: str, *, code: str, state: TableState, hand: Hand | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.state = state
        self.hand = hand


class NewerVersion(Refused):
    """Somebody published a version of the rules after the one that a change began from.

    :param by: who is refused, and reads the name of the other.
    :ivar latest: the newest version.
    """

    code = "newer_version"

    def __init__(self, latest: RuleSetVersion, *, by: User | None) -> None:
        self.latest = latest
        message = _(
            "Version %(number)s of %(rules)s came in between: %(who)s published it on %(when)s. Nothing "
            "is stored yet. See what it changed; to publish yours all the same, publish once more."
        )
        super().__init__(message % who_published(latest, by=by))


def who_published(version: RuleSetVersion, *, by: User | None) -> dict[str, Any]:
    """For a sentence that ``by`` reads: which ``version`` of which rules, by whom and when."""
    return {
        "number": version.number,
        "rules": version.ruleset.name,
        "who": person_name(version.created_by, reader=by),
        "when": date_format(localtime(version.created_at), "SHORT_DATETIME_FORMAT"),
    }


def require_etag(etag: str, expected_etag: str, state: TableState, message: str = "") -> None:
    """Compare the ``etag`` of a preview as it would be now with that of the one that a person saw.

    :param expected_etag: empty asks for none.
    :param message: the sentence, if not that of a preview of changes.
    :raises Conflict: with the code ``moved_on`` if they differ.
    """
    if expected_etag and expected_etag != etag:
        raise Conflict(message, code="moved_on", state=state) if message else moved_on(state)


def moved_on(state: TableState) -> Conflict:
    """Somebody else has changed what a person saw."""
    message = _("The table has moved on: look at what changes now.")
    return Conflict(message, code="moved_on", state=state)
