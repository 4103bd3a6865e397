"""Evenings: the days on which games of a league began."""

from rest_framework import serializers


class EveningSerializer(serializers.Serializer):
    """A day, how many games began then, how many are still open, and whether it is closed."""

    day = serializers.DateField(source="evening")
    games = serializers.IntegerField()
    open_games = serializers.IntegerField()
    closed = serializers.BooleanField()
