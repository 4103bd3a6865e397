"""The pages of play for everyone: no violation that axe finds, and the keyboard alone is enough."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import BROKEN_RULES, violations
from tests.browser.table_page import TablePage
from tests.factories import make_game, make_hand

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=[360, pytest.param(1280, marks=pytest.mark.thorough)])
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


def test_the_pad_is_accessible_while_it_is_used(page, live_server, game, expect_status):
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
    page.emulate_media(contrast="more")
    assert page.evaluate(BROKEN_RULES, [MORE_CONTRAST, None]) == []
    page.emulate_media(contrast="no-preference")
    table.draw().says("Draw")
    assert violations(page) == []
    table.seat(1)
    page.locator("#id_tiles").fill("222B 34X")
    table.save()
    expect(page.locator(".error-summary")).to_be_visible()
    assert violations(page) == []


# Seven to one, for who asks for more contrast.
MORE_CONTRAST = {
    "runOnly": ["color-contrast-enhanced"],
    "rules": {"color-contrast-enhanced": {"enabled": True}},
}
# What each live region says, as often as it says it.
LISTEN = """
() => {
  window.heard = [];
  const region = ({ target }) =>
    (target.closest ? target : target.parentElement)?.closest(":is([aria-live=polite], [role=status]):not([aria-live=off])");
  new MutationObserver((changes) => {
    const spoken = [...new Set(changes.map(region))].filter(Boolean).map((one) => one.textContent);
    window.heard.push(...spoken.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean));
  }).observe(document.querySelector("#log"), { childList: true, characterData: true, subtree: true });
}
"""


def test_what_a_tap_adds_and_takes_away_is_said_once(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open().won(1, 0).says("four sets and a pair")
    page.evaluate(LISTEN)

    def heard():
        return page.evaluate("heard.splice(0)")

    table.tiles("2B").says("three more sets")
    assert heard() == ["Pung, 2 of Bamboo", "Still needed: three more sets and a pair."]
    table.tiles("2B").tap("[data-back]").tap("[data-back]").says("four sets and a pair")
    spoken = heard()
    assert spoken[0] == "Kong, 2 of Bamboo"
    assert spoken.count("Taken away: Pung, 2 of Bamboo") == 1
    table.tiles("2B", "2D", "G").key("chow").tiles("3B", "5B").says("70")
    assert "Pair, 5 of Bamboo" in heard()
    table.save()
    expect(page.locator("#saved")).to_be_focused()
    assert heard() == []  # the focus says what was saved
    expect(page.locator("[data-announcement]")).to_be_empty()


def test_the_key_that_is_on_is_seen_in_forced_colours(phone, live_server, game):
    page = phone(player=game.players[0], width=360, forced_colors="active")
    TablePage(page, live_server.url, game).open().seat(1)
    ground = "element => getComputedStyle(element).backgroundColor"
    for on, off in (
        (".tilepad__key :checked + span", ".tilepad__key :not(:checked) + span"),
        ("[data-role=won]", "[data-seat]:not([data-role=won])"),
    ):
        assert page.locator(on).evaluate(ground) != page.locator(off).first.evaluate(ground)


def test_names_the_hand_and_two_rows_of_tiles_are_in_view(phone, live_server, game):
    """On a phone held sideways, and on the narrowest."""
    page = phone(player=game.players[0], width=360)
    TablePage(page, live_server.url, game).open().won(1, 0).tiles("2B", "2D", "G")
    for width, height in ((640, 360), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        bar = page.locator(".log__bar").bounding_box()["y"]
        parts = (".who__seats .who__row", ".tilepad__hand", "[data-tile='4B']", "[data-tile='4C']")
        for part in parts:
            box = page.locator(part).bounding_box()
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= bar, (part, width)


@pytest.mark.thorough
def test_hands_that_wait_on_the_phone_are_accessible(page, live_server, game, expect_status):
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
