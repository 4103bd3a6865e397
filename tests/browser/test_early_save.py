"""Save before the phone has answered what it keeps: the hand goes by the queue, once, also where the page is loaded again."""

import pytest
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import expect

from scoring.models import LateHand
from scoring.services.games import finish_game
from scoring.services.seats import change_seats
from tests.browser.table_page import TablePage
from tests.factories import make_hand, make_organiser, make_player
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# The database of the phone answers late, as after it was started: once the test lets it.
SHUT_STORAGE = """
const { open } = IDBFactory.prototype;
const isShut = () => sessionStorage.getItem("storage") !== "open";
IDBFactory.prototype.open = function (...args) {
  if (!isShut()) {
    return open.apply(this, args);
  }
  const answer = {};
  const look = setInterval(() => {
    if (isShut()) {
      return;
    }
    clearInterval(look);
    const request = open.apply(this, args);
    for (const name of ["success", "error", "upgradeneeded", "blocked"]) {
      request[`on${name}`] = (event) => answer[`on${name}`]?.(event);
    }
    Object.defineProperty(answer, "result", { get: () => request.result });
    Object.defineProperty(answer, "error", { get: () => request.error });
  }, 20);
  return answer;
};
"""


def let_storage_answer(page):
    page.evaluate("sessionStorage.setItem('storage', 'open')")


def another_tab(page):
    """Of the same table, where the database does not answer yet."""
    other = page.context.new_page()
    other.add_init_script(SHUT_STORAGE)
    other.goto(page.url)
    return other


@pytest.fixture
def opened(phone, live_server, game):
    """``opened(*scripts)``: a phone at the table, and the table, on whose pages ``scripts`` run first."""

    def opened(*scripts):
        page = phone(player=game.players[0], width=360)
        for script in scripts:
            page.add_init_script(script)
        table = TablePage(page, live_server.url, game)
        page.goto(table.url)
        return page, table

    return opened


def save_a_draw(page, _game=None):
    page.get_by_role("button", name="No winner").click()
    page.get_by_role("button", name="Save").click()


def save_fifty(page, game, winner=1):
    """Self-drawn, with the score as the table worked it out."""
    for _ in range(2):
        page.locator(f"[data-seat='{game.players[winner].pk}']").click()
    page.locator("[data-opens=score]").click()
    for digit in "50":
        page.locator(f"[data-digit='{digit}']").click()
    page.get_by_role("button", name="Save").click()


@pytest.mark.parametrize("network", [True, False], ids=["network", "no network"])
def test_a_hand_saved_before_the_queue_is_read_goes_by_the_queue(
    phone, live_server, game, network, expect_status
):
    expect_status(0)
    page = phone(player=game.players[0], width=360)
    page.add_init_script(SHUT_STORAGE)
    sent = []
    page.on(
        "request", lambda request: request.is_navigation_request() and sent.append(request.method)
    )
    if not network:
        page.route("**/hands/", lambda route: route.abort())
    table = TablePage(page, live_server.url, game)
    page.goto(table.url)
    save_a_draw(page)
    let_storage_answer(page)
    if not network:
        table.waits("1 hand waits")
        page.unroute("**/hands/")
    table.saved("Hand 1")
    assert sent == ["GET"]
    assert not game.hands.get().is_win


def test_a_hand_saved_before_the_queue_is_read_is_there_after_a_reload(opened, game):
    page, table = opened(SHUT_STORAGE)
    save_a_draw(page)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    let_storage_answer(page)
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    page.get_by_role("button", name="Save").click()
    table.saved("Hand 1")
    assert game.hands.count() == 1


