"""People to add, and invitations."""

from rest_framework import serializers

from scoring.models import Invitation, Player
from scoring.services.invitations import DAYS, MOST_DAYS
from scoring.services.people_lists import MOST_ROWS

from ..entries import EntrySerializer
from ..fields import NAMELESS_PLAYER, IdField, PlainIntegerField, TextField


class PersonEntrySerializer(EntrySerializer):
    """One person of a list."""

    name = TextField(
        max_length=80,
        error_messages={"required": NAMELESS_PLAYER},
        help_text="As it should appear in the league table. Two players never share a name.",
    )
    email = TextField(
        max_length=254, required=False, default="", allow_blank=True, help_text="For an invitation."
    )
    username = TextField(
        max_length=150,
        required=False,
        default="",
        allow_blank=True,
        help_text="The name to sign in with that the invitation proposes.",
    )
    anyway = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Also if the name looks like that of another player (`looks_like` otherwise).",
    )


class PeopleEntrySerializer(EntrySerializer):
    """The people to add: all of them, or none if one cannot be added."""

    people = PersonEntrySerializer(many=True, allow_empty=False, max_length=MOST_ROWS)  # type: ignore[call-arg]
    invite = serializers.BooleanField(
        required=False, default=False, help_text="Mail an invitation to whoever has an address."
    )


class AddedPersonSerializer(serializers.ModelSerializer):
    """A player who was just added."""

    class Meta:
        model = Player
        fields = ("id", "name")
        read_only_fields = fields


class AddedPeopleSerializer(serializers.Serializer):
    """Who was added, in the order of the request."""

    people = AddedPersonSerializer(many=True)


class InvitationEntrySerializer(EntrySerializer):
    """What an invitation is to be."""

    player = serializers.PrimaryKeyRelatedField(
        queryset=Player.objects.all(),
        pk_field=IdField(),
        required=False,
        allow_null=True,
        default=None,
        help_text="Who is invited. Without one it is for whoever has the link.",
    )
    once = serializers.BooleanField(
        required=False, default=True, help_text="Whether it ends with its first use."
    )
    days = PlainIntegerField(
        default=DAYS, min_value=1, max_value=MOST_DAYS, help_text="How long it holds."
    )


class InvitationSerializer(serializers.ModelSerializer):
    """An invitation, without its link: that is told once, when it is made."""

    player: serializers.PrimaryKeyRelatedField[Player] = serializers.PrimaryKeyRelatedField(
        read_only=True, allow_null=True
    )
    joined = serializers.IntegerField(help_text="How many people have joined with it.")

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = (
            *("id", "player", "once", "made_at", "ends_at", "revoked_at", "joined"),
        )
        read_only_fields: tuple[str, ...] = fields


class NewInvitationSerializer(InvitationSerializer):
    """An invitation that was just made, with its link."""

    link = serializers.CharField()

    class Meta(InvitationSerializer.Meta):
        fields = ("link", *InvitationSerializer.Meta.fields)
        read_only_fields = fields
