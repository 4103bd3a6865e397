"""The language is chosen at the foot of the page: with scripts and without, and what is kept follows."""

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import TablePage
from tests.factories import make_game, make_member
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = """
async (address) => {
    const page = await (await caches.open("pages")).match(address);
    return page && /<html lang="([\\w-]+)"/.exec(await page.text())[1];
}
"""


def language_of(page):
    return page.evaluate("document.documentElement.lang")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_language_is_chosen_by_keyboard(phone, live_server, scripts):
    page = phone(scripts=scripts)
    page.goto(f"{live_server.url}/rules/?page=1")
    dutch = page.get_by_role("form", name="Language").get_by_role("button", name="Nederlands")
    dutch.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Regels")
    expect(page).to_have_url(f"{live_server.url}/rules/?page=1")
    chosen = page.get_by_role("form", name="Taal").locator("[aria-current]")
    expect(chosen).to_have_text("Nederlands")
    page.goto(f"{live_server.url}/players/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Spelers")


@pytest.mark.thorough
def test_precached_pages_follow_the_chosen_language(phone, live_server):
    game = make_game()
    page = phone(user=make_member(player=game.players[0]), service_workers="allow")
    table = f"/games/{game.pk}/"
    page.goto(live_server.url + table)
    wait_for(page, table, "en")
    page.get_by_role("button", name="繁體中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hant")
    wait_for(page, table, "zh-hant")
    wait_for(page, "/offline/", "zh-hant")


def wait_for(page, address, language):
    """Wait until the phone keeps the page at ``address`` in ``language``."""
    kept = f"{address} is not kept in {language}."
    wait_until(page, lambda: page.evaluate(KEPT, address) == language, kept)


def test_tiles_by_their_names_in_dutch_are_whole_without_a_network(
    phone, live_server, expect_status
):
    expect_status(0)
    game = make_game()
    page = phone(player=game.players[0])
    page.goto(live_server.url)
    page.get_by_role("button", name="Nederlands").click()
    expect(page.get_by_role("form", name="Taal")).to_be_visible()
    table = TablePage(page, live_server.url, game).open()
    page.context.set_offline(True)
    names = ["Bamboe 2"] * 3 + ["bamboe 3", "Bamboe 4", "Bamboe 5", "Bamboe 5", "Bamboe 5"]
    table.won(1, 0).write(", ".join([*names, "222D", "Groene draak GROENE DRAAK groene draak"]))
    table.save().waits("Er wacht 1 spel")
    page.context.set_offline(False)
    wait_until(page, lambda: game.hands.exists(), "The hand is not sent.")  # noqa: PLW0108
    assert game.hands.get().final == 70
