"""A hand that somebody wants to know the score of."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.tiles import Wind

from ..entries import HandInTilesSerializer
from ..fields import MeldsField, TextField, TilesField
from ..wins import WinSerializer

WINDS = _("Give a wind: E, S, W or N.")


WIND_NAMES = [(name, name) for wind in Wind for name in (wind.value, wind.label)]


@extend_schema_field({"type": "string", "enum": [name for name, _same in WIND_NAMES]})
class WindTextField(TextField):
    """A wind by its letter or its name, in small letters, too; the evaluator reads it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)


class TilesAndWindsSerializer(HandInTilesSerializer):
    """Tiles, the winner's wind, the prevailing wind."""

    tiles = TilesField(
        error_messages={"required": _("Give the tiles, as a text or as a list of codes.")}
    )
    seat = WindTextField(error_messages={"required": WINDS})
    prevailing = WindTextField(error_messages={"required": WINDS})
    melds = MeldsField(required=False, allow_null=True)


class ScoreSerializer(TilesAndWindsSerializer, WinSerializer):
    """Tiles, the winner's wind, the prevailing wind; the rule set as ``club`` or ``club:1``.

    Rule books that are for working out hands take more: what they do not know they refuse by name.
    """

    ruleset = TextField(required=False, allow_null=True, max_length=60)

    @property
    def hand(self) -> dict[str, Any]:
        """The arguments of :func:`scoring.services.book_scores.score_by`, without the rules."""
        values = {name: value for name, value in self.validated_data.items() if value is not None}
        values.pop("ruleset", None)
        return values


class WaitSerializer(serializers.Serializer):
    """A tile that completes the hand."""

    tile = serializers.CharField()
    final = serializers.IntegerField(
        allow_null=True,
        help_text="In whole points; null: worth less than the rules ask for, it may not be declared.",
    )
    left = serializers.IntegerField(help_text="How many of it the hand does not hold itself.")


class ExchangeSerializer(serializers.Serializer):
    """One tile given for another with which the hand wins, and what it then scores."""

    given = serializers.CharField()
    taken = serializers.CharField()
    final = serializers.IntegerField()


class AdviceSerializer(serializers.Serializer):
    """What would make a hand win. A hand that wins has neither; the best exchange is the first."""

    waits = WaitSerializer(many=True)
    exchanges = ExchangeSerializer(many=True)
