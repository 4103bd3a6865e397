"""Callers of the API: a visitor, and anybody with a token."""

import pytest
from django.core.cache import cache
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tests.factories import make_game, make_member, make_organiser


@pytest.fixture(autouse=True)
def _nobody_called_before():
    cache.clear()


def caller(user=None):
    """A client with the token of ``user``; without one, a visitor."""
    client = APIClient()
    if user is not None:
        token, _created = Token.objects.get_or_create(user=user)
        client.credentials(HTTP_AUTHORIZATION=f"Token {token.key}")
    return client


@pytest.fixture
def visitor():
    return caller()


@pytest.fixture
def member(db):
    return caller(make_member())


@pytest.fixture
def organiser(db):
    return caller(make_organiser())


@pytest.fixture
def game(db):
    return make_game()


@pytest.fixture
def scorer(game):
    """The player of the first seat, signed in."""
    return caller(make_member(player=game.players[0]))
