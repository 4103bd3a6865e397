"""The evaluator's problems as Django's validation errors: one sentence, whichever door it came by."""

from django.core.exceptions import ValidationError

from scoring.evaluator.problems import HandError
from scoring.words import said

__all__ = ["HandError", "as_validation_error"]


def as_validation_error(error: HandError, field: str | None = None) -> ValidationError:
    """All problems of ``error``, each at its field (or all at ``field``), with code and sentence."""
    by_field: dict[str, list[ValidationError]] = {}
    for problem in error.problems:
        by_field.setdefault(field or problem.field, []).append(
            ValidationError(said(problem.message), code=problem.code)
        )
    return ValidationError(by_field)
