"""Scorecards, for the schema: the evaluator writes them and the database keeps them as they are."""

from rest_framework import serializers


class MeldSerializer(serializers.Serializer):
    """A set that was declared."""

    kind = serializers.ChoiceField(["pung", "kong", "chow", "pair"])
    tiles = serializers.ListField(child=serializers.CharField())
    concealed = serializers.BooleanField()


class CardSetSerializer(serializers.Serializer):
    """A set of the reading that counts, and its points. Books know more kinds, such as ``knitted``."""

    kind = serializers.CharField(help_text="pung, kong, chow, pair; books have others, too.")
    tiles = serializers.ListField(child=serializers.CharField())
    concealed = serializers.BooleanField()
    last = serializers.BooleanField(
        required=False, help_text="Of a book: the winning tile completed it."
    )
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
    times = serializers.IntegerField(
        required=False, help_text="Of a book: how often the hand has it."
    )


class TimesSerializer(serializers.Serializer):
    """What the lines of books have besides."""

    rule = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    group = serializers.CharField(allow_null=True)
    times = serializers.IntegerField()


class FaanLineSerializer(TimesSerializer):
    faan = serializers.IntegerField()


class LimitLineSerializer(TimesSerializer):
    limit = serializers.IntegerField(help_text="A share of the limit, in percent.")


class BesideSerializer(serializers.Serializer):
    """Points that are not doubled with the others, and their own doubles."""

    points = serializers.IntegerField()
    doubles = serializers.IntegerField()


class InterpretationSerializer(serializers.Serializer):
    """One way to read the tiles as sets, and what it would score."""

    sets = CardSetSerializer(many=True)
    points = serializers.IntegerField()
    doubles = serializers.IntegerField()
    faan = serializers.IntegerField(required=False)
    beside = BesideSerializer(required=False)
    total = serializers.IntegerField()
    final = serializers.IntegerField()
    chosen = serializers.BooleanField()


class ScorecardSerializer(serializers.Serializer):
    """How a hand scores, line by line, in whole points.

    A hand that does not win has ``why`` instead of figures. A limit hand names its limits. The cards of
    rule books have ``faan``, ``bonus``, ``faan_report`` and ``limit_report`` besides.
    ``total`` is ``points`` × 2^``doubles``. Where there is ``beside``, these points and doubles are taken out of
    both, doubled by themselves and added last. Of a limit hand it is the share of the limit and what the book
    adds to it.
    """

    winning = serializers.BooleanField()
    points = serializers.IntegerField(allow_null=True)
    doubles = serializers.IntegerField(allow_null=True)
    faan = serializers.IntegerField(allow_null=True, required=False)
    beside = BesideSerializer(required=False)
    total = serializers.IntegerField(allow_null=True)
    final = serializers.IntegerField(allow_null=True)
    limits = serializers.ListField(child=serializers.CharField())
    ruleset = serializers.CharField()
    version = serializers.IntegerField()
    sets = CardSetSerializer(many=True)
    bonus = serializers.ListField(child=serializers.CharField(), required=False)
    point_report = PointLineSerializer(many=True)
    double_report = DoubleLineSerializer(many=True)
    faan_report = FaanLineSerializer(many=True, required=False)
    limit_report = LimitLineSerializer(many=True, required=False)
    interpretations = InterpretationSerializer(many=True)
    why = serializers.CharField(allow_null=True)
