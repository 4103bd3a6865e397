"""A hand that somebody wants to know the score of."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ..fields import MeldsField, TextField, TilesField
from .entries import EntrySerializer

WINDS = _("Give a wind: E, S, W or N.")


class ScoreSerializer(EntrySerializer):
    """Tiles, the winner's wind, the prevailing wind; the rule set as ``club`` or ``club:1``."""

    tiles = TilesField(
        error_messages={"required": _("Give the tiles, as a text or as a list of codes.")}
    )
    seat = TextField(max_length=20, error_messages={"required": WINDS})
    prevailing = TextField(max_length=20, error_messages={"required": WINDS})
    melds = MeldsField(required=False, allow_null=True)
    concealed = serializers.BooleanField(required=False, allow_null=True)
    self_drawn = serializers.BooleanField(required=False, allow_null=True)
    ruleset = TextField(required=False, allow_null=True, max_length=60)

    @property
    def hand(self) -> dict[str, Any]:
        """The arguments of :func:`scoring.evaluator.scorecard.score`, without the rules."""
        said = {name: value for name, value in self.validated_data.items() if value is not None}
        said.pop("ruleset", None)
        return said
