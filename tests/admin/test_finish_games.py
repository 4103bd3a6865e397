"""Ending games from the organisers' desk: asked first, then by the same service as at the table."""

import pytest

from scoring.models import Game, Rating
from scoring.services.games import finish_game
from tests.admin.addresses import address, words
from tests.admin.conftest import signed_in
from tests.factories import make_game, make_hand

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(organiser):
    games = [make_game(by=organiser), make_game(by=organiser)]
    for game in games:
        make_hand(game, winner=1, by=organiser)
    return games


def sent(games, **more):
    return {"action": "finish", "_selected_action": [game.pk for game in games], **more}


def test_ending_games_at_the_desk_asks_first(desk, games):
    page = desk.post(address(Game), sent(games))
    assert page.status_code == 200
    assert "These games end where they stand" in words(page)
    for player in games[0].players:
        assert player.name in words(page)
    assert Game.objects.open().count() == 2


def test_the_games_end_and_their_players_are_rated(desk, games):
    page = desk.post(address(Game), sent(games, sure="yes"), follow=True)
    assert "2 games ended." in words(page)
    assert not Game.objects.open().exists()
    assert Rating.objects.count() == 8
    assert "Changed" in words(desk.get(address(Game, "history", games[0].pk)))


def test_a_game_that_is_over_is_named_and_left_as_it_is(desk, games, organiser):
    over = finish_game(games[0], by=organiser)
    page = words(desk.post(address(Game), sent(games, sure="yes"), follow=True))
    assert "This game is over already." in page
    assert "1 game ended." in page
    assert Game.objects.get(pk=over.pk).finished_at == over.finished_at


def test_staff_who_are_no_organisers_cannot_end_games(organiser, games):
    organiser.groups.clear()
    organiser.user_permissions.set(
        permission
        for group in organiser.groups.model.objects.filter(name="Organisers")
        for permission in group.permissions.exclude(codename="organise_club")
    )
    client = signed_in(organiser)
    assert client.get(address(Game)).status_code == 200
    client.post(address(Game), sent(games, sure="yes"))
    assert Game.objects.open().count() == 2
