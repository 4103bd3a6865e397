"""The forms that close a season and begin the next one."""

import calendar
import re
from datetime import date, timedelta
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.figures import whole
from scoring.models import Game, Hand, LateHand, League
from scoring.models.left_open import LeftOpen
from scoring.models.lengths import LONGEST_REASON
from scoring.services.seasons import Decision, key_of
from scoring.translation import listed

from ..shared.league_form import DAY
from ..shared.reason_form import ConfirmForm, ReasonForm, reason_field
from ..shared.refusals import Refusable

GAME = (
    (Decision.COUNT, gettext_lazy("End it where it stands")),
    (Decision.LEAVE_OUT, gettext_lazy("Leave it out")),
    (Decision.WAIT, gettext_lazy("Wait")),
)
DISPUTED = (
    (Decision.COUNT, gettext_lazy("Count it as entered")),
    (Decision.LEAVE_OUT, gettext_lazy("Leave it out")),
    (Decision.WAIT, gettext_lazy("Wait")),
)
LATE = (
    (Decision.LEAVE_OUT, gettext_lazy("Leave it out")),
    (Decision.WAIT, gettext_lazy("Wait")),
)
UNCHECKED = (
    (Decision.COUNT, gettext_lazy("Count them as entered")),
    (Decision.WAIT, gettext_lazy("Wait")),
)


class CloseSeasonForm(ConfirmForm):
    """A decision about each thing that is open, and why something is left out or settled."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, left: LeftOpen, **kwargs: Any) -> None:
        initial = {**kwargs.pop("initial", {}), "seen": left.etag}
        super().__init__(*args, initial=initial, **kwargs)
        for game in left.games:
            where = game.get_absolute_url()
            self._ask(key_of(game), _game_in_words(game), GAME, where)
        for hand in left.disputed:
            where = hand.get_absolute_url()
            self._ask(key_of(hand), _hand_in_words(hand), DISPUTED, where)
        for late in left.late:
            where = reverse("late_hands", args=[late.game_id])
            self._ask(key_of(late), _late_in_words(late), LATE, where)
        self.names_reason = bool(self.visible_fields())
        if left.unchecked:
            self._ask("unchecked", _("All hands that were not checked"), UNCHECKED)
            self.fields["unchecked"].initial = Decision.COUNT
        if self.names_reason:
            self.fields["reason"] = forms.CharField(
                label=_("Why? Needed if something is left out or a dispute is settled"),
                required=False,
                max_length=LONGEST_REASON,
            )

    @property
    def decisions(self) -> dict[str, str]:
        """What was chosen, by what it is about; call it on a valid form."""
        asked = {field.name for field in self.visible_fields()} - {"reason"}
        return {name: value for name, value in self.cleaned_data.items() if name in asked}

    @property
    def waits(self) -> bool:
        """Whether something shall wait, so that the season stays open; call it on a valid form."""
        return Decision.WAIT in self.decisions.values()

    def _ask(self, name: str, label: str, choices: Any, where: str = "") -> None:
        """Ask what happens to something; ``where`` is the address of its page."""
        self.fields[name] = forms.ChoiceField(
            label=label,
            choices=choices,
            widget=forms.RadioSelect,
            help_text=format_html('<a href="{}">{}</a>', where, _("Look at it")) if where else "",
            error_messages={"required": _("Choose what happens to it.")},
        )


def _game_in_words(game: Game) -> str:
    names = listed(player.name for player in game.players)
    return _("Game in play: %(names)s") % {"names": names}


def _hand_in_words(hand: Hand) -> str:
    if hand.winner is None:
        return _("Disputed hand %(number)s, nobody won") % {"number": hand.number}
    params = {"number": hand.number, "winner": hand.winner.name, "final": whole(hand.final or 0)}
    return _("Disputed hand %(number)s: %(winner)s wins %(final)s") % params


def _late_in_words(late: LateHand) -> str:
    return _("Late hand %(number)s that waits for an organiser") % {"number": late.number}


class ReopenForm(ReasonForm):
    """Why a season is opened again: there is no table whose others read it."""

    reason = reason_field(help_text=gettext_lazy("It is kept in the record of what was changed."))


class NextSeasonForm(Refusable, forms.ModelForm):
    """The name and the days of the next season; all else is copied."""

    class Meta:
        model = League
        fields = ("name", "starts_on", "ends_on")
        widgets = {
            "starts_on": forms.DateInput(DAY, format="%Y-%m-%d"),
            "ends_on": forms.DateInput(DAY, format="%Y-%m-%d"),
        }


def proposed_season(league: League) -> dict[str, Any]:
    """A name and days for the season after ``league``."""
    days = _next_days(league.starts_on, league.ends_on) if league.ends_on else (None, None)
    return {"name": next_name(league.name), "starts_on": days[0], "ends_on": days[1]}


def next_name(name: str) -> str:
    """What the season after ``name`` is probably called.

    >>> [next_name(name) for name in ("Winter 2026", "2026/27", "Season 3", "Club night")]
    ['Winter 2027', '2027/28', 'Season 4', 'Club night 2']
    """
    years = re.compile(r"\b((?:19|20)\d\d)(?:([/–-])(\d\d))?\b")
    if years.search(name):
        return years.sub(_a_year_later, name)
    if last := re.search(r"\d{1,3}$", name):
        return f"{name[: last.start()]}{int(last[0]) + 1}"
    return f"{name} 2"


def _a_year_later(match: re.Match[str]) -> str:
    year, sign, end = match.groups()
    later = str(int(year) + 1)
    return f"{later}{sign}{(int(end) + 1) % 100:02}" if end else later


def _next_days(first: date, last: date) -> tuple[date, date]:
    """As many months after ``last``, or else as many days.

    >>> _next_days(date(2026, 1, 1), date(2026, 3, 31))
    (datetime.date(2026, 4, 1), datetime.date(2026, 6, 30))
    """
    begins = last + timedelta(days=1)
    if begins.day == first.day:
        months = 12 * (begins.year - first.year) + begins.month - first.month
        return begins, _months_later(begins, months) - timedelta(days=1)
    return begins, begins + (last - first)


def _months_later(day: date, months: int) -> date:
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    longest = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, longest))
