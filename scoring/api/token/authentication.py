"""Signing in with the header ``Authorization: Token …``."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from scoring.services.tokens import TokenRefused, sign_in_by_token


class ApiTokenAuthentication(TokenAuthentication):
    """REST framework's reading of the header, with the tokens and sentences of this site."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """The account of the header's token, and the token; None without such a header."""
        try:
            found: tuple[Any, Any] | None = super().authenticate(request)
        except AuthenticationFailed as refusal:
            if refusal.get_codes() == "token":
                raise
            message = _("The header holds no token: send “Authorization: Token …” with one.")
            raise AuthenticationFailed(message) from refusal
        return found

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """The account of the token with the text ``key``, and the token.

        :raises AuthenticationFailed: if there is none that still runs.
        """
        try:
            token = sign_in_by_token(key)
        except TokenRefused as refusal:
            raise AuthenticationFailed(str(refusal), code="token") from refusal
        return token.user, token
