"""How a hand was won, as a caller says it."""

from rest_framework import serializers

from .entries import EntrySerializer


class WinSerializer(EntrySerializer):
    """The fields of :class:`scoring.evaluator.win.Win`; null, or nothing, is as usual."""

    concealed = serializers.BooleanField(required=False, allow_null=True)
    self_drawn = serializers.BooleanField(required=False, allow_null=True)
