"""Ratings across leagues, ratings after each game, and chances."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers


class BandSerializer(serializers.Serializer):
    """A rating in whole points; the strength is between low and high with a probability of 95 %."""

    rating = serializers.IntegerField(source="band.rating")
    rating_low = serializers.IntegerField(source="band.low")
    rating_high = serializers.IntegerField(source="band.high")
    rating_provisional = serializers.BooleanField(source="band.provisional")


class ClubRowSerializer(BandSerializer):
    """A line of the table across leagues; a provisional rating has no rank."""

    rank = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    games = serializers.IntegerField()


class WhichRatingsSerializer(serializers.Serializer):
    league = serializers.SlugField(
        required=False,
        help_text="A league in which the player was rated. Without it: the newest of them.",
    )
    across = serializers.BooleanField(required=False, help_text="The ratings across leagues.")


class RatedGameSerializer(BandSerializer):
    """A finished game: the place of the player, the points won or lost, and the rating after it."""

    game = serializers.IntegerField(source="game.pk")
    league = serializers.SlugField(source="game.league.slug")
    evening = serializers.DateField(source="game.evening")
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    change = serializers.IntegerField()


class WhoSitsSerializer(serializers.Serializer):
    league = serializers.SlugField()
    players = serializers.RegexField(
        r"^[0-9]{1,9}(,[0-9]{1,9}){3}$",
        error_messages={"invalid": _("Give the ids of four players: 12,15,16,19.")},
        help_text="The ids of four players, parted by commas.",
    )


class SeatedSerializer(serializers.Serializer):
    player = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class ChanceSerializer(BandSerializer):
    """The chance to finish first, in whole percent: if the player is as weak, or strong, as the band allows."""

    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    percent = serializers.IntegerField()
    percent_low = serializers.IntegerField(source="low")
    percent_high = serializers.IntegerField(source="high")


class SeatingSerializer(serializers.Serializer):
    """Chances in the order asked for; none while one of the players is ``unknown``: without a rating."""

    across_leagues = serializers.BooleanField()
    chances = ChanceSerializer(many=True)
    unknown = SeatedSerializer(many=True)
