"""Leagues and their tables."""

from django.core.validators import MaxValueValidator, MinValueValidator
from rest_framework import serializers

from scoring.models import League
from scoring.models.leagues import FIRST_DAY, LAST_DAY


class LeagueSerializer(serializers.ModelSerializer):
    """A league; ``running`` says whether a game can be started in it today."""

    ruleset = serializers.CharField(source="ruleset_version.ruleset.slug")
    ruleset_version = serializers.IntegerField(source="ruleset_version.number")
    running = serializers.BooleanField()

    class Meta:
        model = League
        fields = (
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
        )
        read_only_fields = fields


class RowSerializer(serializers.Serializer):
    """One line of a league table; points in whole points, the average a hand to one decimal."""

    rank = serializers.IntegerField()
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    points = serializers.IntegerField()
    hands = serializers.IntegerField()
    wins = serializers.IntegerField()
    games = serializers.IntegerField()
    average = serializers.FloatField()
    best_hand = serializers.IntegerField()
    rating = serializers.IntegerField()


class StandingsSerializer(serializers.Serializer):
    """A league table; ``as_of`` null means now."""

    league = serializers.SlugField()
    as_of = serializers.DateField(allow_null=True)
    rows = RowSerializer(many=True)


class AsOfSerializer(serializers.Serializer):
    as_of = serializers.DateField(
        required=False,
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
        help_text="A day, YYYY-MM-DD: the table as it stood when it ended. Without it: now.",
    )
