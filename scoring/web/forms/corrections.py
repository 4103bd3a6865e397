"""The forms that change what was logged. They only shape; play says what is wrong."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.models import Game, Hand
from scoring.play.entry import HandEntry
from scoring.play.reasons import LONGEST_REASON

from ..typed import entered
from .hands import HandForm

WHY = _("Say why, in a few words: the others at the table will read it.")


def reason_field(label: str = _("Why?")) -> forms.CharField:
    """The reason that every change after the fact must have."""
    return forms.CharField(
        label=label,
        max_length=LONGEST_REASON,
        help_text=_("The others at the table will read it."),
        error_messages={"required": WHY},
    )


class ReasonForm(forms.Form):
    """A reason; ``key`` tells a form that comes twice, ``seen`` what was shown before it."""

    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    reason = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        initial = {"key": uuid4().hex, **kwargs.pop("initial", {})}
        super().__init__(*args, initial=initial, **kwargs)

    def refuse(self, error: ValidationError) -> None:
        """Take over what play says is wrong."""
        for field, errors in error.error_dict.items():
            self.add_error(field if field in self.fields else None, errors)


class CorrectionForm(HandForm):
    """How ``hand`` really was; it begins with what was entered."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    reason = reason_field()

    def __init__(self, *args: Any, game: Game, hand: Hand, **kwargs: Any) -> None:
        self.hand = hand
        as_entered = {"number": hand.number, **entered(hand)}
        super().__init__(*args, game=game, initial=as_entered, **kwargs)
        # At the table it is tapped bit by bit; here it is all there already.
        self.fields["winner"].required = True
        self.fields["winner"].error_messages["required"] = _("Say who won, or that it was drawn.")
        self.fields["claimed_final"].help_text = _(
            "Only where the tiles are gone: kept as you say, and marked as not checked."
        )

    @property
    def entry(self) -> HandEntry:
        """What the form says; call it on a valid form.

        Tiles that were not touched stay as open or concealed as they were: the form does not ask.
        """
        entry = super().entry
        if entry.tiles and entry.tiles == self.initial.get("tiles"):
            return replace(entry, concealed=self.hand.concealed)
        return entry
