"""The form of the club's own settings."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.models import Club

from ..shared.changed_fields import ChangedFields
from ..shared.refusals import Refusable
from ..shared.zones import ZONES, ZoneField

AS_SERVER = gettext_lazy("Empty: as the server says (%(value)s).")


class ClubForm(Refusable, ChangedFields):
    """Every setting; of the first three, nothing is as the environment of the server says."""

    fields: dict[str, Any]
    zones = ZONES

    class Meta:
        model = Club
        fields = (
            *("name", "language", "time_zone", "colour", "hides_names"),
            *("rates_across_leagues", "owners_need_second_factor", "embed_sites"),
        )
        field_classes = {"time_zone": ZoneField}
        widgets = {
            "colour": forms.RadioSelect,
            "time_zone": forms.TextInput({"list": "zones", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = dict(settings.LANGUAGES)
        unset = AS_SERVER % {"value": languages[settings.LANGUAGE_CODE]}
        self.fields["language"].choices = [("", unset), *settings.LANGUAGES]
        for name, value in (("name", settings.SITE_NAME), ("time_zone", settings.TIME_ZONE)):
            self.fields[name].help_text = AS_SERVER % {"value": value}
        self.fields["time_zone"].help_text += " " + _(
            "Evenings of the past keep their day. Times are shown by the new clock, and from now on "
            "evenings end by it."
        )
