"""Clients of the API."""

from rest_framework.test import APIClient

from tests.factories import make_token


def caller(user=None, *scopes):
    """A client with a token of ``user`` for ``scopes`` (all of them); without a user, a visitor."""
    client = APIClient()
    if user is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(user, *scopes)}")
    return client
