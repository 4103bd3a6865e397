"""The reason that every change after the fact must have."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.models.lengths import LONGEST_REASON
from scoring.models.names import shows_something
from scoring.models.refusals import REASON_NEEDED


def required(reason: str) -> str:
    """``reason`` on one line.

    :raises ValidationError: if it says nothing, or says too much.
    """
    text = optional(reason)
    if not shows_something(text):
        raise ValidationError({"reason": ValidationError(REASON_NEEDED, code="required")})
    return text


def optional(reason: str) -> str:
    """``reason`` on one line; it may be empty.

    :raises ValidationError: if it says too much.
    """
    text = " ".join(reason.split())
    if len(text) > LONGEST_REASON:
        message = _("Say it in at most %(longest)s characters.") % {"longest": LONGEST_REASON}
        raise ValidationError({"reason": ValidationError(message, code="max_length")})
    return text
