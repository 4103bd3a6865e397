"""The form that asks for a table as it stood on an earlier day."""

from datetime import date

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.models import club_day
from scoring.models.leagues import FIRST_DAY, LAST_DAY, TO_COME
from scoring.models.refusals import DAY_OUT_OF_RANGE, NO_DATE


class DayForm(forms.Form):
    """A day; none means now."""

    as_of = forms.DateField(
        label=_("As of"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": NO_DATE},
    )

    @property
    def day(self) -> date | None:
        """The day that was asked for; None means now, also where what was typed is none."""
        return self.cleaned_data["as_of"] if self.is_bound and self.is_valid() else None

    def clean_as_of(self) -> date | None:
        day: date | None = self.cleaned_data["as_of"]
        if day and not FIRST_DAY <= day <= LAST_DAY:
            raise ValidationError(DAY_OUT_OF_RANGE)
        if day and day > club_day():
            raise ValidationError(TO_COME)
        return day
