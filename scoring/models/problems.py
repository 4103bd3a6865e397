"""Errors with which a service refuses.

A call that cannot be carried out is :class:`Refused`. A hand that cannot be is Django's
``ValidationError``, made of the evaluator's problems: one sentence, whichever entry point it came by.
"""

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from scoring.evaluator.problems import HandError
from scoring.translation import translate

__all__ = ["HandError", "Refused", "as_validation_error", "at_no_field"]


class Refused(Exception):
    """A call that cannot be carried out; ``str()`` says why and what to do."""

    code = "refused"


def at_no_field(message: str, *, code: str) -> ValidationError:
    """The problem that ``message`` says, which is not that of one field."""
    return ValidationError({NON_FIELD_ERRORS: ValidationError(message, code=code)})


def has_code(error: ValidationError, code: str) -> bool:
    """Whether one of the problems of ``error``, of a field or of none, has this ``code``."""
    return any(one.code == code for one in ValidationError([error]).error_list)


def as_validation_error(error: HandError, field: str | None = None) -> ValidationError:
    """All problems of ``error``, each at its field (or all at ``field``), with code and sentence."""
    by_field: dict[str, list[ValidationError]] = {}
    for problem in error.problems:
        by_field.setdefault(field or problem.field, []).append(
            ValidationError(translate(problem.message), code=problem.code)
        )
    return ValidationError(by_field)
