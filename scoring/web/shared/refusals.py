"""Forms that show what a service refused."""

from collections.abc import Callable

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError


def show_refusal(
    form: forms.BaseForm, error: ValidationError, field_about: Callable[[str], str] = str
) -> None:
    """Say in ``form`` what is wrong: at the fields that ``error`` names, else above them all.

    ``field_about`` tells the form's field for a name of ``error``.
    """
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, errors in error.error_dict.items():
        field = NON_FIELD_ERRORS if name == NON_FIELD_ERRORS else field_about(name)
        form.add_error(field if field in form.fields else None, errors)


class Refusable(forms.BaseForm):
    """A form that says at its fields what a service refused."""

    def refuse(self, error: ValidationError) -> None:
        """Show each sentence of ``error`` at its field, or above the fields."""
        show_refusal(self, error, self.field_about)

    def field_about(self, name: str) -> str:
        """The field at which a sentence about ``name`` stands; one that is not there is none."""
        return name
