"""Players and what they have gathered."""

from rest_framework import serializers

from scoring.models import League, Player, Tally

from ..entries import EntrySerializer
from ..fields import NAMELESS_PLAYER, TextField


class TallySerializer(serializers.ModelSerializer):
    """What a player has gathered in one league; points in whole points."""

    league: serializers.SlugRelatedField[League] = serializers.SlugRelatedField(
        "slug", read_only=True
    )
    average = serializers.FloatField()
    rating = serializers.IntegerField(source="band.rating")
    rating_low = serializers.IntegerField(source="band.low")
    rating_high = serializers.IntegerField(source="band.high")
    rating_provisional = serializers.BooleanField(source="band.provisional")

    class Meta:
        model = Tally
        fields = (
            *("league", "points", "hands", "wins", "games", "average", "best_hand"),
            *("rating", "rating_low", "rating_high", "rating_provisional"),
        )
        read_only_fields = fields


class PlayerSerializer(serializers.ModelSerializer):
    """A player, with a tally for each league that the caller may see."""

    tallies = TallySerializer(many=True)

    class Meta:
        model = Player
        fields = ("id", "name", "active", "hides_name", "tallies")
        read_only_fields = fields


class PlayerEntrySerializer(EntrySerializer):
    """What an organiser says about a player."""

    name = TextField(
        max_length=80,
        error_messages={"required": NAMELESS_PLAYER},
        help_text="As it should appear in the league table. Two players never share a name.",
    )
    active = serializers.BooleanField(
        required=False, help_text="Whether the player is offered a seat."
    )
    hides_name = serializers.BooleanField(
        required=False, help_text="Whether visitors read initials instead of the name."
    )
    anyway = serializers.BooleanField(
        required=False,
        help_text="Also for a name that looks like that of another player (`looks_like` otherwise).",
    )
