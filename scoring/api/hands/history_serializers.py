"""Serializers of what happened at one position of a game, step by step, and what the others say about it."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import Confirmations, HandEvent
from scoring.models.people import person_name
from scoring.models.permissions import User

from .serializers import HandSerializer


class PersonSerializer(serializers.Serializer):
    """Somebody who did something; ``player`` is null for who does not play, ``name`` then "a member"."""

    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


def person(user: User | None) -> dict[str, Any] | None:
    """``user`` in the shape of :class:`PersonSerializer`; None for somebody who is gone."""
    if user is None:
        return None
    player = getattr(user, "player", None)
    return {"player": player and player.pk, "name": person_name(user)}


class StepSerializer(serializers.Serializer):
    """One step: who did it, when and why, and what stood there before and after it.

    A hand that was taken back leaves nothing: ``after`` is null. Where one is restored nothing stood:
    ``before`` is null.
    """

    what = serializers.ChoiceField(["logged", "corrected", "void", "undone", "restored"])
    version = serializers.IntegerField()
    who = serializers.SerializerMethodField()
    when = serializers.DateTimeField()
    why = serializers.CharField()
    before = HandSerializer(allow_null=True)
    after = HandSerializer(allow_null=True)

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_who(self, step: Any) -> dict[str, Any] | None:
        return person(step.who)


class EventSerializer(serializers.Serializer):
    """What one of the others said, or how an organiser settled it; ``who`` is whose phone it was.

    ``about`` says what a dispute is about, if that was said.
    """

    what = serializers.ChoiceField(["confirmed", "disputed", "settled"], source="kind")
    version = serializers.IntegerField(source="hand.version")
    player = serializers.IntegerField(source="player_id", allow_null=True)
    who = serializers.SerializerMethodField()
    when = serializers.DateTimeField(source="at")
    about = serializers.ChoiceField([*HandEvent.About.values, ""])
    why = serializers.CharField(source="reason")

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_who(self, event: HandEvent) -> dict[str, Any] | None:
        return person(event.by)


class AnswersSerializer(serializers.Serializer):
    """How the newest version stands with the others.

    ``asked`` are the players who may confirm or dispute it, until the time ``until``; ``confirmed``
    and ``disputed`` who did. ``accepted``: it can no longer be disputed.
    """

    asked = serializers.SerializerMethodField()
    confirmed = serializers.SerializerMethodField()
    disputed = serializers.SerializerMethodField()
    accepted = serializers.BooleanField()
    until = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_asked(self, answers: Confirmations) -> list[int]:
        return [player.pk for player in answers.asked]

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_confirmed(self, answers: Confirmations) -> list[int]:
        return _players_who(answers, HandEvent.Kind.CONFIRMED)

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_disputed(self, answers: Confirmations) -> list[int]:
        return _players_who(answers, HandEvent.Kind.DISPUTED)


class AnsweredHandSerializer(HandSerializer):
    """A hand, and how it stands with the others at the table."""

    answers = serializers.SerializerMethodField()

    class Meta(HandSerializer.Meta):
        fields = (*HandSerializer.Meta.fields, "answers")

    @extend_schema_field(AnswersSerializer)
    def get_answers(self, hand: Any) -> Mapping[str, Any]:
        return AnswersSerializer(Confirmations(hand, hand.events.all())).data


class HistorySerializer(serializers.Serializer):
    """All that happened to the hand at one position, the first thing first."""

    game = serializers.IntegerField(source="game.pk")
    number = serializers.IntegerField()
    versions = StepSerializer(many=True, source="steps")
    said = EventSerializer(many=True, source="events")
    answers = AnswersSerializer()


def _players_who(answers: Confirmations, kind: HandEvent.Kind) -> list[int]:
    return [pk for pk, event in answers.given.items() if event.kind == kind]
