"""Leagues and their tables."""

from datetime import date
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.figures import rounded
from scoring.models import League, StandingRules, club_day
from scoring.models.leagues import FIRST_DAY, LAST_DAY, TO_COME
from scoring.models.refusals import DAY_OUT_OF_RANGE
from scoring.models.standing_settings import MOST_TABLES
from scoring.queries.ranking import Ranked
from scoring.queries.seasons import Champion, FinalTable
from scoring.queries.standing_preview import ComparedRow, ComparedTable
from scoring.queries.standings import StandingsTeam
from scoring.services.rulesets import LONGEST_DESCRIPTION, shipped_version

from ..entries import EntrySerializer
from ..fields import DayField, PlainIntegerField, TextField

MOST_HOURS = 32_767  # what the column holds


class LeagueSerializer(serializers.ModelSerializer):
    """A league; ``running`` says whether a game can be started in it today.

    ``closed_on`` is the day on which its season was closed; until it is opened again, nothing changes.
    """

    ruleset = serializers.CharField(source="ruleset_version.ruleset.slug")
    ruleset_version = serializers.IntegerField(source="ruleset_version.number")
    running = serializers.BooleanField()

    class Meta:
        model = League
        fields: tuple[str, ...] = (
            "slug",
            "name",
            "description",
            "ruleset",
            "ruleset_version",
            "starts_on",
            "ends_on",
            "visibility",
            "hides_names",
            "hours_to_answer",
            "running",
            "closed_on",
        )
        read_only_fields = fields


class LeagueEntrySerializer(EntrySerializer):
    """What an organiser says about a league; what is left out is as usual, or stays."""

    name = TextField(max_length=80)
    description = TextField(required=False, allow_blank=True, max_length=LONGEST_DESCRIPTION)
    ruleset = TextField(
        required=False,
        max_length=60,
        help_text="Such as club, or club:1. A book that ships is taken into the club.",
    )
    starts_on = serializers.DateField(required=False)
    ends_on = serializers.DateField(required=False, allow_null=True)
    visibility = serializers.ChoiceField(League.Visibility.choices, required=False)
    hides_names = serializers.BooleanField(required=False)
    hours_to_answer = PlainIntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_HOURS
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """The settings as the services take them; a version in place of its name.

        :raises ValidationError: if there are no such rules.
        """
        settings = dict(data)
        if name := settings.pop("ruleset", None):
            settings["ruleset_version"] = shipped_version(name, by=self.context["request"].user)
        return settings


class NewLeagueSerializer(LeagueEntrySerializer):
    """A league that is to be: with its address."""

    slug = serializers.SlugField(max_length=60)


class StandingRulesSerializer(serializers.ModelSerializer):
    """The standing rules that hold today: each table as settings, and in words."""

    version = serializers.IntegerField(source="number")
    tables = serializers.ListField(
        source="shown_tables", child=serializers.DictField(), read_only=True
    )
    words = serializers.SerializerMethodField()

    class Meta:
        model = StandingRules
        fields = ("version", "effective_from", "tables", "words")
        read_only_fields = fields

    def get_words(self, version: StandingRules) -> list[list[str]]:
        """The sentences of each table."""
        return version.in_words()


class WholeLeagueSerializer(LeagueSerializer):
    """A league with its standing rules; null means that the sum of the points decides."""

    standing_rules = serializers.SerializerMethodField()

    class Meta(LeagueSerializer.Meta):
        fields = (*LeagueSerializer.Meta.fields, "standing_rules")
        read_only_fields = fields

    @extend_schema_field(StandingRulesSerializer(allow_null=True))
    def get_standing_rules(self, league: League) -> dict[str, Any] | None:
        version: StandingRules | None = self.context["standing_rules"]
        return None if version is None else StandingRulesSerializer(version).data


@extend_schema_field({"type": "number"})
class FigureField(serializers.Field):
    """A figure that need not be whole, rounded as on the pages."""

    def to_representation(self, value: Fraction) -> int | float:
        return int(value) if value.denominator == 1 else float(rounded(value))


class RowSerializer(serializers.Serializer):
    """One line of a league table; points in whole points, the average a hand to one decimal.

    ``value`` is what is ranked, and ``explanation`` its written sum. While less was played than the
    league asks for, the row is ``provisional`` and has no rank: ``played`` of ``needed``. The strength of
    the player lies between ``rating_low`` and ``rating_high`` with a probability of 95 %.
    """

    rank = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    points = serializers.IntegerField()
    hands = serializers.IntegerField()
    wins = serializers.IntegerField()
    games = serializers.IntegerField()
    average = serializers.FloatField()
    best_hand = serializers.IntegerField()
    rating = serializers.IntegerField(source="band.rating")
    rating_low = serializers.IntegerField(source="band.low")
    rating_high = serializers.IntegerField(source="band.high")
    rating_provisional = serializers.BooleanField(source="band.provisional")
    value = FigureField(source="standing.value")
    provisional = serializers.BooleanField(source="standing.provisional")
    played = serializers.IntegerField(source="standing.towards_minimum")
    needed = serializers.IntegerField(source="standing.needed")
    explanation = serializers.CharField(source="standing.explanation")


class TeamSerializer(serializers.Serializer):
    """A team of a table: the sum of its members, and those of them who have played (ids)."""

    rank = serializers.IntegerField()
    name = serializers.CharField()
    value = FigureField()
    members = serializers.SerializerMethodField()

    def get_members(self, team: StandingsTeam) -> list[int]:
        return [player.pk for player in team.members]


