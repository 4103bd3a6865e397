"""Problem documents as the schema describes them; :mod:`scoring.api.problems` writes them."""

from rest_framework import serializers

from .games.state_serializer import StateSerializer
from .hands.serializers import HandSerializer


class ErrorSerializer(serializers.Serializer):
    """One thing that is wrong. ``field`` is null where it concerns the request as a whole."""

    field = serializers.CharField(allow_null=True)
    code = serializers.CharField()
    message = serializers.CharField()


class ProblemSerializer(serializers.Serializer):
    """Why a request was not carried out (RFC 9457), in words for the person who made it."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = ErrorSerializer(many=True)  # type: ignore[assignment]


class ConflictSerializer(ProblemSerializer):
    """The table has moved on: ``hand`` stands at the position already, ``state`` is where it is."""

    hand = HandSerializer(allow_null=True)
    state = StateSerializer()
