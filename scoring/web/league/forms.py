"""The form that asks for a league table as it stood on an earlier day."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.models import League
from scoring.models.leagues import FIRST_DAY, LAST_DAY


class AsOfForm(forms.Form):
    """A day of ``league``; none means now."""

    as_of = forms.DateField(
        label=_("As of"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
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

    def clean_as_of(self) -> date | None:
        day: date | None = self.cleaned_data["as_of"]
        if day and not FIRST_DAY <= day <= LAST_DAY:
            raise ValidationError(_("Give a day from the year 1900 to the year 2999."))
        return day
