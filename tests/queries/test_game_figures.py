"""The results of games that somebody withdraws or restores while they are read."""

import pytest
from django.db import connection

from scoring.models import Game, Payment, Tally, club_day
from scoring.queries import standings
from scoring.queries.game_figures import game_figures
from scoring.queries.standing_sums import Figures, PlayerSums
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_game, make_hand, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


def test_every_way_to_add_up_a_player_gives_the_columns_of_the_tally(organiser):
    game = make_game(by=organiser)
    league, players = game.league, game.players
    make_hand(game, winner=1, discarder=players[2].pk, by=organiser)
    make_hand(game, winner=1, self_drawn=True, by=organiser)
    book_at_table(game, penalty(game, players[0], 10), by=organiser, reason="Late")
    make_hand(make_game(league=league, players=players, by=organiser), winner=0, by=organiser)
    tallies = {
        tally.player_id: {name: getattr(tally, name) for name in PlayerSums._fields}
        for tally in Tally.objects.filter(league=league)
    }
    results = game_figures([league])[league.pk]
    assert {pk: PlayerSums.of(games)._asdict() for pk, games in results.items()} == tallies
    assert Figures._fields == ("player", "name", *PlayerSums._fields, "results")
    for needs_games in (False, True):
        gathered = standings.Gathered(league, club_day(), needs_games=needs_games)
        assert {
            one.player: {name: getattr(one, name) for name in PlayerSums._fields}
            for one in gathered.figures
        } == tallies


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
