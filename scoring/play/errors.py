"""Why the table refuses, beyond what is wrong with the hand itself (that is a ValidationError)."""

from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Hand


class Refused(Exception):
    """A call that cannot be carried out; ``str()`` says why and what to do."""

    code = "refused"


class NotAllowed(Refused):
    """This person may see the table, but not do this at it."""

    code = "not_allowed"


class KeyReused(Refused):
    """An idempotency key came back with another body."""

    code = "key_reused"

    def __init__(self) -> None:
        message = _(
            "This Idempotency-Key came before with another request: use a new key for a new hand."
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