@pytest.mark.thorough
def test_a_save_before_the_queue_is_read_sends_no_hand_that_lay_there(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open()
    table.seed_hand().says("70")
    page.add_init_script(SHUT_STORAGE)
    page.reload()
    page.get_by_role("button", name="Save").click()
    let_storage_answer(page)
    expect(page.locator("[data-outcome]")).to_contain_text(
        "discard"
    )  # the hand that lay there is in the form
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    assert not game.hands.exists()
    table.save().saved("Hand 1")


@pytest.mark.thorough
def test_a_hand_saved_early_is_not_lost_where_another_lies_in_the_form(phone, live_server, game):
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open()
    table.seed_hand().says("70")
    page.add_init_script(SHUT_STORAGE)
    page.reload()
    save_a_draw(page)
    page.reload()
    let_storage_answer(page)
    table.says("70")
    table.waits("begun and not saved").waits("No winner (draw)").waits("Hand 2")
    table.save()
    expect(page.locator("h1")).to_have_text("East round, hand 2")
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")


# The database of the phone never answers the first page of a tab.
SILENT_ONCE = """
if (!sessionStorage.getItem("asked")) {
  sessionStorage.setItem("asked", "yes");
  IDBFactory.prototype.open = () => ({});
}
"""


@pytest.mark.thorough
def test_a_hand_saved_early_goes_to_an_organiser_where_the_game_is_over_by_then(
    opened, game, expect_status
):
    boss = make_organiser()
    page, table = opened(SILENT_ONCE)
    save_fifty(page, game)
    finish_game(game, by=boss)
    page.reload()
    table.waits("begun and not saved").waits(f"{game.players[1]}, self-drawn: 50")
    page.get_by_role("button", name="Ask an organiser").click()
    wait_until(page, LateHand.objects.exists, "The hand is handed over.")
    assert LateHand.objects.get().entry["number"] == 1


@pytest.mark.thorough
def test_a_hand_saved_early_is_not_taken_for_the_next_one_that_others_log(
    opened, game, expect_status
):
    expect_status(409)
    page, _table = opened(SILENT_ONCE)
    save_a_draw(page)
    make_hand(game, winner=None)
    page.reload()
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".conflict")).to_contain_text("Hand 1 is already logged")
    assert game.hands.count() == 1


def save_two_early(page, game, same=False):
    """A win on a page that is loaded again before the phone answers, and a draw, or the same win, on the next."""
    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    if same:
        save_fifty(page, game)
    else:
        save_a_draw(page)
    let_storage_answer(page)


def assert_saved_in_order(page, table, game):
    """The hand of the page before comes first; once it is saved, the draw is in the form."""
    table.waits("begun and not saved").waits("No winner (draw)")
    table.save()
    expect(page.locator("h1")).to_have_text("East round, hand 2")
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    table.save().saved("Hand 2")
    assert [hand.is_win for hand in game.hands.order_by("number")] == [True, False]


