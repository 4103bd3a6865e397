"""A game from sitting down to the end, in a browser that runs no scripts."""

import pytest
from playwright.sync_api import expect

from scoring.models import Game, Hand
from tests.factories import make_game, make_league, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_game_is_started_without_scripts(phone, live_server):
    make_league()
    four = [make_player() for _seat in range(4)]
    page = phone(player=four[0], scripts=False)
    page.goto(f"{live_server.url}/games/new/")
    for seat, player in zip(("South", "West", "North"), four[1:], strict=True):
        page.get_by_label(seat, exact=True).select_option(label=player.name)
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")
    assert Game.objects.get().players == four


def test_a_hand_is_typed_previewed_and_saved_without_scripts(phone, live_server):
    game = make_game()
    page = phone(player=game.players[0], scripts=False)
    page.goto(f"{live_server.url}/games/{game.pk}/")
    expect(page.locator("[data-tile]").first).to_be_hidden()
    page.get_by_role("group", name="Who won?").locator("label").nth(1).click()
    page.get_by_role("group", name="Who discarded").locator("label").nth(0).click()
    page.get_by_label("Tiles", exact=True).fill("222B 345B 55B 222D GGG")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview")).to_contain_text("+280")
    assert not Hand.objects.exists()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_have_text("East round, hand 2")
    expect(page.locator("[data-messages]")).to_contain_text("wins 70")
    assert Hand.objects.get().discarder == game.players[0]


@pytest.mark.parametrize(
    ("enter", "final", "limit"),
    [
        (lambda page: page.get_by_label("Final score").fill("120"), 120, ""),
        (
            lambda page: page.locator("#id_claimed_limit").select_option("nine_gates"),
            500,
            "nine_gates",
        ),
    ],
)
def test_a_score_is_entered_without_scripts(phone, live_server, enter, final, limit):
    game = make_game()
    page = phone(player=game.players[0], scripts=False)
    page.goto(f"{live_server.url}/games/{game.pk}/")
    page.get_by_role("group", name="Who won?").locator("label").nth(1).click()
    page.get_by_role("group", name="Who discarded").locator("label").nth(5).click()
    enter(page)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-messages]")).to_contain_text(f"wins {final}")
    hand = Hand.objects.get()
    assert (hand.final, hand.claimed_limit, hand.discarder) == (final, limit, None)


def test_a_game_is_ended_without_scripts(phone, live_server):
    game = make_game()
    page = phone(player=game.players[0], scripts=False)
    page.goto(f"{live_server.url}/games/{game.pk}/")
    page.get_by_role("link", name="End the game").click()
    page.get_by_role("button", name="End the game").click()
    expect(page.locator("h1")).to_have_text("The game is over")
