"""Why the table refuses, beyond what is wrong with the hand itself (that is a ValidationError)."""

import math
from datetime import timedelta

from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Hand


class Refused(Exception):
    """A call that cannot be carried out; ``str()`` says why and what to do."""

    code = "refused"


class NotAllowed(Refused):
    """This person may see the table, but not do this at it.

    :ivar code: ``evening_closed`` for a player of a table whose evening is closed, ``withdrawn`` for
        everybody while the game is withdrawn.
    """

    def __init__(self, message: str, *, code: str = "not_allowed") -> None:
        super().__init__(message)
        self.code = code


class TooManyAttempts(NotAllowed):
    """Somebody may be guessing a PIN, or opens one game after another.

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


def moved_on(state: TableState) -> Conflict:
    """The refusal of a change whose preview would be another now than the one that was seen."""
    message = _("The table has moved on: look at what changes now.")
    return Conflict(message, code="moved_on", state=state)
