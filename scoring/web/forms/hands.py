"""The form at the table. It only shapes what was tapped; the hand itself says what is wrong."""

from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.models import Game
from scoring.play.entry import HandEntry

DRAW = "draw"
SELF_DRAWN = "self"

# Where the form shows what the hand says about a field that the form does not have.
SHOWN_AT = {"melds": "tiles", "concealed": "tiles", "self_drawn": "discarder", "outcome": "winner"}

# A text of tiles is no prose: nothing mends it, nothing remembers it.
TILES = forms.TextInput(
    {"autocapitalize": "none", "autocomplete": "off", "autocorrect": "off", "spellcheck": "false"}
)
FIGURE = forms.NumberInput({"class": "input--figure", "inputmode": "numeric"})


class HandForm(forms.Form):
    """One hand of ``game``: who won off whom with which tiles, or a draw.

    ``winner`` is a player's id or ``draw``; ``discarder`` a player's id or ``self``. ``number``
    tells a form that comes too late, ``key`` one that comes twice.
    """

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    winner = forms.ChoiceField(label=_("Who won?"), required=False, widget=forms.RadioSelect)
    discarder = forms.ChoiceField(
        label=_("Who discarded the winning tile?"), required=False, widget=forms.RadioSelect
    )
    tiles = forms.CharField(label=_("Tiles"), required=False, max_length=400, widget=TILES)
    claimed_final = forms.IntegerField(label=_("Final score"), required=False, widget=FIGURE)

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        initial = {"number": game.next_number, "key": uuid4().hex, **kwargs.pop("initial", {})}
        super().__init__(*args, initial=initial, **kwargs)
        self.game = game
        self._names = ", ".join(player.name for player in game.players)
        people = [(str(player.pk), player.name) for player in game.players]
        self._offer("winner", [*people, (DRAW, _("Drawn hand"))])
        self._offer("discarder", [*people, (SELF_DRAWN, _("Self-drawn"))])

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        elsewhere = _("This player does not sit at the table. Choose one of %(names)s.")
        field = self.fields[name]
        field.choices = choices
        field.error_messages["invalid_choice"] = elsewhere % {"names": self._names}

    @property
    def entry(self) -> HandEntry:
        """What the form says, for :mod:`scoring.play`; call it on a valid form."""
        said = self.cleaned_data
        drawn, by_winner = said["winner"] == DRAW, said["discarder"] == SELF_DRAWN
        return HandEntry(
            number=said["number"],
            outcome="draw" if drawn else "win",
            winner=None if drawn else _id(said["winner"]),
            discarder=None if by_winner else _id(said["discarder"]),
            tiles=said["tiles"],
            self_drawn=by_winner,
            claimed_final=said["claimed_final"],
        )

    def refuse(self, error: ValidationError) -> None:
        """Take over what the hand says is wrong, each sentence at the field it is about."""
        for field, errors in error.error_dict.items():
            shown = SHOWN_AT.get(field, field)
            self.add_error(shown if shown in self.fields else None, errors)


def _id(value: str) -> int | None:
    return int(value) if value else None
