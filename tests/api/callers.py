"""Clients of the API."""

from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient


def caller(user=None):
    """A client with the token of ``user``; without one, a visitor."""
    client = APIClient()
    if user is not None:
        token, _created = Token.objects.get_or_create(user=user)
        client.credentials(HTTP_AUTHORIZATION=f"Token {token.key}")
    return client
