"""The house options of a rule set as form fields, one each, made from the evaluator's own list."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms

from scoring.evaluator.rules import OPTIONS, Option
from scoring.evaluator.rules import RuleSet as Rules
from scoring.models.problems import HandError, as_validation_error
from scoring.translation import translate_lazy
from scoring.typed_numbers import WholeNumberField

OPTION_IDS = tuple(option.id for option in OPTIONS)


def field_of(option: Option) -> forms.Field:
    """The field in which ``option`` is chosen; the evaluator says what is wrong with a figure."""
    shared: dict[str, Any] = {
        "label": translate_lazy(option.name),
        "help_text": translate_lazy(option.explanation),
        "initial": option.default,
        "required": False,
    }
    choices = [(value, translate_lazy(str(value).replace("_", " "))) for value in option.choices]
    if isinstance(option.default, bool):
        return forms.BooleanField(**shared)
    if isinstance(option.default, list):
        tick = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=choices, widget=tick, **shared)
    if choices:
        kind = type(option.default)
        return forms.TypedChoiceField(choices=choices, coerce=kind, empty_value=None, **shared)
    return WholeNumberField(**shared)


class BaseOptionsForm(forms.ModelForm):
    """A form with a field for every house option; once it is valid, ``options`` are all of them."""

    options: Mapping[str, Any]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors:
            chosen = {name: data[name] for name in OPTION_IDS}
            try:
                rules = Rules.from_options(chosen, slug="new", name="New", version=1)
            except HandError as error:
                raise as_validation_error(error) from error
            self.options = rules.options()
        return data


# Made like a class that names each field, which is what the admin asks a form for.
if TYPE_CHECKING:
    OptionsForm = BaseOptionsForm
else:
    OptionsForm = type(BaseOptionsForm)(
        "OptionsForm",
        (BaseOptionsForm,),
        {"__module__": __name__, **{option.id: field_of(option) for option in OPTIONS}},
    )
