"""What a player's page tells, and to whom."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from scoring.models import Game, League
from scoring.queries.hall_of_fame import best_hands
from scoring.queries.players import leagues_with_hands, player_list, player_profile
from scoring.services.games import finish_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_next_game,
    make_player,
)

pytestmark = pytest.mark.django_db

VISITOR = AnonymousUser()
BIG_THREE_DRAGONS = "RRR GGG WhWhWh 234C 77D"


class TestLeagues:
    def test_the_leagues_of_a_profile_rank_among_those_who_played(self, game, organiser):
        make_hand(game, winner=1, by=organiser)
        make_game(league=game.league)  # seated, but without a hand
        (result,) = player_profile(game.players[0], VISITOR).leagues
        assert (result.tally.league, result.tally.points) == (game.league, -140)
        assert (result.rank, result.of) == (4, 4)

    def test_who_has_as_many_points_shares_the_rank(self, game, organiser):
        make_hand(game, winner=1, by=organiser)
        for place in (2, 3):
            (result,) = player_profile(game.players[place], VISITOR).leagues
            assert result.rank == 2

    def test_a_members_league_counts_for_members_only(self, organiser):
        four = [make_player() for _place in range(4)]
        for visibility in League.Visibility.values:
            game = make_game(league=make_league(visibility=visibility), players=four)
            make_hand(game, winner=0, by=organiser, tiles=BIG_THREE_DRAGONS)
            make_next_game(game, by=organiser)
        for user, count in ((VISITOR, 1), (make_member(), 2)):
            profile = player_profile(four[0], user)
            seen = (profile.leagues, profile.best_hands, profile.with_hands)
            assert [len(rows) for rows in seen] == [count] * 3
            assert len(profile.games) == profile.statistics.hands == 2 * count
            assert profile.statistics.limits == count


class TestStatistics:
    def test_statistics_of_a_profile_say_how_somebody_wins_and_loses(self, game, organiser):
        me, other = game.players[0], game.players[1]
        make_hand(game, winner=0, by=organiser, self_drawn=True)  # 70
        make_hand(game, winner=0, by=organiser, discarder=other.pk, tiles=BIG_THREE_DRAGONS)  # 500
        make_hand(game, winner=1, by=organiser, discarder=me.pk)
        make_hand(game, winner=2, by=organiser, discarder=other.pk)
        make_hand(game, by=organiser)
        numbers = player_profile(me, VISITOR).statistics
        assert (numbers.hands, numbers.games, numbers.wins) == (5, 1, 2)
        assert (numbers.self_drawn, numbers.discards, numbers.limits) == (1, 1, 1)
        assert numbers.average_win == 285
        assert numbers.win_share == 2 / 5
        assert numbers.self_drawn_share == 1 / 2
        assert numbers.discard_share == 1 / 3

    def test_shares_of_nothing_in_a_profile_are_none(self, game):
        numbers = player_profile(game.players[0], VISITOR).statistics
        shares = (numbers.win_share, numbers.self_drawn_share, numbers.discard_share)
        assert shares == (None, None, None)
        assert numbers.average_win is None


class TestBestHands:
    def test_best_hands_of_a_profile_are_those_of_the_hall_of_fame_also_without_tiles(
        self, game, organiser
    ):
        make_hand(game, winner=0, by=organiser)
        claimed = make_hand(
            game, winner=0, by=organiser, tiles="", claimed_limit="big_three_dragons"
        )
        later = make_hand(game, winner=0, by=organiser, tiles=BIG_THREE_DRAGONS)
        make_hand(game, winner=0, by=organiser, tiles="", claimed_final=490)
        make_hand(game, winner=1, by=organiser, tiles=BIG_THREE_DRAGONS)
        own = player_profile(game.players[0], VISITOR).best_hands
        assert [hand.final for hand in own] == [500, 500, 490]
        assert own[:2] == [claimed, later]
        assert {one.hand for one in best_hands(VISITOR)} == {claimed}


class TestGames:
    def test_games_of_a_profile_are_latest_first_with_the_place_they_brought(self, organiser):
        four = [make_player() for _place in range(4)]
        first = make_game(players=four)
        make_hand(first, winner=0, by=organiser)
        finish_game(first, by=organiser)
        Game.objects.filter(pk=first.pk).update(started_at=timezone.now() - timedelta(days=1))
        second = make_game(players=four)
        make_hand(second, winner=1, by=organiser)
        games = player_profile(four[0], VISITOR).games
        assert [game.game for game in games] == [second, first]
        assert [game.score_of(four[0]).total for game in games] == [-140, 420]
        assert [game.score_of(four[0]).rank for game in games] == [4, 1]


class TestPlayed:
    def test_leagues_that_somebody_played_in_are_listed_newest_first(self, organiser):
        four = [make_player() for _place in range(4)]
        new, old, none = (make_league(starts_on=date(year, 1, 1)) for year in (2022, 2021, 2023))
        for league in (old, new):
            make_hand(make_game(league=league, players=four), winner=0, by=organiser)
        make_game(league=none, players=four)
        assert player_profile(four[0], VISITOR).with_hands == [new, old]
        assert leagues_with_hands(four[0], VISITOR) == [new, old]


class TestRoll:
    def test_the_list_of_players_has_everybody_by_name_with_what_they_did(self, organiser):
        four = [make_player(name) for name in ("Di", "bo", "Ann", "Cy")]
        game = make_game(players=four)
        make_hand(game, winner=2, by=organiser)
        make_hand(game, by=organiser)
        listed = list(player_list(VISITOR))
        assert [player.name for player in listed] == ["Ann", "bo", "Cy", "Di"]
        ann = listed[0]
        assert (ann.games, ann.hands, ann.wins, ann.best_hand) == (1, 2, 1, 70)

    def test_a_visitor_is_given_the_players_of_public_leagues(self, organiser):
        hidden = make_league(visibility=League.Visibility.MEMBERS)
        both = [make_player() for _place in range(4)]
        for league in (make_league(), hidden):
            make_hand(make_game(league=league, players=both), winner=0, by=organiser)
        make_hand(make_game(league=hidden), winner=0, by=organiser)
        assert set(player_list(VISITOR)) == set(both)
        assert {player.hands for player in player_list(VISITOR)} == {1}
        assert player_list(make_member()).count() == 8
        assert {player.hands for player in player_list(make_member())} == {1, 2}


@pytest.mark.parametrize("count", [1, 3])
def test_a_profile_costs_as_many_queries_for_3_leagues_as_for_1(
    count, organiser, django_assert_num_queries
):
    four = [make_player() for _place in range(4)]
    for _league in range(count):
        game = make_game(players=four)
        make_hand(game, winner=0, by=organiser)
        finish_game(game, by=organiser)
    with django_assert_num_queries(9):
        player_profile(four[0], VISITOR)
