"""What happened at one position of a game, version by version."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import Hand
from scoring.models.people import User

from .hands import HandSerializer


class PersonSerializer(serializers.Serializer):
    """Somebody who did something; ``player`` is null for an organiser who does not play."""

    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


@dataclass(frozen=True, slots=True)
class Change:
    """A version of a hand and the one that it corrects."""

    after: Hand
    before: Hand | None


def changes(versions: QuerySet[Hand]) -> list[Change]:
    """The versions at one position, the first one first."""
    by_pk = {hand.pk: hand for hand in HandSerializer.rows(versions).order_by("version")}
    return [Change(hand, by_pk.get(hand.supersedes_id)) for hand in by_pk.values()]


class ChangeSerializer(serializers.Serializer):
    """One version: who logged it, when and why, and the hand before and after it."""

    version = serializers.IntegerField(source="after.version")
    who = serializers.SerializerMethodField()
    when = serializers.DateTimeField(source="after.logged_at")
    why = serializers.CharField(source="after.reason")
    before = HandSerializer(allow_null=True)
    after = HandSerializer()

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_who(self, change: Change) -> dict[str, Any] | None:
        by = change.after.logged_by
        return by and _person(by)


def _person(user: User) -> dict[str, Any]:
    player = getattr(user, "player", None)
    if player is None:
        return {"player": None, "name": user.get_full_name() or user.get_username()}
    return {"player": player.pk, "name": player.name}


class HistorySerializer(serializers.Serializer):
    """All versions of the hand at one position, the first one first."""

    game = serializers.IntegerField()
    number = serializers.IntegerField()
    versions = ChangeSerializer(many=True)
