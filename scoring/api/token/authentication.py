"""Signing in with the header ``Authorization: Token …``."""

from typing import Any

from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from scoring.services.tokens import TokenRefused, sign_in_by_token


class ApiTokenAuthentication(TokenAuthentication):
    """REST framework's reading of the header, with the tokens of this site."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """The account of the token with the text ``key``, and the token.

        :raises AuthenticationFailed: if there is none that still runs.
        """
        try:
            token = sign_in_by_token(key)
        except TokenRefused as refusal:
            raise AuthenticationFailed(str(refusal), code="token") from refusal
        return token.user, token
