"""The form that seats four players."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.tiles import WINDS
from scoring.models import League, Player
from scoring.models.people import PlayerQuerySet
from scoring.models.permissions import User, check_signed_in
from scoring.models.refusals import CHOOSE_A_LEAGUE, NOT_OF_THE_CLUB
from scoring.queries.seating import first_expected, playing_now
from scoring.translation import translate
from scoring.typed_numbers import RowField, typed_id

from ..shared.refusals import Refusable

SEATS = ("east", "south", "west", "north")
# Who else there is, is searched for.
LISTED = 200


class NewGameForm(Refusable, forms.Form):
    """A league that is running and four players that ``user`` may see, those who played lately first.

    :ivar searches: whether there are more of them than the page lists.
    """

    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    # What was answered when somebody sits at another open table: "anyway" or "end".
    elsewhere = forms.CharField(widget=forms.HiddenInput, required=False, max_length=10)
    league = RowField(
        League.objects.none(),
        label=_("League"),
        empty_label=None,
        error_messages={
            "required": CHOOSE_A_LEAGUE,
            "invalid_choice": _("This league is not running today: choose another one."),
        },
    )
    east = RowField(Player.objects.none(), label=_("East, deals first"))
    south = RowField(Player.objects.none(), label=_("South"))
    west = RowField(Player.objects.none(), label=_("West"))
    north = RowField(Player.objects.none(), label=_("North"))
    guest = forms.CharField(required=False, max_length=80)
    find = forms.CharField(
        label=_("Find a player"),
        required=False,
        max_length=80,
        widget=forms.TextInput({"type": "search", "autocomplete": "off"}),
    )

    fields: dict[str, Any]

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        own = Player.objects.active().filter(user=check_signed_in(user)).first()
        if own is not None and own.pk in playing_now():
            own = None
        kwargs["initial"] = {"key": uuid4().hex, "east": own, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        leagues = League.objects.visible_to(user).running()
        self.leagues = list(leagues)
        self.fields["league"].queryset = leagues
        self.fields["league"].choices = [(league.pk, league.name) for league in self.leagues]
        players = Player.objects.visible_to(user).active()
        self.people = self._listed(players)
        nobody = [("", _("Nobody yet"))]
        for seat, wind in zip(SEATS, WINDS, strict=True):
            field = self.fields[seat]
            field.queryset = players
            field.choices = nobody + [(player.pk, player.name) for player in self.people]
            field.widget.attrs.update({"data-seat": "", "data-wind": translate(wind.label)})
            field.error_messages = {
                "required": _("Choose who sits here."),
                "invalid_choice": NOT_OF_THE_CLUB,
            }

    def _listed(self, players: PlayerQuerySet) -> list[Player]:
        """Who can be chosen: who sits at a seat already, and who is searched for, or else expected."""
        typed = [self[seat].value() for seat in SEATS]
        pks = [typed_id(str(getattr(one, "pk", one))) for one in typed]
        sitting = players.filter(pk__in=[pk for pk in pks if pk])
        self.searched = str(self["find"].value() or "").strip()
        wanted = players.named(self.searched) if self.searched else players
        expected = first_expected(wanted, LISTED + 1)
        self.searches = bool(self.searched) or len(expected) > LISTED
        self.nobody_found = not expected
        listed = {one.pk for one in expected[:LISTED]}
        return expected[:LISTED] + [one for one in sitting if one.pk not in listed]

    @property
    def seats(self) -> list[forms.BoundField]:
        return [self[seat] for seat in SEATS]

    @property
    def players(self) -> list[Player]:
        """East, South, West and North; call it on a valid form."""
        return [self.cleaned_data[seat] for seat in SEATS]
