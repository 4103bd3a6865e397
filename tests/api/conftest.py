"""Callers of the API: a visitor, and anybody with a token."""

import pytest

from tests.api.callers import caller
from tests.factories import make_game, make_member, make_organiser


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
