"""Filters of lists. A value that makes no sense is refused, not overlooked."""

from typing import Any

import django_filters as filters
from django.db.models import QuerySet, TextChoices
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from scoring.models import Adjustment, Game, Hand, League, Player
from scoring.models.people import PlayerQuerySet
from scoring.typed_numbers import RowField

from .fields import NO_SUCH_LEAGUE
from .own_sentences import TRUE_OR_FALSE


def _leagues(request: HttpRequest | None) -> QuerySet[League]:
    return League.objects.visible_to(request.user) if request else League.objects.none()


def _games(request: HttpRequest | None) -> QuerySet[Game]:
    return Game.objects.visible_to(request.user) if request else Game.objects.none()


def _players(request: HttpRequest | None) -> QuerySet[Player]:
    return Player.objects.visible_to(request.user) if request else Player.objects.none()


class _RowByIdField(RowField, filters.fields.ModelChoiceField):
    """The field of an :class:`IdFilter`."""


class LeagueFilter(filters.ModelChoiceFilter):
    """A league by its slug."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            queryset=_leagues,
            to_field_name="slug",
            error_messages={"invalid_choice": NO_SUCH_LEAGUE},
            **kwargs,
        )


class IdFilter(filters.ModelChoiceFilter):
    """Something by its id, in plain digits."""

    field_class = _RowByIdField


class PlayerFilter(IdFilter):
    """A player by id."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            queryset=_players,
            error_messages={"invalid_choice": _("There is no such player: players/ lists them.")},
            **kwargs,
        )


@extend_schema_field(OpenApiTypes.BOOL)
class YesNoFilter(filters.TypedChoiceFilter):
    """``true`` or ``false`` and nothing else: a filter that is misspelt must not find all."""

    def __init__(self, **kwargs: Any) -> None:
        choices = [("true", _("yes")), ("false", _("no"))]
        super().__init__(
            choices=choices,
            coerce=lambda value: value == "true",
            error_messages={"invalid_choice": TRUE_OR_FALSE},
            **kwargs,
        )


class WordFilter(filters.ChoiceFilter):
    """One of the words of ``choices``, which are those of a column."""

    def __init__(self, choices: type[TextChoices], **kwargs: Any) -> None:
        # Django fills in the value that was sent, and nothing else.
        refused = {"invalid_choice": _("“%(value)s” is not allowed here.")}
        super().__init__(choices=choices.choices, error_messages=refused, **kwargs)


class LeagueFilters(filters.FilterSet):
    visibility = WordFilter(League.Visibility)
    running = YesNoFilter(method="filter_running", label="Whether games can be started today.")

    class Meta:
        model = League
        fields: list[str] = []

    def filter_running(
        self, leagues: QuerySet[League], name: str, running: bool
    ) -> QuerySet[League]:
        today = League.objects.running()
        return leagues & today if running else leagues.exclude(pk__in=today)


class PlayerFilters(filters.FilterSet):
    name = filters.CharFilter(method="filter_name", label="A part of the name.")
    active = YesNoFilter(label="Whether the player is offered a seat.")
    league = LeagueFilter(field_name="tallies__league", label="The slug of a league played in.")

    class Meta:
        model = Player
        fields: list[str] = []

    def filter_name(self, players: PlayerQuerySet, _field: str, part: str) -> PlayerQuerySet:
        return players.named(part)


class GameFilters(filters.FilterSet):
    league = LeagueFilter(label="The slug of a league.")
    player = PlayerFilter(field_name="seats__player", label="The id of somebody at the table.")
    finished = YesNoFilter(
        field_name="finished_at", lookup_expr="isnull", exclude=True, label="Whether it is over."
    )

    withdrawn = YesNoFilter(
        field_name="withdrawn_at",
        lookup_expr="isnull",
        exclude=True,
        label="Whether it was withdrawn; without this, only games that were not.",
    )

    class Meta:
        model = Game
        fields: list[str] = []


class AdjustmentFilters(filters.FilterSet):
    league = LeagueFilter(label="The slug of a league.")
    game = IdFilter(
        queryset=_games,
        label="The id of a game.",
        error_messages={"invalid_choice": _("There is no such game: games/ lists them.")},
    )

    class Meta:
        model = Adjustment
        fields: list[str] = []


class HandFilters(filters.FilterSet):
    outcome = WordFilter(Hand.Outcome)
    winner = PlayerFilter(label="The id of the winner.")
    checked = YesNoFilter(label="Whether the site worked out the score.")

    class Meta:
        model = Hand
        fields: list[str] = []
