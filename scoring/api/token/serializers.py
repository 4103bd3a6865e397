"""Signing in with a name and a password."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ..entries import EntrySerializer
from ..fields import TextField


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


class TokenSerializer(serializers.Serializer):
    """A token for the header ``Authorization: Token …``, and who the caller is at the table."""

    token = serializers.CharField()
    player = serializers.IntegerField(allow_null=True)
