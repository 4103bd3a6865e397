"""The players of the club, and the page of each."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from scoring.models import Game, Hand, League, club_day
from scoring.services.games import finish_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
)
from tests.support.pages import read

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def page_of(client, player, status=200):
    return read(client.get(player.get_absolute_url()), status)


class TestWhoSeesWhom:
    def test_a_visitor_opens_the_page_of_a_player_of_a_public_league(self, client, game):
        page_of(client, game.players[0])

    def test_players_of_members_leagues_are_seen_by_members(self, client):
        hidden = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
        page_of(client, hidden.players[0], status=404)
        client.force_login(make_member())
        page_of(client, hidden.players[0])

    def test_somebody_who_never_was_is_not_found(self, client):
        assert client.get("/players/999999/").status_code == 404


class TestAPlayer:
    def test_a_player_without_a_hand_has_a_page(self, client, game):
        page = page_of(client, game.players[0])
        assert "No hand played yet" in page
        assert "On our list since" in page

    def test_the_page_of_a_player_shows_how_they_win(self, client, game, organiser):
        make_hand(game, winner=0, by=organiser, self_drawn=True)
        make_hand(game, winner=1, by=organiser, discarder=game.players[0].pk)
        page = page_of(client, game.players[0])
        assert "50%" in page
        assert "100%" in page
        assert "Discarded a winning tile" in page

    def test_the_page_of_a_player_begins_with_the_league_of_the_latest_game(
        self, client, game, organiser
    ):
        make_hand(game, winner=0, by=organiser)
        later = make_league("Begun later", starts_on=club_day())
        League.objects.filter(pk=game.league_id).update(starts_on=date(2020, 1, 1))
        other = make_game(league=later, players=game.players)
        make_hand(other, winner=1, by=organiser)
        Game.objects.filter(pk=other.pk).update(started_at=game.started_at - timedelta(hours=1))
        response = client.get(game.players[0].get_absolute_url())
        assert response.context["league"] == game.league

    def test_the_page_of_a_player_shows_the_rank_in_the_league(self, client, game, organiser):
        make_hand(game, winner=0, by=organiser)
        page = page_of(client, game.players[0])
        assert f'href="{game.league.get_absolute_url()}"' in page
        assert "1 of 4" in page
        assert "+420" in page

    def test_the_page_of_a_player_shows_the_best_hands_with_their_tiles(
        self, client, game, organiser
    ):
        hand = make_hand(game, winner=0, by=organiser, discarder=game.players[2].pk)
        page = page_of(client, game.players[0])
        assert f'<a href="{hand.get_absolute_url()}">70</a>' in page
        assert f"on {game.players[2]}’s discard" in page
        assert 'aria-label="Green dragon"' in page

    def test_the_page_of_a_player_shows_a_best_hand_that_was_entered_without_its_tiles(
        self, client, game
    ):
        make_hand(game, winner=0, tiles="", claimed_limit="big_three_dragons")
        card = page_of(client, game.players[0]).split('id="best-hand-title"')[1]
        assert "Big Three Dragons" in card
        assert "not checked" in card

    def test_a_disputed_hand_is_not_left_out_without_a_word(self, client, game):
        make_hand(game, winner=0)
        hand = make_hand(game, winner=1)
        Hand.objects.filter(pk=hand.pk).update(status=Hand.Status.DISPUTED)
        for page in (game.players[0], game.league, game):
            assert "One hand is disputed: its points count" in page_of(client, page)

    def test_thirteen_orphans_is_shown_without_sets(self, client, game, organiser):
        orphans = "19B 19C 19D ESWN RG Wh Wh"
        make_hand(game, winner=0, by=organiser, tiles=orphans)
        page = page_of(client, game.players[0])
        assert "Thirteen Orphans" in page
        assert "#t-Wh" in page

    def test_the_page_of_a_player_shows_games_with_their_result(self, client, game, organiser):
        make_hand(game, winner=1, by=organiser)
        assert "in play" in page_of(client, game.players[0])
        finish_game(game, by=organiser)
        page = page_of(client, game.players[0])
        assert "in play" not in page
        assert "place 4" in page

    def test_the_page_of_a_player_shows_points_and_rating_in_pictures_and_in_words(
        self, client, game, organiser
    ):
        make_hand(game, winner=0, by=organiser)
        page = page_of(client, game.players[0])
        assert f'<desc id="points-desc">{game.players[0]} +420</desc>' in page
        assert 'id="rating-desc"' not in page
        finish_game(game, by=organiser)
        page = page_of(client, game.players[0])
        assert " now, most probably between " in page

    def test_pictures_of_a_player_are_offered_for_each_league_in_which_a_hand_counts(
        self, client, game, organiser
    ):
        make_hand(game, winner=0, by=organiser)
        assert 'id="pictures-league"' not in page_of(client, game.players[0])
        second = make_game(league=make_league(), players=game.players, by=organiser)
        make_hand(second, winner=0, by=organiser)
        choices = page_of(client, game.players[0]).split('id="pictures-league"')[1]
        for league in (game.league, second.league):
            assert f">{league}</option>" in choices

    def test_who_left_is_still_shown(self, client, game):
        player = game.players[0]
        player.active = False
        player.save()
        assert "No longer plays here" in page_of(client, player)


class TestEverybody:
    def test_everybody_is_listed_by_name_with_what_they_played(self, client, game, organiser):
        make_hand(game, winner=0, by=organiser)
        page = read(client.get(reverse("players")))
        for player in game.players:
            assert f'href="{player.get_absolute_url()}"' in page

    def test_the_list_of_players_of_a_new_club_is_empty(self, client):
        assert "There are no players yet" in read(client.get(reverse("players")))

    def test_everybody_is_found_by_a_part_of_the_name(self, client, organiser):
        make_player("Maximiliane")
        make_player("Bo")
        client.force_login(organiser)
        page = read(client.get(reverse("players"), {"q": "imil"}))
        assert "Maximiliane" in page
        assert ">Bo<" not in page
        assert "No player with that name" in read(client.get(reverse("players"), {"q": "zz"}))

    def test_a_long_list_is_paged_and_keeps_what_was_looked_for(self, client, organiser):
        for number in range(60):
            make_player(f"Player of the long list {number:02}")
        client.force_login(organiser)
        page = read(client.get(reverse("players"), {"q": "long"}))
        assert "Page 1 of 2" in page
        assert "q=long" in page
        assert "list 59" in read(client.get(reverse("players"), {"q": "long", "page": 2}))
        # A page that never was is the last one, not an error.
        assert "list 59" in read(client.get(reverse("players"), {"q": "long", "page": 99}))
        assert "list 00" in read(client.get(reverse("players"), {"q": "long", "page": "x"}))


class TestMe:
    def test_the_address_of_ones_own_page_leads_to_it(self, client, game):
        client.force_login(make_member(player=game.players[0]))
        assert client.get(reverse("me")).url == game.players[0].get_absolute_url()

    def test_an_account_that_does_not_play_gets_the_page_of_the_account(self, client, organiser):
        client.force_login(organiser)
        assert client.get(reverse("me")).url == reverse("account")

    def test_a_visitor_who_asks_for_their_own_page_signs_in_first(self, client):
        assert client.get(reverse("me")).url.startswith(reverse("sign_in"))


@pytest.mark.parametrize("count", [1, 3])
class TestQueries:
    """The same number of queries for much and for little."""

    def test_queries_of_the_page_of_a_player_are_few(
        self, client, organiser, count, django_assert_num_queries
    ):
        four = [make_player() for _place in range(4)]
        for _game in range(count):
            game = make_game(players=four)
            for _hand in range(count):
                make_hand(game, winner=0, by=organiser)
            finish_game(game, by=organiser)
        with django_assert_num_queries(13):
            page_of(client, four[0])

    def test_queries_of_the_list_of_players_are_few(
        self, client, organiser, count, django_assert_num_queries
    ):
        for _game in range(count):
            make_hand(make_game(), winner=0, by=organiser)
        with django_assert_num_queries(2):
            client.get(reverse("players"))
