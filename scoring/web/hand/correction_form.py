"""The forms that change what was logged. They only shape; play says what is wrong."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.models import Game, Hand
from scoring.services.hands.entry import HandEntry
from scoring.services.pins import LONGEST as LONGEST_PIN
from scoring.services.reasons import LONGEST_REASON
from scoring.translation import LazyText

from ..table.hand_form import HandForm
from .form_initial import form_initial

WHY = _("Say why, in a few words: the others at the table will read it.")


# The label of the field, where a form has no other.
REASON = _("Why?")


def reason_field(label: LazyText = REASON) -> forms.CharField:
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
        kwargs["initial"] = {"key": uuid4().hex, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)

    @property
    def asks_about_another_table(self) -> bool:
        """Whether somebody sits at another open table, which the person may answer with "anyway"."""
        return any(self.has_error(field, "seated_elsewhere") for field in self.errors)

    def refuse(self, error: ValidationError) -> None:
        """Take over what play says is wrong."""
        for field, errors in error.error_dict.items():
            self.add_error(field if field in self.fields else None, errors)


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
        """``typed`` is what was entered before, and not sent."""
        self.hand = hand
        begun = {"number": hand.number, **form_initial(hand), **(typed or {})}
        super().__init__(*args, game=game, initial=begun, **kwargs)
        self.fields["reason"].required = asks_why
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
            return HandEntry(number=entry.number, outcome=entry.outcome)
        entry = self._tiles_or_score(entry)
        if entry.tiles and entry.tiles == self.initial.get("tiles"):
            return replace(entry, win=entry.win._replace(concealed=self.hand.concealed))
        return entry

    def _tiles_or_score(self, entry: HandEntry) -> HandEntry:
        """Of tiles and a score, the one that was changed; who changed both says which is meant."""
        if not entry.tiles or entry.claimed_final is None:
            return entry
        if "tiles" not in self.changed_data:
            return replace(entry, tiles="")
        if "claimed_final" not in self.changed_data:
            return replace(entry, claimed_final=None)
        return entry


class AnswerForm(forms.Form):
    """What somebody says about a hand; ``player`` and ``pin`` tell whose answer it is."""

    player = forms.CharField(required=False, max_length=20)
    pin = forms.CharField(required=False, max_length=LONGEST_PIN)
    about = forms.CharField(required=False, max_length=10)
    reason = forms.CharField(required=False)


class PinForm(forms.Form):
    """A new PIN, with the password of the account that sets it."""

    pin = forms.CharField(
        label=_("New PIN"),
        max_length=LONGEST_PIN,
        help_text=_("4 to 8 digits."),
        widget=forms.PasswordInput({"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"required": _("Type the PIN that you want, or remove it below.")},
    )
    password = forms.CharField(
        label=_("Your password"),
        max_length=128,
        strip=False,
        help_text=_("The one you sign in with, so that nobody else sets a PIN on your phone."),
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
        error_messages={"required": _("Type your password.")},
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.fields["pin"].required = not self.removes

    @property
    def removes(self) -> bool:
        """Whether the PIN is to go."""
        return "remove" in self.data

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        name = self.request.user.get_username()
        # Wrong ones count like those of signing in.
        if authenticate(self.request, username=name, password=password) != self.request.user:
            raise ValidationError(_("This is not your password."), code="invalid_login")
        return password
