"""The form of one table of a league: each setting in words, and back to the data that is stored."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from scoring.figures import exact
from scoring.models import Player, club_day
from scoring.models.names import SameNames
from scoring.models.standing_choices import COUNTS, OF, PER, PERIODS, RESULTS, TIE_BREAKS
from scoring.models.standing_settings import PLACES, TableSettings
from scoring.models.standing_values import number_as_json
from scoring.typed_numbers import WholeNumberField, typed_number

from ..shared.refusals import Refusable

# Punctuation as other keyboards have it, the Chinese one above all.
PLAIN = str.maketrans("：，、；－−", ":,,;--")
# As many as there are: the form asks for three, and for one more once these are used.
TIES = tuple(f"tie_break_{number}" for number in range(1, len(TIE_BREAKS) + 1))
# The groups of fields, each below its own heading.
GROUPS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (_("What counts"), ("name", "counts", "places", "divide_by")),
    (_("Only the best results"), ("best_count", "best_of", "best_per", "best_first")),
    (_("Leave out the worst"), ("drop_count", "drop_of")),
    (_("Attendance premium"), ("attendance_points", "attendance_per", "attendance_games")),
    (_("Handicap"), ("handicap_per", "handicap_players")),
    (_("Who is ranked"), ("minimum_count", "minimum_of", "inactive_weeks")),
    (_("Equal figures"), TIES),
    (_("Teams"), ("teams",)),
    (_("From when"), ("effective_from",)),
)


def _whole(label: Any, help_text: Any = "", most: int = 1000) -> WholeNumberField:
    return WholeNumberField(
        label=label, help_text=help_text, required=False, min_value=1, max_value=most
    )


DECIDES = {"": _("nothing: they share the rank"), **TIE_BREAKS}
# What each select offers, in the reader's language.
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "counts": COUNTS,
    "best_of": {name: RESULTS[name] for name in ("games", "evenings")},
    "best_per": PERIODS,
    "drop_of": RESULTS,
    "attendance_per": {name: PER[name] for name in ("evening", "game")},
    "handicap_per": PER,
    "minimum_of": OF,
}


class StandingForm(Refusable, forms.Form):
    """The settings of one table; a group whose first field is empty is not used."""

    name = forms.CharField(label=_("Name of the table"), max_length=40)
    counts = forms.ChoiceField(label=_("What is added up"))
    places = forms.CharField(
        label=_("For 1st, 2nd, 3rd and 4th place"),
        required=False,
        help_text=_("Four numbers, such as 4 2 1 0.5. Players who are level share them."),
    )
    divide_by = _whole(
        _("Points that make one"), _("1000: a game of 12,000 points counts 12."), 10_000
    )
    best_count = _whole(_("How many count"), _("Empty: all of them."))
    best_of = forms.ChoiceField(label=_("Best"))
    best_per = forms.ChoiceField(label=_("Of which time"))
    best_first = _whole(_("Of the first"), _("Empty: however many are played."))
    drop_count = _whole(_("How many are left out"), _("Empty: none. One result always stays."))
    drop_of = forms.ChoiceField(label=_("Worst"))
    attendance_points = forms.DecimalField(
        label=_("Premium"),
        required=False,
        decimal_places=1,
        max_digits=8,
        help_text=_("Empty: none."),
    )
    attendance_per = forms.ChoiceField(label=_("Given"))
    attendance_games = _whole(
        _("Games of a whole evening"), _("2: one game alone gets half of the premium."), 20
    )
    handicap_per = forms.ChoiceField(label=_("Added"))
    handicap_players = forms.CharField(
        label=_("Players and points"),
        required=False,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("One on each line, such as Anna Berg: 20"),
    )
    minimum_count = _whole(
        _("Ranked from"), _("Until then “4 of 6” stands in place of the rank."), 100_000
    )
    minimum_of = forms.ChoiceField(label=_("Counted are"))
    inactive_weeks = _whole(
        _("Hide after so many weeks without a game"), _("Empty: everybody is listed."), 520
    )
    teams = forms.CharField(
        label=_("Teams and their members"),
        required=False,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("One team on each line, such as Dragons: Anna Berg, Bob Chen"),
    )
    effective_from = forms.DateField(
        label=_("These rules hold from"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Tables of earlier days stay as they were."),
    )

    def __init__(self, *args: Any, rules: TableSettings | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"effective_from": club_day(), **initial_of(rules)})
        super().__init__(*args, **kwargs)
        given = self.data if self.is_bound else self.initial
        used = [number for number, name in enumerate(TIES, start=1) if given.get(name)]
        for name in TIES[: max(3, 1 + max(used, default=0))]:
            label = _("First") if name == TIES[0] else _("Then")
            self.fields[name] = forms.ChoiceField(label=label, required=False)
        for name, names in {**CHOICES, **dict.fromkeys(TIES, DECIDES)}.items():
            if name not in self.fields:
                continue
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(key, capfirst(str(text))) for key, text in names.items()]

    @property
    def groups(self) -> Iterator[tuple[Any, list[forms.BoundField]]]:
        """The fields by heading."""
        for heading, names in GROUPS:
            yield heading, [self[name] for name in names if name in self.fields]

    @cached_property
    def known(self) -> SameNames[Player]:
        """Every player, by name."""
        return SameNames(Player.objects.order_by("pk").only("name"))

    def clean_name(self) -> str:
        """With single spaces, as it is stored."""
        return " ".join(self.cleaned_data["name"].split())

    def clean_places(self) -> list[int | float] | None:
        text = re.sub(r",\s|;", " ", self.cleaned_data["places"].translate(PLAIN)).strip()
        # "4,2,1,0.5": without a space, commas lie between the numbers and not in them.
        parts = text.split() if re.search(r"\s", text) else text.split(",")
        try:
            places = [number_as_json(typed_number(part)) for part in parts if part]
        except ValueError:
            places = []
        if text and len(places) != PLACES:
            message = _("Give four numbers with spaces between them, such as 4 2 1 0.5.")
            raise ValidationError(message, code="invalid")
        return places or None

    def clean_handicap_players(self) -> list[dict[str, Any]]:
        rows = []
        for line in _lines(self.cleaned_data["handicap_players"]):
            name, _colon, points = line.translate(PLAIN).rpartition(":")
            try:
                value = number_as_json(typed_number(points.strip()))
            except ValueError as error:
                message = _("Write a name, a colon and a number: %(line)s.") % {"line": line}
                raise ValidationError(message, code="invalid") from error
            rows.append({"player": _id_of(line[: len(name)], self.known), "points": value})
        return rows

    def clean_teams(self) -> list[dict[str, Any]]:
        teams = []
        for line in _lines(self.cleaned_data["teams"]):
            name, colon, members = line.translate(PLAIN).partition(":")
            if not (colon and members.strip(" ,")):
                message = _("Write the team, a colon and its members: %(line)s.") % {"line": line}
                raise ValidationError(message, code="invalid")
            name = line[: len(name)].strip()
            teams.append({"name": name, "players": list(_members(members, self.known))})
        return teams

    def data_of_table(self) -> dict[str, Any]:
        """The settings as they are stored."""
        given = self.cleaned_data
        data: dict[str, Any] = {"name": given["name"], "counts": given["counts"]}
        if given["places"] is not None:
            data["places"] = given["places"]
        for name in ("divide_by", "inactive_weeks"):
            if given[name]:
                data[name] = given[name]
        for group, names in (
            ("best", ("count", "of", "per", "first")),
            ("drop", ("count", "of")),
            ("attendance", ("points", "per", "games")),
            ("minimum", ("count", "of")),
        ):
            values = {name: given[f"{group}_{name}"] for name in names}
            if values[names[0]] is not None:
                data[group] = {
                    name: value for name, value in values.items() if value not in ("", None)
                }
        if "attendance" in data:
            data["attendance"]["points"] = number_as_json(Fraction(data["attendance"]["points"]))
        if given["handicap_players"]:
            data["handicap"] = {"players": given["handicap_players"], "per": given["handicap_per"]}
        data["tie_breaks"] = [given[name] for name in TIES if given.get(name)]
        data["teams"] = given["teams"]
        return data

    def field_about(self, name: str) -> str:
        parts = [part for part in name.split(".") if not part.isdecimal() and part != "tables"]
        return next((field for field in _fields_of(parts) if field in self.fields), name)


def _fields_of(names: list[str]) -> list[str]:
    """The fields that may show a problem at that way, the most exact one first."""
    joined = "_".join(names)
    return [joined, f"{joined}_1".replace("tie_breaks", "tie_break"), "_".join(names[:1])]


def initial_of(rules: TableSettings | None) -> dict[str, Any]:
    """What the form shows of ``rules``; of a new table nothing but what is usual."""
    if rules is None:
        return {
            "name": _("Standings"),
            "counts": "points",
            "minimum_of": "games",
            "best_per": "week",
        }
    names = Player.objects.in_bulk(rules.people)

    def name(pk: int) -> str:
        return names[pk].name if pk in names else str(pk)

    initial: dict[str, Any] = {"name": rules.name, "counts": rules.counts}
    initial["places"] = " ".join(exact(place) for place in rules.places or ())
    initial["divide_by"] = rules.divide_by if rules.divide_by > 1 else None
    initial["inactive_weeks"] = rules.inactive_weeks
    for group in ("best", "drop", "attendance", "minimum"):
        part = getattr(rules, group)
        for field in fields(part) if part else ():
            value = getattr(part, field.name)
            initial[f"{group}_{field.name}"] = (
                float(value) if isinstance(value, Fraction) else value
            )
    if rules.handicap:
        initial["handicap_per"] = rules.handicap.per
        rows = (f"{name(one.player)}: {exact(one.points)}" for one in rules.handicap.players)
        initial["handicap_players"] = "\n".join(rows)
    initial |= dict(zip(TIES, rules.tie_breaks, strict=False))
    initial["teams"] = "\n".join(
        f"{team.name}: {', '.join(map(name, team.players))}" for team in rules.teams
    )
    return initial


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _id_of(name: str, known: SameNames[Player]) -> int:
    """:raises ValidationError: for a name of nobody."""
    if player := known.find(name):
        return player.pk
    message = _("There is no player named %(name)s.") % {"name": " ".join(name.split())}
    raise ValidationError(message, code="unknown")


def _members(text: str, known: SameNames[Player]) -> Iterator[int]:
    """The ids of those whose names stand in ``text`` with commas between them.

    A name may have a comma itself, so several parts are tried as one name first.

    :raises ValidationError: for a name of nobody.
    """
    parts = [part for part in text.split(",") if part.strip()]
    longest = known.most_parts
    while parts:
        lengths = range(min(longest, len(parts)), 1, -1)
        joined = (length for length in lengths if known.find(",".join(parts[:length])))
        length = next(joined, 1)
        yield _id_of(",".join(parts[:length]), known)
        parts = parts[length:]
