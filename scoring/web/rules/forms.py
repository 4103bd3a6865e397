"""The form that makes a version of a rule set: a field for each house option of the evaluator."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.rules import OPTIONS, Option, RuleSet
from scoring.models import RuleSet as StoredRuleSet
from scoring.models import RuleSetVersion
from scoring.translation import translate
from scoring.typed_numbers import RowField, WholeNumberField

from ..shared.changed_fields import ChangedFields
from ..shared.refusals import Refusable
from .rulebook import words_of


class AboutForm(Refusable, ChangedFields):
    """What a rule set is called, and what it is."""

    class Meta:
        model = StoredRuleSet
        fields = ("name", "description")
        widgets = {"description": forms.Textarea({"rows": 3})}


class NewRulesForm(AboutForm):
    """A rule set that begins as a copy of another one."""

    like = RowField(
        StoredRuleSet.objects.filter(versions__isnull=False).distinct(),
        label=_("Begin with the rules of"),
        empty_label=None,
        help_text=_("On the next page you change what your rules do differently."),
    )


class VersionForm(Refusable, forms.Form):
    """Every option of the newest version of ``ruleset``, to be changed.

    ``rules`` are what was chosen, once the form is valid.
    """

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, ruleset: StoredRuleSet, **kwargs: Any
    ) -> None:
        self.ruleset = ruleset
        self.before = ruleset.latest.rules
        super().__init__(data, initial=dict(self.before.options()), **kwargs)
        for option in OPTIONS:
            self.fields[option.id] = _field(option)

    @property
    def rules(self) -> RuleSet:
        """:raises HandError: if the options are none that a rule set can have."""
        return RuleSet.from_options(
            self.cleaned_data,
            slug=self.ruleset.slug,
            name=self.ruleset.name,
            version=self.before.version + 1,
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a version that changes nothing."""
        if not self.errors and self.rules.options() == self.before.options():
            raise forms.ValidationError(
                _("Nothing is changed: choose another value of some option first."),
                code="unchanged",
            )
        return self.cleaned_data

    def version(self, by: Any) -> RuleSetVersion:
        """The version to be saved, made by ``by``."""
        return RuleSetVersion(ruleset=self.ruleset, options=self.rules.options(), created_by=by)


def _field(option: Option) -> forms.Field:
    words: dict[str, Any] = {
        "label": translate(option.name),
        "help_text": translate(option.explanation),
    }
    choices = [(value, words_of(option.id, value)) for value in option.choices]
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, **words)
    if isinstance(option.default, list):
        boxes = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(required=False, choices=choices, widget=boxes, **words)
    if choices:
        coerce = type(option.default)
        return forms.TypedChoiceField(
            choices=choices, coerce=coerce, widget=forms.RadioSelect, **words
        )
    return WholeNumberField(min_value=option.least, max_value=option.most, **words)
