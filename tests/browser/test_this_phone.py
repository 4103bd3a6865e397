"""What a phone's owner switches: the hand it is held in, the marks in the corners of the tiles."""

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import TablePage
from tests.factories import make_game, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(phone, live_server):
    game = make_game()
    return TablePage(phone(player=game.players[0], width=360), live_server.url, game).open()


def left_of(page, selector):
    return page.locator(selector).bounding_box()["x"]


@pytest.mark.thorough
def test_left_handed_keys_stay_on_the_left(table):
    page = table.page
    assert left_of(page, "[data-save]") > 180
    page.get_by_label("Left-handed").check()
    for _visit in range(2):
        for key in ("[data-save]", "[data-back]", "[data-opens=limits]"):
            assert left_of(page, key) < 180, key
        table.open()
    table.seed_hand().says("70").save().saved("wins 70")


@pytest.mark.thorough
def test_corner_marks_go_and_come_back(table):
    page = table.page
    opacity = "getComputedStyle(document.documentElement).getPropertyValue('--tile-index-opacity')"
    assert page.evaluate(opacity) == "1"
    page.get_by_label("corner numbers").check()
    assert page.evaluate(opacity) == "0"
    page.goto(page.url.replace(f"games/{table.game.pk}/", "calculator/"))
    assert page.evaluate(opacity) == "0"
    table.open()
    page.get_by_label("corner numbers").uncheck()
    assert page.evaluate(opacity) == "1"


def test_nothing_moves_where_reduced_motion_is_asked_for(phone, live_server):
    game = make_game()
    page = phone(player=game.players[0], reduced_motion="reduce")
    TablePage(page, live_server.url, game).open()
    moving = """[...document.querySelectorAll("*")].filter(one => {
        const style = getComputedStyle(one);
        return [style.transitionDuration, style.animationDuration].some(
            time => time.split(",").some(part => parseFloat(part) > 0.001));
    }).length"""
    assert page.evaluate(moving) == 0


def test_large_letters_leave_everything_in_reach(phone, live_server):
    """A root of 32 px is text at 200 %."""
    game = make_game()
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    table.seed_hand().says("70").save().saved("wins 70")
    expect(page.locator("h1")).to_have_text("East round, hand 2")


@pytest.mark.parametrize("width", [360, 390])
def test_the_pad_is_one_screen(phone, live_server, width):
    """Seats, hand, keys, tiles, preview and Save, without scrolling, from 360 by 640 up."""
    names = ("Margaret Hill", "Margaret Ross", "Bartholomew", "Wen")
    game = make_game(players=list(map(make_player, names)))
    page = phone(player=game.players[0], width=width)
    page.set_viewport_size({"width": width, "height": 640})
    table = TablePage(page, live_server.url, game).open()
    table.seed_hand().says("70")
    bar = page.locator(".log__bar").bounding_box()
    assert page.evaluate("scrollY") == 0
    assert page.locator("h1").bounding_box()["y"] >= 0
    last = page.locator(".tilepad__tiles").bounding_box()
    assert last["y"] + last["height"] <= bar["y"] + 0.5
    assert bar["y"] + bar["height"] <= 640.5
