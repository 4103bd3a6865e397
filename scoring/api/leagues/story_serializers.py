"""The hall of fame of a league, or of the club."""

from rest_framework import serializers

from scoring.models import Hand


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
