"""While the scripts of a page are still on their way, no tap is taken and lost."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from scoring.models import LateHand
from scoring.services.games import finish_game
from tests.browser.table_page import TablePage
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


# The database of the phone answers late, as after it was started.
SLOW_STORAGE = """
const { open } = IDBFactory.prototype;
IDBFactory.prototype.open = function (...args) {
  const answer = {};
  setTimeout(() => {
    const request = open.apply(this, args);
    for (const name of ["success", "error", "upgradeneeded", "blocked"]) {
      request[`on${name}`] = (event) => answer[`on${name}`]?.(event);
    }
    Object.defineProperty(answer, "result", { get: () => request.result });
    Object.defineProperty(answer, "error", { get: () => request.error });
  }, 2000);
  return answer;
};
"""


def save_a_draw(page):
    page.get_by_role("button", name="No winner").click()
    page.get_by_role("button", name="Save").click()


@pytest.mark.parametrize("network", [True, False], ids=["network", "no network"])
def test_a_hand_saved_before_the_queue_is_read_goes_by_the_queue(
    phone, live_server, game, network, expect_status
):
    expect_status(0)
    page = phone(player=game.players[0], width=360)
    page.add_init_script(SLOW_STORAGE)
    sent = []
    page.on(
        "request", lambda request: request.is_navigation_request() and sent.append(request.method)
    )
    if not network:
        page.route("**/hands/", lambda route: route.abort())
    table = TablePage(page, live_server.url, game)
    page.goto(table.url)
    save_a_draw(page)
    if not network:
        table.waits("1 hand waits")
        page.unroute("**/hands/")
    table.saved("Hand 1")
    assert sent == ["GET"]
    assert not game.hands.get().is_win


def test_a_hand_saved_before_the_queue_is_read_is_there_after_a_reload(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    page.add_init_script(SLOW_STORAGE)
    table = TablePage(page, live_server.url, game)
    page.goto(table.url)
    save_a_draw(page)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    page.get_by_role("button", name="Save").click()
    table.saved("Hand 1")
    assert game.hands.count() == 1


def test_a_save_before_the_queue_is_read_sends_no_hand_that_lay_there(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open()
    table.seed_hand().says("70")
    page.add_init_script(SLOW_STORAGE)
    page.reload()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-outcome]")).to_contain_text(
        "discard"
    )  # the hand that lay there is in the form
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    assert not game.hands.exists()
    table.save().saved("Hand 1")


def test_a_hand_saved_early_is_not_lost_where_another_lies_in_the_form(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open()
    table.seed_hand().says("70")
    page.add_init_script(SLOW_STORAGE)
    page.reload()
    save_a_draw(page)
    page.reload()
    table.says("70")
    table.waits("begun and not saved").waits("No winner (draw)")


# The database of the phone never answers the first page of a tab.
SILENT_ONCE = """
if (!sessionStorage.getItem("asked")) {
  sessionStorage.setItem("asked", "yes");
  IDBFactory.prototype.open = () => ({});
}
"""


def test_a_hand_saved_early_goes_to_an_organiser_where_the_game_is_over_by_then(
    phone, live_server, game, expect_status
):
    boss = make_organiser()
    page = phone(player=game.players[0], width=360)
    page.add_init_script(SILENT_ONCE)
    table = TablePage(page, live_server.url, game)
    page.goto(table.url)
    page.locator(f"[data-seat='{game.players[1].pk}']").click()
    page.locator(f"[data-seat='{game.players[1].pk}']").click()
    table.tap("[data-opens=score]").digits("50")
    page.get_by_role("button", name="Save").click()
    finish_game(game, by=boss)
    page.reload()
    table.waits("begun and not saved").waits(f"{game.players[1]}, self-drawn: 50")
    page.get_by_role("button", name="Ask an organiser").click()
    wait_until(page, LateHand.objects.exists, "The hand is handed over.")
    assert LateHand.objects.get().entry["number"] == 1


def test_a_hand_saved_early_is_not_taken_for_the_next_one_that_others_log(
    phone, live_server, game, expect_status
):
    expect_status(409)
    page = phone(player=game.players[0], width=360)
    page.add_init_script(SILENT_ONCE)
    page.goto(TablePage(page, live_server.url, game).url)
    save_a_draw(page)
    make_hand(game, winner=None)
    page.reload()
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".conflict")).to_contain_text("Hand 1 is already logged")
    assert game.hands.count() == 1
