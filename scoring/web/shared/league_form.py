"""The form of a league."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.models import League, RuleSetVersion
from scoring.services.leagues import FIXED_ONCE_CLOSED

from .changed_fields import ChangedFields
from .refusals import Refusable

DAY = {"type": "date"}
DAYS = ("starts_on", "ends_on")


class LeagueForm(Refusable, ChangedFields):
    """What organisers decide about a league."""

    fields: dict[str, Any]

    class Meta:
        model = League
        fields = (
            *("name", "description", "ruleset_version", "starts_on", "ends_on"),
            *("visibility", "hides_names", "hours_to_answer"),
        )
        widgets = {
            "starts_on": forms.DateInput(DAY, format="%Y-%m-%d"),
            "ends_on": forms.DateInput(DAY, format="%Y-%m-%d"),
            "description": forms.Textarea({"rows": 3}),
            "visibility": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = self.fields["ruleset_version"]
        rules.queryset = RuleSetVersion.objects.select_related("ruleset")
        rules.empty_label = None
        rules.label = gettext_lazy("Rules")
        self.fields["ends_on"].help_text = gettext_lazy("Empty: it runs until you end it.")
        if self.instance.closed:
            for name, why in FIXED_ONCE_CLOSED.items():
                self.fields[name].help_text = why
                if name in DAYS:
                    self.fields[name].widget.attrs["readonly"] = True
                else:
                    # What was sent from a page of before the season was closed is refused, not left out.
                    self.fields[name].disabled = name not in self.data
