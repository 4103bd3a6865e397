"""Saving a hand takes the same few statements, however long the game and whatever the hand."""

import pytest
from django.contrib.auth.models import User
from django.db import connection

from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db

# Savepoint, game, seats, round, the hands before, hand, payments, that the evening has changed, four
# tallies, game, the audit, release.
SAVING = 15
# Where who writes waits for a lock: the lock, in a statement of its own.
AT_THE_TABLE = SAVING + connection.features.has_select_for_update
# Permissions of the account, and of its groups.
ORGANISER = AT_THE_TABLE + 2


@pytest.fixture
def member():
    return make_member(player=make_player())


@pytest.fixture
def game(member):
    others = [make_player() for _place in range(3)]
    game = make_game(players=[member.player, *others])
    make_hand(game)
    return game


def entries(game):
    winner, discarder = game.players[0].pk, game.players[1].pk
    win = {"outcome": "win", "winner": winner, "discarder": discarder}
    return [
        {"outcome": "draw"},
        {**win, "tiles": BOOK_HAND},
        {**win, "claimed_final": 100},
        {**win, "tiles": BOOK_HAND.replace("222B", "222B*")},
    ]


def test_a_hand_saved_by_a_player_costs_these_statements(game, member, django_assert_num_queries):
    for number, entry in enumerate(entries(game), start=2):
        by = User.objects.get(pk=member.pk)
        with django_assert_num_queries(AT_THE_TABLE):
            record_hand(game, HandEntry(number=number, **entry), by=by)


def test_a_hand_saved_by_an_organiser_costs_these_statements(game, django_assert_num_queries):
    by = User.objects.get(pk=make_organiser().pk)
    with django_assert_num_queries(ORGANISER):
        record_hand(game, HandEntry(number=2, outcome="draw"), by=by)


def test_the_game_is_locked_before_it_is_read(game, member, django_assert_num_queries):
    with django_assert_num_queries(AT_THE_TABLE) as captured:
        record_hand(game, HandEntry(number=2, outcome="draw"), by=member)
    statements = [query["sql"] for query in captured]
    first = next(sql for sql in statements if sql.startswith("SELECT"))
    assert "scoring_game" in first
    if connection.features.has_select_for_update:
        assert first.endswith("FOR NO KEY UPDATE")