class StandingsSerializer(serializers.Serializer):
    """A league table; ``as_of`` null means now.

    ``table`` is its name, one of ``tables``; empty where the sum of the points decides. ``inactive``
    counts the players who are not listed because they have not played for long.
    """

    league = serializers.SlugField()
    as_of = serializers.DateField(allow_null=True)
    table = serializers.CharField(allow_blank=True)
    tables = serializers.ListField(child=serializers.CharField())
    rows = RowSerializer(many=True)
    teams = TeamSerializer(many=True)
    inactive = serializers.IntegerField()


class AsOfSerializer(serializers.Serializer):
    as_of = DayField(
        required=False,
        help_text="A day, YYYY-MM-DD: the table as it stood when it ended. Without it: now.",
    )

    def validate_as_of(self, day: date) -> date:
        if not FIRST_DAY <= day <= LAST_DAY:
            raise serializers.ValidationError(DAY_OUT_OF_RANGE)
        if day > club_day():
            raise serializers.ValidationError(TO_COME)
        return day


class WhichTableSerializer(AsOfSerializer):
    table = serializers.CharField(
        required=False, help_text="The name of one table of the league. Without it: the first one."
    )


class NewRulesSerializer(EntrySerializer, AsOfSerializer):
    """Standing rules to try; ``docs/standing-rules.md`` says what each setting does."""

    tables = serializers.ListField(
        child=serializers.DictField(), min_length=1, max_length=MOST_TABLES
    )


class ComparedRowSerializer(RowSerializer):
    """A line by the new rules, with rank and figure of the player in the present table.

    ``gained`` is how many ranks are won, less than 0 for those lost; null without both ranks.
    """

    rank_now = serializers.IntegerField(allow_null=True)
    value_now = FigureField(allow_null=True)
    gained = serializers.IntegerField(allow_null=True)

    def to_representation(self, compared: ComparedRow) -> dict[str, Any]:
        row = RowSerializer(compared.row).data
        now = {name: getattr(compared, name) for name in ("rank_now", "gained")}
        value = compared.value_now
        figure = None if value is None else FigureField().to_representation(value)
        return {**row, **now, "value_now": figure}


class ComparedTableSerializer(serializers.Serializer):
    """A table by the new rules: in words, its lines and teams, and who is not ``listed`` any more."""

    name = serializers.CharField(source="table.name")
    words = serializers.SerializerMethodField()
    rows = ComparedRowSerializer(many=True)
    teams = TeamSerializer(source="table.teams", many=True)
    inactive = serializers.IntegerField(source="table.inactive")

    def get_words(self, compared: ComparedTable) -> list[str]:
        rules = compared.table.rules
        return rules.in_words() if rules else []


class ComparisonSerializer(serializers.Serializer):
    """What standing rules would make of a league, which nothing has changed."""

    league = serializers.SlugField()
    as_of = serializers.DateField(allow_null=True)
    tables = ComparedTableSerializer(many=True)


class ChampionSerializer(serializers.Serializer):
    player = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class SeasonSerializer(serializers.Serializer):
    """A season of a series, and once it is closed, who has the first rank; several share it."""

    slug = serializers.SlugField(source="league.slug")
    name = serializers.CharField(source="league.name")
    starts_on = serializers.DateField(source="league.starts_on")
    ends_on = serializers.DateField(source="league.ends_on", allow_null=True)
    closed_on = serializers.DateField(source="league.closed_on", allow_null=True)
    champions = ChampionSerializer(many=True)
    teams = serializers.ListField(child=serializers.CharField())


class TitlesSerializer(serializers.Serializer):
    """How many seasons a player has won, alone or with others, and which."""

    rank = serializers.IntegerField()
    player = serializers.IntegerField(source="row.player.pk")
    name = serializers.CharField(source="row.player.name")
    seasons = serializers.SerializerMethodField()

    def get_seasons(self, ranked: Ranked[Champion]) -> list[str]:
        return [league.slug for league in ranked.row.seasons]


class SeasonsSerializer(serializers.Serializer):
    """All seasons of a series, the newest first, and who has won most of them."""

    seasons = SeasonSerializer(many=True)
    champions = TitlesSerializer(many=True)


class FinalRowSerializer(serializers.Serializer):
    """A line of a final table, as it was stored; without a rank, ``played`` of ``needed``.

    Tables from before ratings had bands have none, and show ratings on the scale of that time.
    """

    rank = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    value = FigureField(source="figure")
    points = serializers.IntegerField()
    hands = serializers.IntegerField()
    wins = serializers.IntegerField()
    games = serializers.IntegerField()
    best_hand = serializers.IntegerField()
    rating = serializers.IntegerField()
    rating_low = serializers.IntegerField(source="band.low", default=None)
    rating_high = serializers.IntegerField(source="band.high", default=None)
    played = serializers.IntegerField()
    needed = serializers.IntegerField()


class FinalTeamSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    name = serializers.CharField(source="team")
    value = FigureField(source="figure")


class FinalTableSerializer(serializers.Serializer):
    """One table; without standing rules it has no name, and the sum of the points decides."""

    name = serializers.CharField(allow_blank=True)
    words = serializers.SerializerMethodField()
    rows = FinalRowSerializer(many=True)
    teams = FinalTeamSerializer(many=True)

    def get_words(self, table: FinalTable) -> list[str]:
        return table.rules.in_words() if table.rules else []


class FinalSerializer(serializers.Serializer):
    """The final tables of a closed season, by which version of its standing rules, and of which day."""

    league = serializers.SlugField(source="closure.league.slug")
    day = serializers.DateField(source="closure.day")
    standing_rules = serializers.IntegerField(
        source="closure.standing_rules.number", allow_null=True, default=None
    )
    tables = FinalTableSerializer(many=True)
