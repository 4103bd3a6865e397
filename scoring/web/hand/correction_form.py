"""The forms that change a hand or answer for one. They only shape; the services validate."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.table import Calls
from scoring.models import Game, Hand
from scoring.services.hands.entry import HandEntry
from scoring.services.pins import LONGEST as LONGEST_PIN

from ..shared.form_initial import form_initial
from ..shared.hand_form import HandForm
from ..shared.reason_form import reason_field

LONGEST_ID = 20  # characters of the id of a player or an account


class CorrectionForm(HandForm):
    """How ``hand`` really was; it begins with what was entered."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    reason = reason_field()

    def __init__(
        self,
        *args: Any,
        game: Game,
        hand: Hand,
        typed: Mapping[str, Any] | None = None,
        asks_why: bool = True,
        **kwargs: Any,
    ) -> None:
        """``typed`` is what was entered before, and not saved: all of it, for a form sends nothing of what is not
        ticked.
        """
        self.hand = hand
        begun = {"number": hand.number, **(form_initial(hand) if typed is None else typed)}
        super().__init__(*args, game=game, initial=begun, **kwargs)
        self.fields["reason"].required = asks_why
        for field in self.fields.values():
            field.widget.attrs.pop("autocomplete", None)  # Back brings all of it, or a mixture
        # At the table it is tapped bit by bit; here it is all there already.
        self.fields["winner"].required = True
        self.fields["winner"].error_messages["required"] = _("Say who won, or that it was drawn.")

    @property
    def entry(self) -> HandEntry:
        """What the form says; call it on a valid form.

        A choice empties what it makes senseless: it began with a whole hand, and not every browser
        can take an answer back. Tiles that were not touched stay as open or concealed as they were:
        the form does not ask.
        """
        entry = super().entry
        if entry.outcome == Hand.Outcome.DRAW:
            return HandEntry(number=entry.number, outcome=entry.outcome, calls=entry.calls)
        entry = replace(entry, calls=Calls(staked=entry.calls.staked))
        entry = self._tiles_or_score(entry)
        if entry.tiles and entry.tiles == self.initial.get("tiles"):
            return replace(entry, win=entry.win._replace(concealed=self.hand.concealed))
        return entry

    def _tiles_or_score(self, entry: HandEntry) -> HandEntry:
        """Of tiles and a claim, the one that was changed; who changed both says which is meant."""
        if not entry.tiles or (entry.claimed_final is None and not entry.claimed_limit):
            return entry
        if "tiles" not in self.changed_data:
            return replace(entry, tiles="")
        if not {"claimed_final", "claimed_limit"} & {*self.changed_data}:
            return replace(entry, claimed_final=None, claimed_limit="")
        return entry


class AnswerForm(forms.Form):
    """What somebody says about a hand; ``player`` and ``pin`` tell whose answer it is."""

    player = forms.CharField(required=False, max_length=LONGEST_ID)
    pin = forms.CharField(required=False, max_length=LONGEST_PIN)
    about = forms.CharField(required=False, max_length=10)
    reason = forms.CharField(required=False)
