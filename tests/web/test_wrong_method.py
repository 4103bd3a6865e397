"""An address that only receives forms, opened in a browser, says so and leads on."""

import pytest
from django.test import Client

from tests.factories import make_member, make_organiser, make_player
from tests.web.every_page import every_address

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_an_address_that_only_takes_forms_says_so_and_leads_to_a_page(client, game):
    client.force_login(make_member(player=game.players[0]))
    for path in ("/sign-out/", f"/games/{game.pk}/preview/"):
        response = client.get(path)
        assert response.status_code == 405
        assert "only receives what a form sends" in response.content.decode()
        assert 'href=".."' in response.content.decode()


@pytest.mark.thorough
def test_every_address_without_a_page_of_its_own_leads_to_one():
    organiser = make_organiser(player=make_player("Ann"))
    client = Client()
    client.force_login(organiser)
    refused = [path for path in every_address(organiser) if client.get(path).status_code == 405]
    assert "/sign-out/" in refused
    assert any(path.endswith("/reopen/") for path in refused)
    for path in refused:
        response = client.get(path)
        assert "only receives what a form sends" in response.content.decode(), path
        assert "POST" in response["Allow"], path
        above = path.removesuffix("/").rpartition("/")[0] + "/"
        assert client.get(above).status_code == 200, path


def test_only_a_page_is_answered_with_a_page(client):
    assert client.delete("/players/").content == b""
    assert client.head("/language/").content == b""
