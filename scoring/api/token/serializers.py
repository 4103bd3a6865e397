"""Signing in with a name and a password, and the tokens of an account."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from scoring.models import ApiToken
from scoring.models.permissions import Role, Scope
from scoring.models.refusals import NAMELESS_TOKEN, TOKEN_FOR_NOTHING
from scoring.services.tokens import DAYS, MOST_DAYS

from ..entries import EntrySerializer
from ..fields import PlainIntegerField, TextField


class TokenEntrySerializer(EntrySerializer):
    """What a token is to be."""

    name = TextField(
        max_length=80,
        error_messages={"required": NAMELESS_TOKEN, "blank": NAMELESS_TOKEN},
        help_text="What will use it.",
    )
    scopes = serializers.MultipleChoiceField(
        choices=Scope.choices,
        allow_empty=False,
        error_messages={
            "required": TOKEN_FOR_NOTHING,
            "empty": TOKEN_FOR_NOTHING,
        },
        help_text="What it may do. None of them implies another.",
    )
    days = PlainIntegerField(
        default=DAYS, min_value=1, max_value=MOST_DAYS, help_text="How long it runs."
    )
    password = TextField(
        max_length=1000,
        required=False,
        trim_whitespace=False,
        help_text="That of the account: needed by a session, not read with a token.",
    )


class CredentialsSerializer(EntrySerializer):
    """What one signs in with."""

    username = TextField(
        max_length=150, error_messages={"required": _("Give the name you sign in with.")}
    )
    password = TextField(
        max_length=1000,
        trim_whitespace=False,
        error_messages={"required": _("Give your password.")},
    )
    name = TextField(
        max_length=80, required=False, help_text="What will use the token, for the list of them."
    )
    code = TextField(
        max_length=20, required=False, help_text="Of an account with a second step: its code."
    )


class ApiTokenSerializer(serializers.ModelSerializer):
    """A token, without its text: that is told once, when it is made."""

    scopes = serializers.SerializerMethodField()

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = ("id", "name", "scopes", "made_at", "ends_at", "last_used_on")
        read_only_fields: tuple[str, ...] = fields

    def get_scopes(self, token: ApiToken) -> list[Scope]:
        return sorted(token.scopes)


class NewTokenSerializer(ApiTokenSerializer):
    """A token that was just made, with its text for the header ``Authorization: Token …``."""

    token = serializers.CharField(source="text")

    class Meta(ApiTokenSerializer.Meta):
        fields = ("token", *ApiTokenSerializer.Meta.fields)
        read_only_fields = fields


class SignedInSerializer(NewTokenSerializer):
    """The same after signing in, and who the caller is at the table."""

    player = serializers.SerializerMethodField()

    class Meta(NewTokenSerializer.Meta):
        fields = ("token", "player", *ApiTokenSerializer.Meta.fields)
        read_only_fields = fields

    def get_player(self, token: ApiToken) -> int | None:
        player = getattr(token.user, "player", None)
        return player.pk if player else None


class OwnPlayerSerializer(serializers.Serializer):
    """Who the caller is at the table."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class MeSerializer(serializers.Serializer):
    """Who the caller is. A visitor has neither account nor player; ``scopes`` are those of a token."""

    account = serializers.CharField(allow_null=True)
    player = OwnPlayerSerializer(allow_null=True)
    roles = serializers.ListField(child=serializers.ChoiceField(list(Role)))
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices), allow_null=True)
