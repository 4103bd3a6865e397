"""Hall of fame, awards and head to head."""

from rest_framework import serializers

from scoring.models import Hand
from scoring.queries.awards import HeldAward


class PlayerNameSerializer(serializers.Serializer):
    player = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class FamousHandSerializer(serializers.Serializer):
    """A hand of the hall of fame: who won it, where and when, with which tiles.

    ``limits`` are the limit hands that it is; it is not ``checked`` where the table says so without
    tiles. ``hands/{id}/`` has the scorecard.
    """

    hand = serializers.IntegerField(source="pk")
    number = serializers.IntegerField()
    game = serializers.IntegerField(source="game_id")
    league = serializers.SlugField(source="game.league.slug")
    evening = serializers.DateField(source="game.evening")
    winner = PlayerNameSerializer()
    discarder = PlayerNameSerializer(allow_null=True)
    self_drawn = serializers.BooleanField()
    tiles = serializers.SerializerMethodField()
    limits = serializers.ListField(child=serializers.CharField())
    final = serializers.IntegerField()
    checked = serializers.BooleanField()

    def get_tiles(self, hand: Hand) -> list[str]:
        return hand.tiles.split()


class BestHandSerializer(serializers.Serializer):
    """The hand with the highest score of the latest ``evening``, of the ``season`` and ``ever``."""

    best_of = serializers.ListField(
        source="spans", child=serializers.ChoiceField(["evening", "season", "ever"])
    )
    hand = FamousHandSerializer()


class BestHandsSerializer(serializers.Serializer):
    best = BestHandSerializer(many=True)


class HolderSerializer(serializers.Serializer):
    """Who holds an award, since which hand."""

    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    hand = serializers.IntegerField(source="at.pk")
    game = serializers.IntegerField(source="at.game")
    evening = serializers.DateField(source="at.evening")


class HeldSerializer(serializers.Serializer):
    """An award, by its ``id``; who is level holds it together. A share is a part of 1."""

    id = serializers.CharField(source="award.id")
    name = serializers.CharField(source="award.name")
    sentence = serializers.CharField(source="award.sentence")
    unit = serializers.ChoiceField(["hands", "points", "doubles", "share"], source="award.unit")
    value = serializers.SerializerMethodField(method_name="get_figure")
    holders = HolderSerializer(many=True)

    def get_figure(self, held: HeldAward) -> float:
        return float(held.value) if held.award.unit == "share" else int(held.value)


class AwardsSerializer(serializers.Serializer):
    league = serializers.SlugField()
    awards = HeldSerializer(many=True)


class AgainstSerializer(serializers.Serializer):
    """What was won from a player in whole points, less than 0 for what was lost, and in how many hands."""

    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    points = serializers.IntegerField()
    hands = serializers.IntegerField()


class AgainstAllSerializer(serializers.Serializer):
    """What a player has won from all others, and from each of them."""

    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    points = serializers.IntegerField()
    against = AgainstSerializer(many=True)


class HeadToHeadSerializer(serializers.Serializer):
    league = serializers.SlugField()
    rows = AgainstAllSerializer(many=True)
