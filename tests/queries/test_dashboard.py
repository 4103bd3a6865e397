"""What the home page tells: tables in play, latest hands, leagues, and the first steps."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, Permission

from scoring.models import League
from scoring.models.days import club_day
from scoring.queries import dashboard as home
from scoring.queries.dashboard import dashboard
from scoring.services.games import finish_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
)

pytestmark = pytest.mark.django_db

VISITOR = AnonymousUser()


def games(tables):
    return [table.game for table in tables]


class TestTables:
    def test_tables_in_play_are_shown_with_leader_and_last_hand(self, organiser):
        game = make_game()
        make_hand(game, by=organiser)
        last = make_hand(game, winner=1, by=organiser)
        (table,) = dashboard(VISITOR).tables
        assert table.game == game
        assert table.last == last
        assert table.hands == 2
        assert table.dealer == game.players[1]
        assert [(score.player, score.total) for score in table.leaders] == [(game.players[1], 280)]
        assert table.leading == game.players[1].name

    def test_nobody_leads_before_somebody_won(self, organiser):
        make_hand(make_game(), by=organiser)
        (table,) = dashboard(VISITOR).tables
        assert table.leaders == []

    def test_a_finished_game_is_not_in_play(self, organiser):
        game = make_game()
        finish_game(game, by=organiser)
        assert dashboard(VISITOR).tables == []

    def test_ones_own_tables_stand_apart_on_the_dashboard(self):
        member = make_member(player=make_player())
        own = make_game(players=[make_player(), make_player(), member.player, make_player()])
        other = make_game()
        now = dashboard(member)
        assert (games(now.own), games(now.tables)) == ([own], [other])
        assert games(dashboard(VISITOR).tables) == [other, own]

    def test_a_long_list_never_hides_the_own_table(self, monkeypatch):
        monkeypatch.setattr(home, "TABLES", 2)
        member = make_member(player=make_player())
        own = make_game(players=[member.player, make_player(), make_player(), make_player()])
        for _game in range(3):
            make_game()
        now = dashboard(member)
        assert games(now.own) == [own]
        assert len(now.tables) == 1
        assert (now.more_tables, now.in_play) == (True, 4)

    def test_a_short_list_hides_nothing(self):
        make_game()
        assert not dashboard(VISITOR).more_tables

    def test_members_leagues_are_for_members(self, organiser):
        game = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
        make_hand(game, winner=0, by=organiser)
        now = dashboard(VISITOR)
        assert (now.tables, now.hands, now.leagues) == ([], [], [])
        now = dashboard(make_member())
        assert games(now.tables) == [game]
        assert len(now.hands) == len(now.leagues) == 1


class TestLatestHands:
    def test_latest_hands_are_a_few_newest_first(self, organiser, monkeypatch):
        monkeypatch.setattr(home, "HANDS", 2)
        game = make_game()
        made = [make_hand(game, winner=0, by=organiser) for _hand in range(3)]
        assert dashboard(VISITOR).hands == [made[2], made[1]]

    def test_what_was_corrected_away_is_not_shown(self, organiser):
        hand = make_hand(make_game(), winner=0, by=organiser)
        hand.status = hand.Status.VOID
        hand.save()
        assert dashboard(VISITOR).hands == []


class TestLeagues:
    def test_leagues_that_run_are_shown_with_their_first_three(self, organiser):
        league = make_league()
        game = make_game(league=league)
        make_hand(game, winner=1, by=organiser)
        (top,) = dashboard(VISITOR).leagues
        assert top.league == league
        assert [(line.rank, line.row.points) for line in top.first] == [
            (1, 280),
            (2, -70),
            (2, -70),
        ]

    def test_what_is_over_or_to_come_is_left_to_the_leagues_page(self):
        today = club_day()
        make_league(starts_on=today + timedelta(days=1))
        make_league(starts_on=today - timedelta(days=9), ends_on=today - timedelta(days=1))
        assert dashboard(VISITOR).leagues == []


class TestFirstSteps:
    def test_an_empty_club_has_everything_to_do(self):
        steps = dashboard(VISITOR).first_steps
        assert (steps.organiser, steps.players, steps.league) == (False, 0, False)
        assert not steps.enough_players

    def test_what_is_done_is_seen(self, organiser):
        make_league()
        for _player in range(4):
            make_player()
        steps = dashboard(VISITOR).first_steps
        assert steps.organiser
        assert steps.enough_players
        assert steps.league

    def test_a_superuser_is_an_organiser(self, django_user_model):
        django_user_model.objects.create_superuser("root", password=None)
        assert dashboard(VISITOR).first_steps.organiser

    def test_whoever_was_given_the_permission_is_an_organiser(self, django_user_model):
        may = Permission.objects.get(codename="organise_club")
        django_user_model.objects.create_user("ada").user_permissions.add(may)
        assert dashboard(VISITOR).first_steps.organiser

    def test_first_steps_are_over_once_somebody_sat_down(self):
        make_game()
        assert dashboard(VISITOR).first_steps is None

    def test_a_club_that_plays_for_members_only_is_no_new_club(self, organiser):
        game = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
        make_hand(game, by=organiser)
        assert dashboard(VISITOR).first_steps is None


@pytest.mark.parametrize("count", [1, 3])
def test_the_dashboard_costs_as_many_queries_for_3_tables_as_for_1(
    count, organiser, django_assert_num_queries
):
    for _game in range(count):
        make_hand(make_game(), winner=0, by=organiser)
    with django_assert_num_queries(8):
        dashboard(VISITOR)
