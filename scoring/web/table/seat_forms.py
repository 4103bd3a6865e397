"""The forms that put a game right which was opened wrongly."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import Game, League, Player, club_day
from scoring.models.permissions import User
from scoring.models.refusals import NOT_OF_THE_CLUB
from scoring.typed_numbers import RowField, typed_id

from ..shared.reason_form import ReasonForm

DAY = forms.DateInput({"type": "date"}, format="%Y-%m-%d")


class SeatsForm(ReasonForm):
    """The four players as they should have been seated: ids, from East on, with commas."""

    players = forms.CharField(widget=forms.HiddenInput, max_length=100)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seen = Player.objects.visible_to(user)
        self.fields["reason"].help_text = ""

    def clean_players(self) -> list[Player]:
        return seated(self.cleaned_data["players"], self._seen)


def seated(text: str, visible: Any) -> list[Player]:
    """The players whose ids ``text`` lists.

    :raises ValidationError: if it lists anything else.
    """
    ids = [typed_id(pk) for pk in text.split(",")]
    known = visible.in_bulk([pk for pk in ids if pk])
    players = [known.get(pk) for pk in ids]
    if None in players:
        raise forms.ValidationError(NOT_OF_THE_CLUB, code="invalid_choice")
    return players


class WhereForm(forms.Form):
    """Where a game should have counted: a league and a day."""

    league = RowField(League.objects.none(), label=_("League"), empty_label=None)
    day = forms.DateField(label=_("Day"), widget=DAY)

    fields: dict[str, Any]

    def __init__(self, *args: Any, game: Game, user: User, **kwargs: Any) -> None:
        begun = {"league": game.league_id, "day": game.evening}
        kwargs["initial"] = {**begun, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        self.fields["league"].queryset = League.objects.visible_to(user)
        self.fields["day"].widget.attrs["max"] = club_day().isoformat()

    @property
    def where(self) -> tuple[League, date]:
        """Call it on a valid form."""
        return self.cleaned_data["league"], self.cleaned_data["day"]


class MoveForm(WhereForm, ReasonForm):
    """Where a game should have counted, and why it is moved."""

    field_order = ("league", "day", "reason")
