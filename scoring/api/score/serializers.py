"""A hand that somebody wants to know the score of."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.books.loader import MOST_WORTH
from scoring.evaluator.tiles import Wind

from ..entries import EntrySerializer
from ..fields import MeldsField, NamesField, TextField, TilesField
from ..wins import WinSerializer

WINDS = _("Give a wind: E, S, W or N.")


WIND_NAMES = [(name, name) for wind in Wind for name in (wind.value, wind.label)]


@extend_schema_field({"type": "string", "enum": [name for name, _same in WIND_NAMES]})
class WindTextField(TextField):
    """A wind by its letter or its name, in small letters, too; the evaluator reads it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)


class TilesAndWindsSerializer(EntrySerializer):
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
    bonus = NamesField(
        required=False,
        allow_null=True,
        help_text="Flowers F1 to F4 and seasons Y1 to Y4, as a list or with commas.",
    )
    winning_tile = TextField(
        required=False, allow_null=True, allow_blank=True, max_length=20, help_text="Such as 5B."
    )
    won_by = TextField(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=40,
        help_text="Such as self_drawn, discard (the usual) or robbing_kong; empty for a hand that did not win.",
    )
    flags = NamesField(
        required=False,
        allow_null=True,
        help_text="What else the table says of the hand, such as original_call.",
    )
    value = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_WORTH,
        help_text="Of the line of a card, for books that read a card.",
    )

    @property
    def hand(self) -> dict[str, Any]:
        """The arguments of :func:`scoring.services.book_scores.score_by`, without the rules."""
        values = {name: value for name, value in self.validated_data.items() if value is not None}
        values.pop("ruleset", None)
        return values
