"""Serializers of how a hand was won."""

from rest_framework import serializers

from scoring.evaluator.books.loader import MOST_WORTH

from .entries import EntrySerializer
from .fields import NamesField, PlainIntegerField, TextField


class WinSerializer(EntrySerializer):
    """The fields of :class:`scoring.evaluator.win.Win`; null, or nothing, is as usual.

    What the rules do not know they refuse by its name.
    """

    concealed = serializers.BooleanField(required=False, allow_null=True)
    self_drawn = serializers.BooleanField(required=False, allow_null=True)
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
    dora_indicators = NamesField(
        required=False,
        allow_null=True,
        help_text="Tiles of the dead wall, such as 4C, for books that count dora.",
    )
    value = PlainIntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_WORTH,
        help_text="Of the line of a card, for books that read a card.",
    )
