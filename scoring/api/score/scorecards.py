"""Scorecards, for the schema: the evaluator writes them and the database keeps them as they are."""

from rest_framework import serializers


class MeldSerializer(serializers.Serializer):
    """A set that was declared."""

    kind = serializers.ChoiceField(["pung", "kong", "chow", "pair"])
    tiles = serializers.ListField(child=serializers.CharField())
    concealed = serializers.BooleanField()


class CardSetSerializer(MeldSerializer):
    """A set of the reading that counts, and its points."""

    points = serializers.IntegerField()


class PointLineSerializer(serializers.Serializer):
    rule = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    points = serializers.IntegerField()
    tiles = serializers.ListField(child=serializers.CharField(), required=False)


class DoubleLineSerializer(serializers.Serializer):
    rule = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    doubles = serializers.IntegerField()
    group = serializers.CharField(
        allow_null=True, help_text="Of the rules of one group, one at most counts."
    )


class InterpretationSerializer(serializers.Serializer):
    """One way to read the tiles as sets, and what it would score."""

    sets = CardSetSerializer(many=True)
    points = serializers.IntegerField()
    doubles = serializers.IntegerField()
    total = serializers.IntegerField()
    final = serializers.IntegerField()
    chosen = serializers.BooleanField()


class ScorecardSerializer(serializers.Serializer):
    """How a hand scores, line by line, in whole points.

    A hand that does not win has ``why`` instead of figures. A limit hand names its limits.
    """

    winning = serializers.BooleanField()
    points = serializers.IntegerField(allow_null=True)
    doubles = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)
    final = serializers.IntegerField(allow_null=True)
    limits = serializers.ListField(child=serializers.CharField())
    ruleset = serializers.CharField()
    version = serializers.IntegerField()
    sets = CardSetSerializer(many=True)
    point_report = PointLineSerializer(many=True)
    double_report = DoubleLineSerializer(many=True)
    interpretations = InterpretationSerializer(many=True)
    why = serializers.CharField(allow_null=True)
