"""The forms of the first run, one a step."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.models import Club, FirstRun, League, Player, RuleSetVersion
from scoring.operations.people_list import read_text
from scoring.services.rulesets import usual_version

from ..shared.league_form import LeagueForm
from ..shared.password_form import PASSWORD_HELP
from ..shared.zones import ZONES, ZoneField


class StartCodeForm(forms.Form):
    """What the server printed."""

    code = forms.CharField(
        label=_("Code"),
        max_length=60,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
        error_messages={"required": _("Type the code that the server printed.")},
    )


class NameClubForm(forms.ModelForm):
    """How the club is called, what it speaks, and by which clock it plays."""

    fields: dict[str, Any]
    zones = ZONES

    class Meta:
        model = Club
        fields = ("name", "language", "time_zone")
        field_classes = {"time_zone": ZoneField}
        widgets = {
            # A browser that goes back would put it into the field of the same name of the next step.
            "name": forms.TextInput({"autocomplete": "off"}),
            "language": forms.RadioSelect,
            "time_zone": forms.TextInput({"list": "zones", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        club = kwargs["instance"]
        zone = "" if settings.TIME_ZONE == "UTC" else settings.TIME_ZONE
        kwargs["initial"] = {
            "language": club.language or get_language(),
            "time_zone": club.time_zone or zone,
        }
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = settings.LANGUAGES
        self.fields["language"].help_text = _("Everybody can choose another one for themselves.")
        for field in self.fields.values():
            field.required = True


class FirstAccountForm(forms.Form):
    """The first account, which owns the club, and how its owner is called at the table."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=Player._meta.get_field("name").max_length,
        help_text=_("As it should appear in the league table."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    username = forms.CharField(
        label=_("Sign-in name"),
        max_length=150,
        help_text=_("Short, without spaces: you type it to sign in."),
        widget=forms.TextInput({"autocomplete": "username", "autocapitalize": "none"}),
    )
    email = forms.EmailField(
        label=_("Mail"), required=False, widget=forms.EmailInput({"autocomplete": "email"})
    )
    # Rendered again as it was typed: nothing is lost when another field is refused.
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )


def _name_of_rules(version: RuleSetVersion) -> str:
    return str(version.ruleset)


class FirstLeagueForm(LeagueForm):
    """The first league: the rules stand beside it in words."""

    class Meta:
        model = League
        fields = ("ruleset_version", "name", "starts_on", "ends_on", "visibility")
        widgets = {**LeagueForm.Meta.widgets, "ruleset_version": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"ruleset_version": usual_version(), "name": _("Club nights")}
        super().__init__(*args, **kwargs)
        # There is no game yet that could keep other rules.
        self.fields["ruleset_version"].help_text = ""
        # Named as the cards above the form: there is one version of each.
        self.fields["ruleset_version"].label_from_instance = _name_of_rules


class NamesForm(forms.Form):
    """Names, one a line."""

    names = forms.CharField(
        label=_("Names"),
        required=False,
        max_length=30_000,
        help_text=_("One a line. Paste them from anywhere. Your own name is there already."),
        widget=forms.Textarea({"rows": 12}),
    )

    anyway = forms.BooleanField(
        label=_("Names that look alike are different people: add them all."), required=False
    )

    def clean_names(self) -> list[str]:
        listed = read_text(self.cleaned_data["names"])
        if listed.unread:
            message = _("Not read: %(columns)s. Paste the names only.")
            raise ValidationError(message % {"columns": ", ".join(listed.unread)}, code="unread")
        return [entry.name for entry in listed.entries]


Step = FirstRun.Step
MAKE: dict[str, Callable[..., forms.BaseForm]] = {
    Step.CLUB: lambda data: NameClubForm(data, instance=Club.objects.first() or Club()),
    Step.ACCOUNT: FirstAccountForm,
    Step.LEAGUE: lambda data: FirstLeagueForm(data, instance=League()),
    Step.NAMES: NamesForm,
}
