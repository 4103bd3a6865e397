"""The forms that book points without a hand."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import Game, League, Player
from scoring.models.adjustments import LARGEST_TRANSFER
from scoring.services.adjustments import TransferEntry, penalty
from scoring.typed_numbers import RowField, WholeNumberField

from ..shared.hand_form import FIGURE
from ..shared.reason_form import ReasonForm, reason_field


class BookingForm(ReasonForm):
    """Whole points and what they are for; what play refuses about them stands at the amount."""

    amount = WholeNumberField(
        min_value=1,
        max_value=LARGEST_TRANSFER,
        widget=FIGURE,
        error_messages={"required": _("Say how many points.")},
    )
    reason = reason_field(_("What for?"))

    fields: dict[str, Any]

    def field_about(self, name: str) -> str:
        return "amount" if name == "transfers" else name


class PenaltyForm(BookingForm):
    """One of the four of ``game`` pays each of the other three."""

    payer = forms.ChoiceField(
        label=_("Who pays?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Say who pays.")},
    )
    anyway = forms.BooleanField(label=_("These points are owed a second time"), required=False)
    field_order = ("payer", "amount", "reason")

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.fields["payer"].choices = [(player.pk, player.name) for player in game.players]
        self.fields["amount"].label = _("Points to each of the other three")
        self.fields["reason"].widget.attrs["placeholder"] = _("False mah jongg")

    @property
    def asks(self) -> bool:
        """Whether somebody else has just entered the same, so that a second yes is asked for."""
        return "anyway" in self.data or self.has_error("amount", "entered_by_another")

    @property
    def lines(self) -> list[TransferEntry]:
        """What is booked; call it on a valid form."""
        data = self.cleaned_data
        payer = next(one for one in self.game.players if str(one.pk) == data["payer"])
        return penalty(self.game, payer, data["amount"])


class AdjustmentForm(BookingForm):
    """Points from one player of ``league`` to another, outside any game."""

    payer = RowField(Player.objects.none(), label=_("From"))
    payee = RowField(Player.objects.none(), label=_("To"))
    field_order = ("payer", "payee", "amount", "reason")

    def __init__(self, *args: Any, league: League, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = Player.objects.filter(tallies__league=league)
        choices = [("", _("Choose a player")), *((one.pk, one.name) for one in players)]
        for name in ("payer", "payee"):
            self.fields[name].queryset = players
            self.fields[name].choices = choices
            self.fields[name].error_messages["required"] = _("Choose a player.")
        self.fields["amount"].label = _("Points")

    @property
    def lines(self) -> list[TransferEntry]:
        """What is booked; call it on a valid form."""
        data = self.cleaned_data
        return [TransferEntry(data["payer"], data["payee"], data["amount"])]
