"""The form that asks for a league table as it stood on an earlier day."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from scoring.models import League
from scoring.models.leagues import FIRST_DAY, LAST_DAY

NO_SUCH_DAY = _("Give a day from the year 1900 to the year 2999.")


class AsOfForm(forms.Form):
    """A day of ``league``; none means now."""

    as_of = forms.DateField(
        label=_("As of"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        validators=[
            MinValueValidator(FIRST_DAY, NO_SUCH_DAY),
            MaxValueValidator(LAST_DAY, NO_SUCH_DAY),
        ],
        error_messages={
            "invalid": _("This is no date: write year, month and day, such as 2026-03-31.")
        },
    )

    def __init__(self, *args: Any, league: League, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = self.fields["as_of"].widget.attrs
        limits["min"] = league.starts_on.isoformat()
        if league.ends_on:
            limits["max"] = league.ends_on.isoformat()
