"""The forms that ask whether something shall be done, and why. The services say what is wrong."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models.lengths import LONGEST_REASON
from scoring.models.refusals import REASON_NEEDED
from scoring.translation import LazyText

from .refusals import Refusable

# The label of the field, where a form has no other.
REASON = _("Why?")


READ_AT_THE_TABLE = _("The others at the table will read it.")


def reason_field(
    label: LazyText = REASON, help_text: LazyText = READ_AT_THE_TABLE
) -> forms.CharField:
    """The reason that every change after the fact must have."""
    return forms.CharField(
        label=label,
        max_length=LONGEST_REASON,
        help_text=help_text,
        error_messages={"required": REASON_NEEDED},
    )


class ConfirmForm(Refusable, forms.Form):
    """One button: ``key`` tells a form that comes twice, ``seen`` is the etag of what the page shows."""

    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"key": uuid4().hex, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)


class ReasonForm(ConfirmForm):
    """As :class:`ConfirmForm`, with a reason."""

    reason = reason_field()

    @property
    def asks_about_another_table(self) -> bool:
        """Whether somebody sits at another open table, which the person may answer with "anyway"."""
        return any(self.has_error(field, "seated_elsewhere") for field in self.errors)
