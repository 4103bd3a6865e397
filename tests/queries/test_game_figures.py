"""The results of games that somebody withdraws or restores while they are read."""

import pytest
from django.db import connection

from scoring.models import Game, Payment
from scoring.queries.game_figures import game_figures
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_game, make_hand, make_player

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


@pytest.mark.postgresql
def test_the_games_of_one_player_are_those_among_all_games(organiser):
    """Hands of others decide the places; who was replaced keeps what was booked."""
    game = make_game(by=organiser)
    other = make_game(league=game.league, by=organiser)
    again = make_game(league=game.league, players=game.players, by=organiser)
    for one, winner in ((game, 1), (other, 2), (again, 3)):
        make_hand(one, winner=winner, by=organiser)
    book_at_table(other, penalty(other, other.players[0], 10), by=organiser, reason="Late")
    leaver = make_game(league=game.league, by=organiser)
    book_at_table(leaver, penalty(leaver, leaver.players[0], 20), by=organiser, reason="Late")
    league = game.league
    everybody = game_figures([league])[league.pk]
    assert len(everybody) == 12
    assert [len(everybody[player.pk]) for player in game.players] == [2] * 4
    for player, results in everybody.items():
        assert game_figures([league], of=player)[league.pk][player] == results
    stranger = make_player()
    assert game_figures([league], of=stranger.pk) == {}
