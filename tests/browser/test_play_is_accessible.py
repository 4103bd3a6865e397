"""The pages of play for everyone: no violation that axe finds, and the keyboard alone is enough."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.table_page import TablePage
from tests.factories import make_game, make_hand

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=[360, 1280])
def page(request, phone, game):
    """A page for somebody who sits at ``game``, on a phone and on a desk."""
    return phone(player=game.players[0], width=request.param)


@pytest.fixture
def game():
    """A game with a win, a draw and a score without tiles; one name is very long."""
    game = make_game()
    game.players[1].name = "Maximiliane Wolkenstein-Trostburg zu Hohenems"
    game.players[1].save()
    make_hand(game, winner=1, tiles="222B* 345B 55B 222D GGG")
    make_hand(game)
    make_hand(game, winner=1, tiles="", claimed_final=120)
    return game


def test_the_pad_while_it_is_used(page, live_server, game, expect_status):
    expect_status(422)
    table = TablePage(page, live_server.url, game).open()
    for panel in ("limits", "score"):
        table.tap(f"[data-opens={panel}]")
        assert violations(page) == [], panel
        page.keyboard.press("Escape")
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B").says("a pair")
    table.tap("[data-group='0']")
    turns = "A tap turns it open or concealed, Delete takes it away"
    assert page.locator("[data-group='0']").get_attribute("aria-description") == turns
    assert violations(page) == []
    table.tiles("5B").says("70")
    assert violations(page) == []
    table.draw().says("Draw")
    assert violations(page) == []
    table.seat(1)
    page.locator("#id_tiles").fill("222B 34X")
    table.save()
    expect(page.locator(".error-summary")).to_be_visible()
    assert violations(page) == []


def test_hands_that_wait_on_the_phone(page, live_server, game, expect_status):
    expect_status(0)
    table = TablePage(page, live_server.url, game).open()
    page.context.set_offline(True)
    table.draw().says("No network").save().waits("No network. 1 hand waits on this phone.")
    table.waiting.locator("summary").click()
    expect(table.waiting.get_by_text("waiting for the network")).to_be_visible()
    assert violations(page) == []


def test_what_is_tapped_is_44_pixels_high_and_wide(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    TablePage(page, live_server.url, game).open().tiles("2B")
    targets = page.locator("#log-form :is(button, .who__cell, .tilepad__key, summary):visible")
    for target in targets.all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 43.9, target.inner_html()[:80]


def test_the_keyboard_alone_logs_a_hand(phone, live_server, game):
    page = phone(player=game.players[0], width=1280)
    TablePage(page, live_server.url, game).open()
    keys = page.keyboard
    page.locator("[data-seat]").nth(1).focus()
    keys.press("Enter")
    keys.press("Shift+Tab")  # who discarded
    keys.press("Space")
    for _stop in ("South", "West", "North", "drawn", "the keys", "the score", "the tiles"):
        keys.press("Tab")
    for key in ("ArrowRight", "Enter", "ArrowDown", "ArrowDown", "Enter"):
        keys.press(key)
    assert page.locator("#id_tiles").input_value() == "222B 222D"
    keys.press("Tab")
    keys.press("End")
    keys.type(" GGG 345B 55B")
    expect(page.locator("#preview")).to_contain_text("70")
    keys.press("Enter")
    expect(page.locator("#saved")).to_contain_text("Hand 4")
    expect(page.locator("#saved")).to_be_focused()


def test_tiles_are_spoken_by_name(phone, live_server, game):
    page = phone(player=game.players[0])
    TablePage(page, live_server.url, game).open()
    for name in ("2 of Bamboo", "7 of Characters", "9 of Dots", "East wind", "White dragon"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
