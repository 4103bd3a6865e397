"""While the scripts of a page are still on their way, no tap is taken and lost."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.factories import make_hand, make_organiser
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("name", ["game", "correct_hand"])
def test_the_seats_wait_for_their_script(name, phone, live_server, game):
    hand = make_hand(game, winner=None, by=make_organiser())
    page = phone(player=game.players[0], width=360)
    held = []
    page.route("**/winner_row*.js", lambda route: held.append(route))  # noqa: PLW0108 (it asks for attributes)
    address = reverse(name, args=[game.pk if name == "game" else hand.pk])
    page.goto(live_server.url + address, wait_until="commit")
    wait_until(page, lambda: held, "The script was not asked for.")
    seats = page.locator("[data-seats-row]")
    expect(seats).to_have_attribute("inert", "")
    held[0].continue_()
    expect(seats).not_to_have_attribute("inert", "")
    page.locator("[data-seat] >> nth=1").click()
    expect(page.locator("[data-seat] >> nth=1")).to_have_attribute("aria-pressed", "true")
