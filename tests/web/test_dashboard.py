"""The home page: what is going on, for visitors, members and a club that begins."""

import pytest
from django.urls import reverse

from scoring.models import League
from scoring.queries import dashboard as home
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_next_game,
    make_player,
)

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def shown(client):
    response = client.get("/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_member_reads_how_many_tables_are_in_play_not_how_many_are_listed(client, monkeypatch):
    monkeypatch.setattr(home, "TABLES", 2)
    for _table in range(4):
        make_game()
    client.force_login(make_member())
    page = shown(client)
    assert "4 tables are in play." in page
    assert "More tables are in play" in page


def test_who_sits_at_many_tables_is_not_told_that_no_other_is_in_play(client, monkeypatch):
    monkeypatch.setattr(home, "TABLES", 2)
    member = make_member(player=make_player())
    for _table in range(2):
        make_game(players=[member.player, make_player(), make_player(), make_player()])
    make_game()
    client.force_login(member)
    page = shown(client)
    assert "No other table is in play." not in page
    assert "More tables are in play" in page


class TestVisitor:
    def test_a_visitor_reads_what_the_site_is_and_is_offered_the_calculator(self, client, settings):
        settings.SITE_NAME = "Dragons of Delft"
        make_game()
        page = shown(client)
        assert "<h1>Dragons of Delft</h1>" in page
        assert "We play Mah Jongg and keep every hand" in page
        assert reverse("calculator") in page
        assert reverse("new_game") not in page

    def test_a_visitor_watches_the_tables_in_play(self, client, organiser):
        game = make_game()
        make_hand(game, winner=1, by=organiser)
        page = shown(client)
        assert f'href="{game.get_absolute_url()}"' in page
        assert "East round, hand 2" in page
        assert f"{game.players[1]} deals" in page
        assert f"{game.players[1]} leads:" in page
        assert f"{game.players[1]} won 70." in page

    def test_a_visitor_sees_nothing_of_a_members_league(self, client, organiser):
        league = make_league("Inner circle", visibility=League.Visibility.MEMBERS)
        make_hand(make_game(league=league), winner=0, by=organiser)
        assert "Inner circle" not in shown(client)
        client.force_login(make_member())
        assert "Inner circle" in shown(client)


class TestMember:
    def test_a_member_finds_the_own_table_first_with_one_big_button(self, client, organiser):
        member = make_member(player=make_player("Ann"))
        game = make_game(players=[make_player(), member.player, make_player(), make_player()])
        make_hand(game, winner=0, by=organiser)
        make_game()
        client.force_login(member)
        page = shown(client)
        assert page.index("Your table") < page.index("Other tables in play")
        assert "Log hand 2" in page
        assert page.count("Log hand") == 1

    def test_a_member_starts_a_game_where_a_league_runs(self, client):
        client.force_login(make_member())
        assert reverse("new_game") not in shown(client)
        make_league()
        assert reverse("new_game") in shown(client)


class TestLatestHands:
    def test_latest_hands_say_who_won_how_much_off_whom(self, client, organiser):
        game = make_game()
        hand = make_hand(game, winner=2, by=organiser, discarder=game.players[0].pk)
        page = shown(client)
        assert f'<a href="{hand.get_absolute_url()}">{game.players[2]} wins 70</a>' in page
        assert f"on {game.players[0]}’s discard" in page
        assert "just now" in page
        assert 'aria-label="Green dragon, Green dragon, Green dragon"' in page

    def test_a_drawn_and_an_unchecked_hand_say_so_on_the_dashboard(self, client, organiser):
        game = make_game()
        make_hand(game, by=organiser)
        make_hand(game, winner=0, by=organiser, tiles="", claimed_final=120)
        page = shown(client)
        assert "Drawn hand" in page
        assert "not checked" in page


class TestLeagues:
    def test_leagues_on_the_dashboard_show_their_first_three(self, client, organiser):
        game = make_game()
        make_hand(game, winner=3, by=organiser)
        page = shown(client)
        assert f'href="{game.league.get_absolute_url()}"' in page
        assert f">{game.players[3]}</a> <span class=" in page
        assert "+280" in page


class TestNewClub:
    def test_a_new_club_says_that_nobody_runs_it_yet(self, client):
        page = shown(client)
        assert "manage.py createsuperuser" in page
        assert "Nobody is on the list yet." in page

    def test_a_visitor_of_a_club_that_somebody_runs_gets_no_homework(self, client, organiser):
        page = shown(client)
        assert "The club has not played yet" in page
        assert "createsuperuser" not in page

    def test_the_organiser_of_a_new_club_reads_what_comes_next(self, client, django_user_model):
        client.force_login(django_user_model.objects.create_superuser("root", password=None))
        for _player in range(4):
            make_player()
        page = shown(client)
        assert "createsuperuser" not in page
        assert page.count(" done</span>") == 2
        assert "Start the first game" not in page
        make_league()
        page = shown(client)
        assert page.count(" done</span>") == 3
        assert "Start the first game" in page


@pytest.mark.parametrize("count", [1, 3])
class TestQueries:
    """The same number of queries, however much is going on; one more if in a league nobody has a rank."""

    def two_games(self, game, by):
        make_hand(game, winner=0, by=by)
        make_next_game(game, by=by)

    def test_queries_of_the_dashboard_of_a_visitor_are_few(
        self, client, organiser, count, django_assert_num_queries
    ):
        for _game in range(count):
            self.two_games(make_game(), organiser)
        with django_assert_num_queries(8):
            shown(client)

    def test_queries_of_the_dashboard_of_a_member_at_a_table_are_few(
        self, client, organiser, count, django_assert_num_queries
    ):
        member = make_member(player=make_player())
        for _game in range(count):
            others = [make_player() for _place in range(3)]
            self.two_games(make_game(players=[member.player, *others]), organiser)
            self.two_games(make_game(), organiser)
        client.force_login(member)
        with django_assert_num_queries(12):
            shown(client)
