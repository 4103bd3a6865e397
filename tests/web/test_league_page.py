"""The leagues and their tables, now and as of an earlier day."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from scoring.models import Game, League
from scoring.models.days import club_day
from scoring.services.games import finish_game
from tests.factories import make_game, make_hand, make_league, make_member, make_next_game

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def shown(client, league, status=200, **query):
    response = client.get(league.get_absolute_url(), query)
    assert response.status_code == status
    return " ".join(response.content.decode().split())


class TestAllLeagues:
    def test_all_leagues_are_listed_as_running_to_come_and_over(self, client):
        today = club_day()
        make_league("Autumn", starts_on=today, ends_on=today)
        make_league("Winter", starts_on=today + timedelta(days=1))
        make_league("Summer", starts_on=date(2020, 6, 1), ends_on=date(2020, 8, 31))
        page = client.get(reverse("leagues")).content.decode()
        order = ["Running", "Autumn", "To come", "Winter", "Over", "Summer"]
        assert [page.index(f">{word}<") for word in order] == sorted(
            page.index(f">{word}<") for word in order
        )
        assert "1 June 2020 to 31 August 2020" in " ".join(page.split())

    def test_a_members_league_is_marked_and_hidden_from_visitors(self, client):
        make_league("Inner circle", visibility=League.Visibility.MEMBERS)
        page = client.get(reverse("leagues")).content.decode()
        assert "Inner circle" not in page
        assert "There is no league yet" in page
        client.force_login(make_member())
        page = client.get(reverse("leagues")).content.decode()
        assert "Inner circle" in page
        assert "members only" in page

    @pytest.mark.parametrize("count", [1, 3])
    def test_all_leagues_cost_a_fixed_number_of_queries(
        self, client, organiser, count, django_assert_num_queries
    ):
        for _league in range(count):
            game = make_game()
            make_hand(game, winner=0, by=organiser)
            make_next_game(game, by=organiser)
        # One more, however many leagues, if in one nobody has a rank: are its hands disputed?
        with django_assert_num_queries(2):
            client.get(reverse("leagues"))


class TestWhoSeesIt:
    def test_the_page_of_a_members_league_is_not_found_for_a_visitor(self, client):
        league = make_league(visibility=League.Visibility.MEMBERS)
        shown(client, league, status=404)
        client.force_login(make_member())
        shown(client, league)

    def test_a_league_that_never_was_is_not_found(self, client):
        assert client.get("/leagues/never/").status_code == 404


class TestTheTable:
    def test_the_table_of_a_league_ranks_points_and_figures(self, client, game, organiser):
        make_hand(game, winner=1, by=organiser)
        make_hand(game, by=organiser)
        response = client.get(game.league.get_absolute_url())
        rows = response.context["rows"]
        assert [(row.rank, row.points) for row in rows] == [(1, 280), (2, -70), (2, -70), (4, -140)]
        page = " ".join(response.content.decode().split())
        assert 'data-label="Points">+280</td>' in page
        assert "140.0" in page
        sums = [reverse("player_standing", args=[game.league.slug, row.player.pk]) for row in rows]
        assert all(f'<a href="{one}">' in page for one in sums)
        assert client.get(sums[0]).context["player_sum"].row == rows[0]
        assert "What the columns mean" in page

    def test_ones_own_row_of_the_table_is_marked(self, client, game, organiser):
        make_hand(game, winner=1, by=organiser)
        assert '<tr role="row" class="" aria-current="true">' not in shown(client, game.league)
        client.force_login(make_member(player=game.players[2]))
        page = shown(client, game.league)
        assert page.count('<tr role="row" class="" aria-current="true">') == 1
        row = page[page.index('<tr role="row" class="" aria-current="true">') :]
        assert game.players[2].name in row[: row.index("</tr>")]

    def test_the_table_of_an_empty_league_says_so(self, client):
        assert "No hand has been played yet" in shown(client, make_league())

    def test_the_table_of_a_league_shows_its_rules_and_dates(self, client):
        league = make_league(starts_on=date(2026, 1, 1), ends_on=date(2026, 6, 30))
        page = shown(client, league)
        assert f'href="{reverse("rules", args=["club"])}?version=1">Club, version 1</a>' in page
        assert "1 January 2026 to 30 June 2026" in page


class TestEarlierTable:
    @pytest.fixture
    def league(self, game, organiser):
        for day in (1, 2, 3):
            evening = make_game(league=game.league, players=game.players)
            make_hand(evening, winner=day, by=organiser)
            Game.objects.filter(pk=evening.pk).update(evening=date(2026, 3, day))
        League.objects.filter(pk=game.league.pk).update(starts_on=date(2026, 1, 1))
        return League.objects.get(pk=game.league.pk)

    def test_an_earlier_table_counts_what_had_been_played(self, client, game, league):
        response = client.get(league.get_absolute_url(), {"as_of": "2026-03-01"})
        rows = response.context["rows"]
        assert {row.player: row.points for row in rows} == {
            game.players[0]: -140,
            game.players[1]: 280,
            game.players[2]: -70,
            game.players[3]: -70,
        }
        page = " ".join(response.content.decode().split())
        assert "The table at the end of 1 March 2026" in page
        assert "As it stands now" in page
        winner = reverse("player_standing", args=[league.slug, game.players[1].pk])
        assert f'<a href="{winner}?as_of=2026-03-01">' in page
        assert "In play" not in page

    def test_the_table_of_the_last_day_is_the_table_of_now(self, client, league):
        rows = client.get(league.get_absolute_url()).context["rows"]
        later = client.get(league.get_absolute_url(), {"as_of": "2026-03-03"}).context["rows"]
        assert later == rows

    def test_a_day_to_come_is_refused(self, client, league):
        address, tomorrow = league.get_absolute_url(), club_day() + timedelta(days=1)
        response = client.get(address, {"as_of": tomorrow.isoformat()})
        assert "This day is still to come" in response.content.decode()

    def test_an_earlier_table_before_the_first_hand_is_empty(self, client, league):
        page = shown(client, league, as_of="2026-02-28")
        assert "By the end of 28 February 2026 no hand had been played" in page

    def test_an_earlier_table_without_a_day_is_the_table_of_now(self, client, league):
        assert "As it stands now" not in shown(client, league, as_of="")

    @pytest.mark.parametrize("nonsense", ["yesterday", "2026-02-30", "0", "2026-03-01T00:00"])
    def test_what_is_no_date_is_said_beside_the_field(self, client, league, nonsense):
        page = shown(client, league, status=422, as_of=nonsense)
        assert "This is no date: write year, month and day" in page
        assert "The table</h2>" in page

    @pytest.mark.parametrize("beyond", ["9999-12-31", "0001-01-01"])
    def test_a_day_that_no_calendar_of_a_club_has_is_refused(self, client, league, beyond):
        page = shown(client, league, status=422, as_of=beyond)
        assert "Give a day from the year 1900 to the year 2999." in page


class TestGames:
    def test_games_of_a_league_are_listed_open_and_finished(self, client, game, organiser):
        make_hand(game, winner=1, by=organiser)
        page = shown(client, game.league)
        assert "In play" in page
        assert "Latest games" not in page
        finish_game(game, by=organiser)
        page = shown(client, game.league)
        assert "In play" not in page
        assert f"{game.players[1]} won</a>" in page
        assert "one hand" in page

    def test_a_member_starts_one_while_the_league_runs(self, client, organiser):
        over = make_league(starts_on=date(2020, 1, 1), ends_on=date(2020, 2, 1))
        running = make_league()
        client.force_login(organiser)
        assert "Start a game" in shown(client, running)
        assert "Start a game" not in shown(client, over)


class TestQueries:
    """One literal number, whatever the size of the league."""

    @pytest.mark.parametrize("games", [1, 3, 15])
    def test_queries_of_the_table_now_are_few(
        self, client, organiser, games, django_assert_num_queries
    ):
        league = make_league()
        for _game in range(games):  # 60 players in the last case
            make_hand(make_game(league=league), winner=0, by=organiser)
        with django_assert_num_queries(8):
            shown(client, league)

    @pytest.mark.parametrize("games", [1, 3, 15])
    def test_queries_of_an_earlier_table_are_few(
        self, client, organiser, games, django_assert_num_queries
    ):
        league = make_league()
        for _game in range(games):
            make_hand(make_game(league=league), winner=0, by=organiser)
        with django_assert_num_queries(5):
            shown(client, league, as_of=club_day().isoformat())

    @pytest.mark.parametrize("games", [1, 3])
    def test_queries_of_the_league_page_of_a_member_are_few(
        self, client, organiser, games, django_assert_num_queries
    ):
        league = make_league()
        for _game in range(games):
            make_hand(make_game(league=league), winner=0, by=organiser)
        client.force_login(make_member())
        with django_assert_num_queries(10):
            shown(client, league)