@pytest.mark.thorough
def test_two_hands_saved_early_are_both_there(opened, game):
    page, table = opened(SHUT_STORAGE)
    save_two_early(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("entered before comes first")
    assert_saved_in_order(page, table, game)


@pytest.mark.thorough
def test_two_hands_saved_early_come_into_the_form_in_order_after_another_load(opened, game):
    page, table = opened(SHUT_STORAGE)
    save_two_early(page, game)
    table.waits("begun and not saved").waits("No winner (draw)")
    page.reload()
    assert_saved_in_order(page, table, game)


@pytest.mark.thorough
def test_a_hand_saved_early_does_not_come_into_the_form_of_another_tab(opened, live_server, game):
    page, _table = opened()
    other = another_tab(page)
    save_a_draw(other)
    expect(other.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    other.reload()
    let_storage_answer(other)
    expect(other.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    expect(page.locator("[data-waiting]")).to_contain_text("begun and not saved")
    save_fifty(page, game)
    expect(page.locator("h1")).to_have_text("East round, hand 2")
    expect(page.locator("#saved")).to_contain_text("Hand 1")
    expect(page.locator("[data-waiting]")).to_contain_text("begun and not saved")
    expect(page.locator("[data-outcome]")).not_to_contain_text("No winner")


# The first write of the second page is given up by the browser.
ABORTED_WRITE = """
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (...args) {
  const { type } = performance.getEntriesByType("navigation")[0];
  const request = put.apply(this, args);
  if (type === "reload" && !sessionStorage.getItem("aborted")) {
    sessionStorage.setItem("aborted", "yes");
    this.transaction.abort();
  }
  return request;
};
"""


@pytest.mark.thorough
def test_a_hand_saved_early_outlives_a_write_that_is_aborted(opened, game):
    page, table = opened(SHUT_STORAGE, ABORTED_WRITE)
    save_a_draw(page)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    let_storage_answer(page)
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    assert page.evaluate("sessionStorage.getItem('aborted')")
    table.save().saved("Hand 1")
    assert game.hands.count() == 1


# The first change of what the phone keeps is never stored.
LOST_WRITE = """
if (!sessionStorage.getItem("lost")) {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (name, mode, ...more) {
    if (mode !== "readwrite") {
      return transaction.call(this, name, mode, ...more);
    }
    sessionStorage.setItem("lost", "yes");
    return { objectStore: () => ({ getAll: () => ({}) }) };
  };
}
"""


@pytest.mark.thorough
def test_a_hand_saved_early_outlives_a_reload_while_it_is_being_stored(opened, game):
    page, table = opened(SHUT_STORAGE, LOST_WRITE)
    save_a_draw(page)
    let_storage_answer(page)
    wait_until(page, lambda: page.evaluate("sessionStorage.getItem('lost')"), "Nothing is stored.")
    page.reload()
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    table.save().saved("Hand 1")
    assert game.hands.count() == 1


# On the second page the first hand is stored slowly, and the hand after it never.
SLOW_WRITE_THEN_NONE = """
const { transaction } = IDBDatabase.prototype;
const { put } = IDBObjectStore.prototype;
const { type } = performance.getEntriesByType("navigation")[0];
if (type === "reload" && !sessionStorage.getItem("storing")) {
  IDBObjectStore.prototype.put = function (...args) {
    const request = put.apply(this, args);
    sessionStorage.setItem("storing", "the first");
    const goesOn = () => sessionStorage.getItem("storing") === "the first" && wait();
    const wait = () => (this.get("none").onsuccess = goesOn);
    wait();
    return request;
  };
  IDBDatabase.prototype.transaction = function (name, mode, ...more) {
    if (mode !== "readwrite" || !sessionStorage.getItem("storing")) {
      return transaction.call(this, name, mode, ...more);
    }
    sessionStorage.setItem("storing", "the second");
    return { objectStore: () => ({ getAll: () => ({}) }) };
  };
}
"""


@pytest.mark.thorough
def test_a_hand_saved_while_an_early_one_is_being_stored_outlives_a_reload(opened, game):
    page, table = opened(SHUT_STORAGE, SLOW_WRITE_THEN_NONE)

    def storing(what):
        return page.evaluate("sessionStorage.getItem('storing')") == what

    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    let_storage_answer(page)
    wait_until(page, lambda: storing("the first"), "The first hand is not stored.")
    save_a_draw(page)
    page.evaluate("sessionStorage.setItem('storing', 'both')")
    wait_until(page, lambda: storing("the second"), "The second hand is not stored.")
    page.reload()
    assert_saved_in_order(page, table, game)


@pytest.mark.thorough
def test_a_hand_that_waits_and_is_given_back_by_the_site_is_not_saved_twice(
    phone, live_server, game, expect_status
):
    expect_status(0)
    page = phone(player=game.players[0], width=360)
    kept_by_the_site(page, game, {"number": "1", "key": "k1", "winner": "draw"})
    page.route("**/hands/", lambda route: route.abort())
    table = TablePage(page, live_server.url, game).open()
    table.save().waits("1 hand waits")
    page.add_init_script(SHUT_STORAGE)
    page.reload()
    page.get_by_role("button", name="Save").click()
    let_storage_answer(page)
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    table.waits("1 hand waits")
    expect(page.locator("[data-outcome]")).not_to_contain_text("draw")
    page.unroute("**/hands/")
    table.saved("Hand 1")
    assert game.hands.count() == 1


def kept_by_the_site(page, game, typed):
    """What was typed into the form of ``game`` before its member was signed in."""
    (name,) = [one for one in page.context.cookies() if "session" in one["name"]]
    session = SessionStore(session_key=name["value"])
    session["typed"] = {game.get_absolute_url(): {**typed, "user": session["_auth_user_id"]}}
    session.save()


@pytest.mark.thorough
def test_a_hand_saved_early_comes_behind_all_that_wait(phone, live_server, game, expect_status):
    expect_status(0)
    page = phone(player=game.players[0], width=360)
    page.route("**/hands/", lambda route: route.abort())
    table = TablePage(page, live_server.url, game).open()
    table.seed_hand().save().waits("1 hand waits")
    table.says("")
    table.seed_hand().save().waits("2 hands wait")
    page.locator("[data-waiting] summary").click()
    page.locator("[data-act=correct]:visible").first.click()
    table.says("70")
    page.add_init_script(SILENT_ONCE)
    page.reload()
    save_a_draw(page)
    page.reload()
    table.says("70")
    page.unroute("**/hands/")
    table.save()
    wait_until(page, lambda: game.hands.count() == 2, "Both hands are sent.")
    page.reload()
    expect(page.locator("[data-outcome]")).to_contain_text("No winner (draw)")
    table.save().saved("Hand 3")


@pytest.mark.thorough
def test_a_hand_that_is_not_whole_and_saved_early_is_not_for_an_organiser(opened, game):
    boss = make_organiser()
    page, table = opened(SILENT_ONCE)
    page.locator(f"[data-seat='{game.players[1].pk}']").click()
    page.get_by_role("button", name="Save").click()
    finish_game(game, by=boss)
    page.reload()
    table.waits("begun and not saved").waits(f"{game.players[1]}")
    expect(page.get_by_role("button", name="Ask an organiser")).to_have_count(0)


@pytest.mark.thorough
def test_a_hand_saved_early_says_whose_place_was_taken_since(opened, game):
    page, _table = opened(SILENT_ONCE)
    save_fifty(page, game, winner=3)
    seated = [*game.players[:3], make_player("Eve")]
    change_seats(game, seated, by=make_organiser(), reason="She came late")
    page.reload()
    expect(page.locator("[data-notice]")).to_contain_text("plays here no longer")


@pytest.mark.thorough
def test_a_browser_without_requestsubmit_saves_early(opened, game):
    page, table = opened(SHUT_STORAGE, "delete HTMLFormElement.prototype.requestSubmit;")
    save_a_draw(page)
    let_storage_answer(page)
    table.saved("Hand 1")


@pytest.mark.thorough
def test_a_second_tab_of_a_page_that_saves_early_has_the_same_hand(opened, live_server, game):
    page, table = opened(SHUT_STORAGE)
    save_a_draw(page)
    with page.expect_popup() as popup:
        page.evaluate("window.open(location.href)")
    other = TablePage(popup.value, live_server.url, game)
    let_storage_answer(page)
    let_storage_answer(other.page)
    table.saved("Hand 1")
    expect(other.page.get_by_role("button", name="Save")).to_be_enabled()
    if "draw" in other.page.locator("[data-outcome]").inner_text():
        other.save().saved("Hand 1")
    assert game.hands.count() == 1


# The first write after the page was loaded again takes some seconds.
SLOW_WRITE = """
const { transaction } = IDBDatabase.prototype;
IDBDatabase.prototype.transaction = function (name, mode, ...more) {
  const { type } = performance.getEntriesByType("navigation")[0];
  if (mode === "readwrite" && type === "reload" && !sessionStorage.getItem("writing")) {
    sessionStorage.setItem("writing", "yes");
    const store = transaction.call(this, name, mode).objectStore(name);
    const until = performance.now() + 3000;
    const spin = () => { if (performance.now() < until) store.get("x").onsuccess = spin; };
    spin();
  }
  return transaction.call(this, name, mode, ...more);
};
"""


@pytest.mark.thorough
def test_a_hand_saved_while_an_earlier_one_is_being_stored_comes_behind_it(opened, game):
    page, table = opened(SILENT_ONCE, SLOW_WRITE)
    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    wait_until(page, lambda: page.evaluate("sessionStorage.getItem('writing')"), "it is stored")
    save_a_draw(page)
    assert_saved_in_order(page, table, game)


def assert_asked_about(page, game, number):
    """The second hand of this number is not taken for the next one: whoever entered it says what it is."""
    expect(page.locator(".conflict")).to_contain_text(f"Hand {number} is already logged")
    assert game.hands.count() == number
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_text("Same hand – discard mine").click()
    expect(page.locator(".conflict")).to_have_count(0)
    expect(page.locator("h1")).to_contain_text(f"hand {number + 1}")
    assert game.hands.count() == number


@pytest.mark.thorough
def test_a_hand_saved_early_and_in_another_tab_too_is_asked_about(opened, game, expect_status):
    expect_status(409)
    page, _table = opened()
    other = another_tab(page)
    save_fifty(other, game)
    save_fifty(page, game)
    expect(page.locator("#saved")).to_contain_text("Hand 1")
    let_storage_answer(other)
    assert_asked_about(other, game, 1)


@pytest.mark.thorough
def test_one_hand_saved_early_in_two_tabs_is_asked_about(opened, game, expect_status):
    expect_status(409)
    page, _table = opened(SHUT_STORAGE)
    other = another_tab(page)
    save_fifty(page, game)
    save_fifty(other, game)
    let_storage_answer(page)
    expect(page.locator("#saved")).to_contain_text("Hand 1")
    let_storage_answer(other)
    assert_asked_about(other, game, 1)


SAME_HAND = "The same hand was saved on this phone before"


@pytest.fixture
def waiting(phone, live_server, game, expect_status):
    """``waiting(save, storage)``: a phone without a network on which what ``save`` enters waits, and its table.

    From the next page on ``storage`` runs first.
    """

    def waiting(save=save_a_draw, storage=SHUT_STORAGE):
        expect_status(0)
        page = phone(player=game.players[0], width=360)
        page.route("**/hands/", lambda route: route.abort())
        table = TablePage(page, live_server.url, game).open()
        save(page, game)
        table.waits("1 hand waits")
        page.add_init_script(storage)
        return page, table

    return waiting


@pytest.fixture
def waiting_draw(waiting):
    return waiting()


@pytest.mark.thorough
@pytest.mark.parametrize("is_another", [False, True])
def test_a_hand_that_waits_and_is_saved_early_again_is_asked_about(waiting_draw, game, is_another):
    page, table = waiting_draw
    expect(page.locator("h1")).to_have_text("East round, hand 2")
    save_fifty(page, game)
    table.waits("2 hands wait")
    page.reload()
    save_a_draw(page)
    let_storage_answer(page)
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    expect(page.locator("h1")).to_have_text("East round, hand 3")
    table.waits("2 hands wait")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Save" if is_another else "Throw it away", exact=True).click()
    page.unroute("**/hands/")
    hands = 3 if is_another else 2
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until(page, lambda: game.hands.count() == hands, "The hands are sent.")
    expect(page.locator("[data-waiting]")).to_be_hidden()
    assert [hand.is_win for hand in game.hands.order_by("number")] == [False, True, False][:hands]


@pytest.mark.thorough
def test_another_hand_saved_early_than_the_one_that_waits_comes_behind_it(waiting, game):
    page, table = waiting(save_fifty)
    page.reload()
    save_a_draw(page)
    let_storage_answer(page)
    table.waits("2 hands wait")
    expect(page.locator("h1")).to_have_text("East round, hand 3")
    page.unroute("**/hands/")
    wait_until(page, lambda: game.hands.count() == 2, "Both hands are sent.")
    assert [hand.is_win for hand in game.hands.order_by("number")] == [True, False]


# The database of the phone does not open on the page that is shown next.
NO_STORAGE_AT_HOME = """
if (location.pathname === "/") {
  IDBFactory.prototype.open = () => {
    throw new DOMException("none", "UnknownError");
  };
}
"""


@pytest.mark.thorough
def test_a_hand_saved_early_outlives_a_page_that_can_store_nothing(opened, live_server, game):
    page, table = opened(SHUT_STORAGE, NO_STORAGE_AT_HOME)
    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.goto(f"{live_server.url}/")
    table.waits("begun and not saved")
    let_storage_answer(page)
    page.goto(table.url)
    expect(page.locator("[data-outcome]")).to_contain_text("self-drawn")
    table.save().saved("Hand 1")


@pytest.mark.thorough
def test_a_hand_saved_early_and_thrown_away_does_not_come_back(opened, live_server, game):
    page, table = opened(SHUT_STORAGE, NO_STORAGE_AT_HOME)
    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.goto(f"{live_server.url}/")
    page.locator("[data-waiting] summary").click()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Throw it away").click()
    expect(page.locator("[data-waiting]")).to_be_hidden()
    let_storage_answer(page)
    page.goto(table.url)
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    expect(page.locator("[data-outcome]")).not_to_contain_text("self-drawn")


@pytest.mark.thorough
def test_a_hand_saved_early_is_on_every_page_that_the_tab_shows_then(opened, live_server, game):
    page, table = opened(SHUT_STORAGE)
    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.goto(f"{live_server.url}/")
    let_storage_answer(page)
    table.waits("begun and not saved").waits(f"{game.players[1]}, self-drawn: 50")
    page.locator("[data-waiting] summary").click()
    page.get_by_role("link", name="To its table").click()
    expect(page.locator("[data-outcome]")).to_contain_text("self-drawn")
    table.save().saved("Hand 1")
    assert game.hands.count() == 1


def save_and_say_no(page):
    """Save the hand in the form, and not after all once the page asks."""
    asked = []
    page.once("dialog", lambda dialog: asked.append(dialog.message) or dialog.dismiss())
    page.get_by_role("button", name="Save").click()
    (question,) = asked
    assert SAME_HAND in question


@pytest.mark.thorough
@pytest.mark.parametrize("is_read", [True, False], ids=["asked before", "loaded before"])
def test_the_question_about_the_same_hand_outlives_the_page(waiting_draw, live_server, is_read):
    page, table = waiting_draw
    page.reload()
    save_a_draw(page)
    if is_read:
        let_storage_answer(page)
        expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    page.goto(f"{live_server.url}/")
    let_storage_answer(page)
    table.waits("begun and not saved")
    page.goto(table.url)
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-discard]").click()
    expect(page.locator("[data-unsaved]")).to_be_hidden()
    table.waits("1 hand waits")


@pytest.mark.thorough
def test_the_same_hand_is_asked_about_for_as_long_as_it_is_the_same(waiting, game):
    page, table = waiting(save_fifty)
    page.reload()
    save_fifty(page, game)
    let_storage_answer(page)
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    page.locator("[data-digit=back]").click()
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 2 is not saved yet")
    page.locator("[data-digit='0']").click()
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    page.unroute("**/hands/")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until(page, lambda: game.hands.count() == 1, "The hand that waits is sent.")
    expect(page.locator("[data-waiting]")).to_be_hidden()
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    save_and_say_no(page)
    for digit in ("back", "back", "6", "0"):
        page.locator(f"[data-digit='{digit}']").click()
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 2 is not saved yet")
    page.get_by_role("button", name="Save").click()
    table.saved("Hand 2")


@pytest.mark.thorough
def test_the_same_hand_of_another_tab_is_asked_about_on_the_phone(
    phone, live_server, game, expect_status
):
    expect_status(0)
    page = phone(player=game.players[0], width=360)
    page.context.route("**/hands/", lambda route: route.abort())
    table = TablePage(page, live_server.url, game).open()
    other = another_tab(page)
    save_a_draw(page)
    table.waits("1 hand waits")
    save_a_draw(other)
    let_storage_answer(other)
    expect(other.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    expect(other.locator("h1")).to_have_text("East round, hand 2")
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Save").click()
    page.context.unroute("**/hands/")
    other.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until(page, lambda: game.hands.count() == 2, "Both hands are sent.")


@pytest.mark.thorough
def test_a_hand_saved_early_waits_long_for_those_that_wait(waiting_draw, game):
    page, _table = waiting_draw
    page.clock.install()
    page.reload()
    save_fifty(page, game)
    page.unroute("**/hands/")
    page.clock.run_for(20_000)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    let_storage_answer(page)
    wait_until(page, lambda: game.hands.count() == 2, "Both hands are sent.")
    assert [hand.is_win for hand in game.hands.order_by("number")] == [False, True]


# The database of the phone opens, and lets nobody read, until the test lets it.
UNREADABLE_STORAGE = """
const { transaction } = IDBDatabase.prototype;
IDBDatabase.prototype.transaction = function (...args) {
  const started = transaction.apply(this, args);
  if (sessionStorage.getItem("storage") !== "open") {
    started.abort();
  }
  return started;
};
"""


# The database of the phone refuses to open, until the test lets it.
REFUSING_STORAGE = """
const { open } = IDBFactory.prototype;
IDBFactory.prototype.open = function (...args) {
  if (sessionStorage.getItem("storage") === "open") {
    return open.apply(this, args);
  }
  const request = { error: new DOMException("lost", "UnknownError") };
  setTimeout(() => request.onerror());
  return request;
};
"""
# It does not answer, and then refuses.
REFUSING_LATE = """
const { open } = IDBFactory.prototype;
const isShut = () => sessionStorage.getItem("storage") !== "open";
IDBFactory.prototype.open = function (...args) {
  if (!isShut()) {
    return open.apply(this, args);
  }
  const request = { error: new DOMException("lost", "UnknownError") };
  const look = setInterval(() => {
    if (!isShut()) {
      clearInterval(look);
      request.onerror();
    }
  }, 20);
  return request;
};
"""
STORAGES = {
    "shut": SHUT_STORAGE,
    "unreadable": UNREADABLE_STORAGE,
    "refusing": REFUSING_STORAGE,
    "refusing late": REFUSING_LATE,
}


@pytest.mark.thorough
@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_storage_that_answers_after_it_was_given_up_is_used(waiting, game, expect_status, storage):
    expect_status(409)
    page, table = waiting(storage=storage)
    page.clock.install()
    page.reload()
    page.clock.run_for(20_000)
    page.clock.run_for(20_000)
    save_fifty(page, game)
    table.waits("1 hand waits").waits("This phone cannot store hands")
    let_storage_answer(page)
    table.waits("2 hands wait")
    expect(page.locator("[data-waiting]")).not_to_contain_text("cannot store")
    page.unroute("**/hands/")
    wait_until(page, lambda: game.hands.count() == 1, "The hand that waited first is sent.")
    assert not game.hands.get().is_win
    page.reload()
    expect(page.locator(".conflict")).to_contain_text("Hand 1 is already logged")
    page.locator("[name=as_number]").click()
    wait_until(page, lambda: game.hands.count() == 2, "The other one is sent.")


@pytest.mark.thorough
@pytest.mark.parametrize("by_an_older_page", [False, True])
def test_who_signs_out_before_the_storage_has_answered_is_asked_about_hands_that_wait(
    waiting, live_server, by_an_older_page
):
    page, table = waiting()
    if by_an_older_page:  # which did not note whose hands wait
        page.evaluate("localStorage.setItem('waits', 'yes')")
    page.goto(f"{live_server.url}/leagues/")
    asked = asked_at_sign_out(page)
    wait_until(page, lambda: asked, "Signing out is asked about.")
    assert "Your hands on this phone stay here" in asked[0]
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    let_storage_answer(page)
    table.waits("1 hand waits")


def asked_at_sign_out(page):
    """What the page asks, and is answered with no, from now on."""
    asked = []
    page.on("dialog", lambda dialog: asked.append(dialog.message) or answer(dialog, yes=False))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign out").click()
    return asked


@pytest.mark.thorough
def test_who_signs_out_is_not_asked_about_hands_of_another_that_are_not_read_yet(
    waiting, live_server, sign_in, organiser
):
    page, _table = waiting()
    sign_in(page, organiser)
    page.goto(f"{live_server.url}/leagues/")
    asked = asked_at_sign_out(page)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert asked == []


@pytest.mark.thorough
@pytest.mark.parametrize("is_meant", [True, False])
def test_a_hand_that_is_sent_meanwhile_and_saved_early_again_is_asked_about(
    waiting_draw, game, is_meant
):
    page, table = waiting_draw
    page.unroute("**/hands/")
    page.reload()
    save_a_draw(page)
    asked = []
    page.on("dialog", lambda dialog: asked.append(dialog.message) or answer(dialog, is_meant))
    let_storage_answer(page)
    hands = 2 if is_meant else 1
    wait_until(
        page, lambda: len(asked) == 1 and game.hands.count() == hands, "The hand is asked about."
    )
    if is_meant:
        table.saved("Hand 2")
        return
    expect(page.locator("[data-waiting]")).to_be_hidden()
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    page.get_by_role("button", name="Save").click()
    wait_until(page, lambda: len(asked) == 2, "It is asked about again.")
    page.locator("[data-discard]").click()
    wait_until(page, lambda: len(asked) == 3, "So is throwing it away.")
    assert game.hands.count() == 1


def answer(dialog, yes):
    if yes:
        dialog.accept()
    else:
        dialog.dismiss()


@pytest.mark.thorough
def test_a_hand_saved_early_twice_is_asked_about_once_the_first_is_saved(opened, game):
    page, _table = opened(SHUT_STORAGE)
    save_a_draw(page)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.reload()
    save_a_draw(page)
    let_storage_answer(page)
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet")
    page.get_by_role("button", name="Save").click()
    wait_until(page, lambda: game.hands.count() == 1, "The first one is sent.")
    expect(page.locator("[data-unsaved]")).to_contain_text(SAME_HAND)
    save_and_say_no(page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-discard]").click()
    expect(page.locator("[data-unsaved]")).to_be_hidden()
    assert game.hands.count() == 1


@pytest.mark.thorough
def test_the_hand_that_comes_next_is_announced_for_as_long_as_there_is_one(opened, game):
    page, _table = opened(SHUT_STORAGE)
    save_two_early(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("comes first")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-waiting] summary").click()
    page.locator("[data-waiting] [data-act=discard]").click()
    expect(page.locator("[data-notice]")).to_be_hidden()


# The database of the phone never answers the first page of a tab, and does not open on the second.
SILENT_THEN_NONE = """
const loads = Number(sessionStorage.getItem("loads")) + 1;
sessionStorage.setItem("loads", loads);
if (loads < 3) {
  IDBFactory.prototype.open = () => {
    if (loads === 2) {
      throw new DOMException("none", "UnknownError");
    }
    return {};
  };
}
"""


@pytest.mark.thorough
def test_a_hand_saved_early_outlives_a_second_page_that_can_store_nothing(opened, game):
    page, table = opened(SILENT_THEN_NONE)
    save_a_draw(page)
    for _load in range(2):
        page.reload()
        expect(page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet")
    table.save().saved("Hand 1")
    page.reload()
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    expect(page.locator("[data-unsaved]")).to_be_hidden()
    assert game.hands.count() == 1


@pytest.mark.thorough
def test_a_hand_that_a_page_saves_which_can_store_nothing_does_not_come_back(opened, game):
    page, table = opened(SILENT_THEN_NONE)
    save_a_draw(page)
    page.reload()
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet")
    table.save().saved("Hand 1")
    page.reload()
    expect(page.locator("[data-saved], #saved").first).to_be_visible()
    expect(page.locator("[data-unsaved]")).to_be_hidden()
    assert not page.evaluate("Object.keys(sessionStorage).some(name => name.startsWith('saves '))")


@pytest.mark.thorough
def test_an_organiser_is_not_asked_for_the_same_hand_twice_unasked(opened, game):
    boss = make_organiser()
    page, table = opened(SHUT_STORAGE)
    save_two_early(page, game, same=True)
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet")
    expect(page.locator("[data-notice]")).to_contain_text("comes first")
    finish_game(game, by=boss)
    table.waits("2 hands are begun and not saved")
    expect(page.locator("[data-notice]")).to_be_hidden()
    asked = []
    page.on("dialog", lambda dialog: asked.append(dialog.message) or dialog.dismiss())
    page.get_by_role("button", name="Ask an organiser").first.click()
    wait_until(page, lambda: LateHand.objects.count() == 1, "One hand is handed over.")
    page.get_by_role("button", name="Ask an organiser").click()
    wait_until(page, lambda: asked, "The other is asked about.")
    assert asked[0].startswith("The same hand was saved on this phone before.")
    assert LateHand.objects.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_a_hand_that_waits_goes_first_where_the_storage_cannot_be_read_at_once(
    waiting, game, storage
):
    page, _table = waiting(storage=storage)
    page.reload()
    save_fifty(page, game)
    expect(page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    page.unroute("**/hands/")
    let_storage_answer(page)
    wait_until(page, lambda: game.hands.count() == 2, "Both hands are sent.")
    assert [hand.is_win for hand in game.hands.order_by("number")] == [False, True]


@pytest.mark.thorough
def test_a_hand_that_another_tab_has_thrown_away_does_not_come_back(opened):
    """The copy of a tab that could store nothing goes as soon as the disk has the hand."""
    page, _table = opened(SILENT_THEN_NONE)
    save_a_draw(page)
    page.reload()
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet")
    page.reload()
    expect(page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet")
    other = page.context.new_page()
    other.goto(page.url)
    other.on("dialog", lambda dialog: dialog.accept())
    other.locator("[data-discard]").click()
    expect(other.locator("[data-unsaved]")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    expect(page.locator("[data-outcome]")).not_to_contain_text("draw")
    assert not page.evaluate("Object.keys(sessionStorage).some(name => name.startsWith('saves '))")
