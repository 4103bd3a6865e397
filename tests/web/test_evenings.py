"""The evenings of a league, and closing one, on their pages."""

import re

import pytest
from django.urls import reverse

from scoring.models import EveningClosure, League
from scoring.services.confirmations import dispute_hand
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import void_hand
from tests.factories import make_game, make_hand, make_member, make_organiser
from tests.support.pages import text

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def game():
    game = make_game()
    make_hand(game, winner=1)
    return game


@pytest.fixture
def organiser(client):
    client.force_login(make_organiser())
    return client


def address(game, name="evening"):
    return reverse(name, args=[game.league.slug, game.evening])


def test_the_list_of_evenings_names_what_is_still_open(client, game):
    shown = text(client.get(reverse("evenings", args=[game.league.slug])))
    assert address(game) in shown
    assert "1 in play" in shown


def test_an_evening_with_a_disputed_hand_offers_no_closing(client, game):
    organiser = make_organiser()
    dispute_hand(game.hands.get(), by=organiser, player=game.players[0])
    shown = text(client.get(address(game)))
    assert "Disputed hands" in shown
    assert "Close the evening" not in shown


def test_hands_declared_void_are_not_among_those_played(client, game):
    organiser = make_organiser()
    void_hand(make_hand(game, by=organiser), by=organiser, reason="The wall was short")
    make_hand(game, winner=2, by=organiser)
    finish_game(game, by=organiser)
    for page in (address(game), game.league.get_absolute_url(), game.players[0].get_absolute_url()):
        shown = text(client.get(page))
        assert re.search(r"\b2 hands", shown), page
        assert not re.search(r"\b3 hands", shown), page


def test_an_organiser_closes_an_evening_on_its_page_and_opens_it_again(organiser, game):
    assert "1 game is still in play" in text(organiser.get(address(game)))
    shown = text(organiser.post(address(game, "close_evening"), follow=True))
    assert "This evening is closed" in shown
    game.refresh_from_db()
    assert game.finished
    response = organiser.post(address(game, "reopen_evening"), {"reason": ""})
    assert response.status_code == 422
    shown = text(organiser.post(address(game, "reopen_evening"), {"reason": "A slip"}, follow=True))
    assert "This evening is open" in shown
    assert "A slip" in shown


def test_an_evening_whose_games_were_over_says_that_they_stay_so(organiser, game):
    finish_game(game, by=make_organiser())
    shown = text(organiser.post(address(game, "close_evening"), follow=True))
    assert "Its games stay over. Players can correct their hands again." in shown
    assert "0 games" not in shown


def test_an_evening_that_was_closed_again_is_not_opened_by_the_form_of_before(organiser, game):
    boss = make_organiser()
    close_evening(game.league, game.evening, by=boss)
    evening = organiser.get(address(game))
    sent = {"reason": "A slip", "key": evening.context["form"]["key"].value()}
    assert f'name="key" value="{sent["key"]}"' in text(evening)
    organiser.post(address(game, "reopen_evening"), sent)
    close_evening(game.league, game.evening, by=boss)
    again = text(organiser.post(address(game, "reopen_evening"), sent, follow=True))
    assert "This form was sent before, and was carried out then." in again
    assert "This evening is closed" in again


@pytest.mark.parametrize("name", ["close_evening", "reopen_evening"])
def test_a_player_does_not_close_an_evening(client, game, name):
    client.force_login(make_member(player=game.players[0]))
    refused = client.post(address(game, name), {"reason": "Home"})
    assert refused.status_code == 403
    assert "Only organisers of the club may do this." in text(refused)


def test_a_player_of_a_closed_evening_is_offered_no_form(client, organiser, game):
    organiser.post(address(game, "close_evening"))
    client.force_login(make_member(player=game.players[0]))
    hand = game.hands.get()
    assert reverse("correct_hand", args=[hand.pk]) not in text(client.get(hand.get_absolute_url()))
    response = client.get(reverse("correct_hand", args=[hand.pk]))
    assert response.status_code == 403


@pytest.mark.parametrize("day", ["2020-01-01", "2020-02-31", "x"])
def test_a_day_without_a_game_has_no_page(client, game, day):
    assert client.get(f"/leagues/{game.league.slug}/evenings/{day}/").status_code == 404


@pytest.mark.parametrize("games", [1, 3])
def test_an_evening_costs_the_same_queries_for_any_number_of_games(
    client, game, games, django_assert_num_queries
):
    for _game in range(games - 1):
        make_hand(make_game(league=game.league, players=game.players), winner=1)
    page = address(game)
    with django_assert_num_queries(10):
        client.get(page)


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_evening_of_a_closed_season_is_not_closed(organiser, game, method):
    League.objects.update(ends_on=game.evening, closed_on=game.evening)
    answer = getattr(organiser, method)(address(game, "close_evening"))
    assert answer.status_code == 403
    assert "This season is closed: an organiser can open it again." in text(answer)
    assert not EveningClosure.objects.exists()
