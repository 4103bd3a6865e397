"""A table where somebody has won; modules about other tables have a ``game`` of their own."""

import pytest

from tests.factories import make_game, make_hand, make_member, make_three_members_and_a_guest


@pytest.fixture
def game(organiser):
    """One hand, won by South."""
    game = make_game(by=organiser)
    make_hand(game, winner=1, by=organiser)
    return game


@pytest.fixture
def player(game):
    """The player of the first seat, who may sign in."""
    return make_member(player=game.players[0])


@pytest.fixture
def four():
    """East is the scorer and North a guest without an account."""
    return make_three_members_and_a_guest()


@pytest.fixture
def table(four):
    """The open game of the ``four``, before its first hand."""
    return make_game(players=four, by=four[0].user)
