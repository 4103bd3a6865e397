"""The results of games that somebody withdraws or restores while they are read."""

import pytest
from django.db import connection

from scoring.models import Game, Payment
from scoring.queries.game_figures import game_figures
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_game, make_hand

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.mark.parametrize("before", ["withdrawn", "restored"])
def test_a_game_that_changes_between_two_queries_counts_or_does_not(organiser, before):
    game = make_game(by=organiser)
    make_hand(game, winner=1, by=organiser)
    book_at_table(game, penalty(game, game.players[0], 10), by=organiser, reason="Late")
    if before == "withdrawn":
        withdraw_game(game, by=organiser, reason="Never played")

    def change_before_payments(execute, sql, params, many, context):
        table = Payment if before == "withdrawn" else Game
        if f'FROM "{table._meta.db_table}"' in sql and not changed:
            changed.append(game)
            if before == "withdrawn":
                restore_game(game, by=organiser, reason="It was played", anyway=True)
            else:
                withdraw_game(game, by=organiser, reason="Never played")
        return execute(sql, params, many, context)

    changed = []
    with connection.execute_wrapper(change_before_payments):
        results = game_figures([game.league])
    assert changed
    assert results.get(game.league.pk, {}) == {}
