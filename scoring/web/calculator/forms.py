"""The form that scores a hand for anybody. It only shapes; the evaluator says what is wrong."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.evaluator import notation
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_wind
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet as Rules
from scoring.evaluator.win import Win
from scoring.models import RuleSet
from scoring.models.games import Wind
from scoring.models.problems import as_validation_error

from ..shared.hand_form import TILES

# What an address may leave out: the book's examples sit South in the East round.
DEFAULTS = {"seat": Wind.SOUTH.value, "prevailing": Wind.EAST.value, "ruleset": "club"}
CONCEALED = {"yes": True, "no": False}
NO_WIND = {"invalid_choice": _("Choose East, South, West or North.")}
SHOWN_AT = {"melds": "tiles"}


class CalculatorForm(forms.Form):
    """A hand, its winds and a rule set.

    ``hand`` is there once the form is valid; ``refusal`` is what the evaluator refuses it for.
    """

    tiles = forms.CharField(
        label=_("Tiles"),
        max_length=notation.LONGEST,
        widget=TILES,
        error_messages={"required": _("Tap or type the tiles of the hand.")},
    )
    seat = forms.ChoiceField(
        label=_("Seat wind"), choices=Wind, widget=forms.RadioSelect, error_messages=NO_WIND
    )
    prevailing = forms.ChoiceField(
        label=_("Prevailing wind"), choices=Wind, widget=forms.RadioSelect, error_messages=NO_WIND
    )
    self_drawn = forms.BooleanField(label=_("Self-drawn"), required=False)
    concealed = forms.ChoiceField(
        label=_("Concealed"),
        required=False,
        choices=[
            ("", _("Yes, unless a set is marked open")),
            ("yes", _("Yes")),
            ("no", _("No, some of it lay open")),
        ],
        error_messages={"invalid_choice": _("Choose yes or no, or leave it to the stars.")},
    )
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        error_messages={"invalid_choice": _("There are no such rules here: choose from the list.")},
    )

    hand: Hand | None = None
    refusal: ValidationError | None = None

    fields: dict[str, Any]

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(None if data is None else _given(data), initial=DEFAULTS, **kwargs)
        self._rulesets = {
            ruleset.slug: ruleset for ruleset in RuleSet.objects.prefetch_related("versions")
        }
        self.fields["ruleset"].choices = [
            (slug, _with_version(ruleset)) for slug, ruleset in self._rulesets.items()
        ]

    @property
    def entered(self) -> dict[str, Any]:
        """What was entered, field by field, as an address says it."""
        return {name: self[name].value() for name in self.fields}

    @property
    def rules(self) -> Rules:
        """The chosen rule set in its newest version, or Club while none is."""
        slug = str(self["ruleset"].value())
        chosen = self._rulesets.get(slug) or self._rulesets[DEFAULTS["ruleset"]]
        return chosen.latest.rules

    def clean(self) -> dict[str, Any]:
        """Make the hand, and show what the evaluator says at the field that it is about.

        The tiles are looked at even if something else is wrong: all problems are told at once.
        """
        data = self.cleaned_data
        if "tiles" not in data:
            return data
        try:
            self.hand = Hand.from_notation(
                data["tiles"],
                data.get("seat", DEFAULTS["seat"]),
                data.get("prevailing", DEFAULTS["prevailing"]),
                win=Win.of({**data, "concealed": CONCEALED.get(data.get("concealed", ""))}),
            )
        except HandError as error:
            self.refusal = as_validation_error(error)
            for field, errors in self.refusal.error_dict.items():
                shown = SHOWN_AT.get(field, field)
                self.add_error(shown if shown in self.fields else None, errors)
        return data


def _with_version(ruleset: RuleSet) -> str:
    """A rule set by its name and the version that scores here, which a league need not play by."""
    names = {"name": ruleset.name, "version": ruleset.latest.number}
    return gettext("%(name)s, version %(version)s") % names


def address(values: Mapping[str, Any], to: str = "calculator") -> str:
    """The calculator, or another page, with a hand entered; what is left blank is left out."""
    filled = {name: value for name, value in values.items() if value not in (None, "", False)}
    return f"{reverse(to)}?{urlencode(filled)}"


def _given(data: Mapping[str, Any]) -> dict[str, Any]:
    """What an address says, with the usual where it says nothing; winds in any spelling."""
    given = {**DEFAULTS, **{key: data[key] for key in data}}
    for name in ("seat", "prevailing"):
        # What is no wind stays as it is: the field says so.
        with suppress(HandError):
            given[name] = parse_wind(given[name], field=name).value
    return given
