"""The table without a network: it opens, hands are logged, wait, and arrive once each, in order."""

import threading

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.test import Client
from playwright.sync_api import expect

from scoring.models import Hand
from tests.browser.any_evening import ENTRIES
from tests.browser.table_page import TablePage, kept
from tests.factories import make_hand, make_member
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def no_network_is_part_of_the_story(expect_status):
    expect_status(0)


@pytest.fixture
def device(browser_type, browser_type_launch_args, tmp_path, live_server, game, watch):
    """``device()`` starts the browser of one phone, again with all that it kept, signed in."""
    client = Client()
    client.force_login(make_member(player=game.players[0]))
    cookie = {
        "name": settings.SESSION_COOKIE_NAME,
        "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
        "url": live_server.url,
        "expires": 4_000_000_000,
    }
    running = []

    def device(**context_args):
        for context in running:
            context.close()
        context = browser_type.launch_persistent_context(
            tmp_path / "phone",
            **browser_type_launch_args,
            viewport={"width": 360, "height": 640},
            has_touch=True,
            is_mobile=True,
            **context_args,
        )
        running[:] = [context]
        watch.over(context)
        context.add_cookies([cookie])
        return TablePage(context.pages[0], live_server.url, game)

    yield device
    for context in running:
        context.close()


@pytest.fixture
def table(device):
    """The table on a phone that has kept its page."""
    return kept(device().open())


def away(table, is_away=True):
    table.page.context.set_offline(is_away)
    return table


def log_eight(table):
    """Eight hands, of every kind, as one hour of play brings them."""
    for number in range(1, 9):
        if number % 4 == 0:
            table.draw()
        elif number % 4 == 3:
            table.won(number % 3, 3).tap("[data-opens=score]").digits([f"{number}0"])
        else:
            table.won(number % 3, 3).tiles(f"{number}B", "2D", "G").key("chow").tiles("3C", "5C")
            if number < 3:
                table.tap("[data-back]").tiles("9D")
        table.says("No network" if number == 1 else "earlier hands have been sent").save()
        count = "1 hand waits" if number == 1 else f"{number} hands wait"
        table.waits(f"No network. {count} on this phone.")


def test_eight_hands_outlive_reload_and_restart_and_arrive_in_order(device, table, game):
    log_eight(away(table))
    expected = ["win", "win", "win", "draw"] * 2
    table.open().waits("8 hands wait")
    table = device(offline=True).open().waits("8 hands wait")
    assert not Hand.objects.exists()

    away(table, False)
    expect(table.waiting).to_be_hidden()
    hands = Hand.objects.order_by("logged_at")
    assert [hand.number for hand in hands] == list(range(1, 9))
    assert [hand.outcome for hand in hands] == expected
    assert len({hand.entry_key for hand in hands}) == 8
    expect(table.page.locator(f"#hand-{hands.last().pk}")).to_be_visible()
    game.refresh_from_db()
    expect(table.page.locator("[name=number]")).to_have_value(str(game.next_number))


@pytest.mark.thorough
def test_hands_of_three_loads_without_a_network_all_arrive(table):
    """Each load shows the same kept page; each hand has an identity of its own."""
    away(table)
    for number in (1, 2, 3):
        table.open().won(1, 0).tap("[data-opens=score]").digits(f"{number}00")
        table.says("No network" if number == 1 else "earlier hands").save()
        table.waits("1 hand waits" if number == 1 else f"{number} hands wait")
    away(table, False)
    expect(table.waiting).to_be_hidden()
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2, 3]


def test_a_hand_is_sent_by_itself_when_the_network_is_back(table):
    """Saved and loaded again without a network; then nobody touches the page."""
    away(table)
    table.draw().save().waits("1 hand waits")
    table.open().waits("1 hand waits")
    away(table, False)
    expect(table.waiting).to_be_hidden()
    assert Hand.objects.count() == 1


def test_waiting_hands_are_shown_on_every_page_and_sent_from_there(table, game, live_server):
    away(table)
    table.draw().save().waits("1 hand waits")
    place = table.waiting.locator("[data-entry=table]")
    expect(place).to_have_text("")  # it is here
    table.page.goto(f"{live_server.url}/players/")
    table.waits("1 hand waits")
    names = ", ".join(player.name for player in game.players)
    expect(place).to_have_text(f"At the table of {names}")
    away(table, False)
    expect(table.page.locator("h1")).to_have_text("Players")
    wait_until(table.page, Hand.objects.exists, "The hand was not sent.")
    assert Hand.objects.count() == 1
    expect(table.waiting).to_be_hidden()


def test_a_hand_of_a_game_that_is_gone_leads_to_no_table(table, live_server, expect_status):
    """Such as one that a restored backup does not have."""
    expect_status(404)
    away(table)
    table.draw().save().waits("1 hand waits")
    table.page.goto(f"{live_server.url}/players/")
    gone = f"{live_server.url}/games/999999/hands/"
    table.page.route(
        "**/hands/", lambda route: route.fulfill(response=route.fetch(url=gone)), times=1
    )
    away(table, False)
    table.waits("1 hand was not accepted")
    expect(table.waiting.locator("li")).to_contain_text("Ask an organiser before you throw")
    expect(table.waiting.locator("[data-act=discard]")).to_be_visible()
    expect(table.waiting.locator("[data-elsewhere]")).to_be_hidden()


@pytest.mark.thorough
def test_the_home_page_follows_what_it_has_sent(table, live_server):
    away(table)
    table.draw().save().waits("1 hand waits")
    table.draw().save().waits("2 hands wait")
    table.page.goto(live_server.url)
    away(table, False)
    expect(table.page.get_by_role("link", name="Log hand 3")).to_be_visible()
    expect(table.page.locator("#today")).to_have_count(1)
    expect(table.page.locator("h1")).to_have_text("Today at the club")


@pytest.mark.thorough
def test_the_stored_page_counts_the_hands_that_another_page_has_sent(table, live_server):
    """The network is back for as long as another page is open, and then away again."""
    away(table)
    table.won(1, 0).tap("[data-opens=score]").digits(["50"]).save().waits("1 hand waits")
    table.page.goto(f"{live_server.url}/players/")
    away(table, False)
    expect(table.page.locator("h1")).to_have_text("Players")
    wait_until(table.page, Hand.objects.exists, "The hand was not sent.")
    expect(table.waiting).to_be_hidden()
    away(table).open()
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    expect(table.page.locator("[data-deals]")).to_have_text(f"{table.game.players[1]} deals.")
    table.draw().save().waits("1 hand waits")
    away(table, False)
    expect(table.waiting).to_be_hidden()
    outcomes = Hand.objects.order_by("number").values_list("number", "outcome")
    assert list(outcomes) == [(1, "win"), (2, "draw")]


@pytest.mark.thorough
def test_a_hand_that_is_begun_keeps_its_number_when_the_one_before_it_is_sent(table):
    away(table)
    table.draw().save().waits("1 hand waits")
    table.won(1, 0).tiles("2B")
    away(table, False)
    expect(table.waiting).to_be_hidden()
    table.says("Still needed:")
    expect(table.page.locator("[name=number]")).to_have_value("2")
    table.tiles("2D", "G").key("chow").tiles("3B", "5B").says("70").save().saved("Hand 2")
    assert Hand.objects.count() == 2


@pytest.mark.thorough
def test_every_hand_sent_three_times_is_logged_once(table):
    def three_times(route):
        route.fetch()
        route.fetch()
        route.continue_()

    log_eight(away(table))
    table.page.route("**/hands/", three_times)
    away(table, False)
    # 24 requests, one after the other: where the cores are busy, they take longer than one may.
    expect(table.waiting).to_be_hidden(timeout=120_000)
    assert [hand.number for hand in Hand.objects.order_by("logged_at")] == list(range(1, 9))


def test_a_site_whose_database_is_in_trouble_opens_the_table_and_gets_the_hand_later(
    table, monkeypatch, expect_status
):
    expect_status(503)
    here, answered = threading.current_thread(), CursorWrapper.execute
    trouble = threading.Event()

    def execute(self, *args):
        if trouble.is_set() and threading.current_thread() is not here:
            raise OperationalError("the disk is full")
        return answered(self, *args)

    monkeypatch.setattr(CursorWrapper, "execute", execute)
    trouble.set()
    table.draw().save().waits("1 hand waits")
    table.open().waits("1 hand waits")
    expect(table.page.locator("[data-waiting]")).to_contain_text("cannot answer now")
    table.page.goto(table.url.replace("/games/", "/leagues/?"))
    expect(table.page.locator("h1")).to_contain_text("cannot answer right now")
    assert not Hand.objects.exists()
    trouble.clear()
    table.open()
    expect(table.waiting).to_be_hidden()
    assert Hand.objects.get().outcome == "draw"


def test_a_hand_whose_answer_was_lost_is_sent_again_and_logged_once(table):
    def lose_the_answer(route):
        route.fetch()
        route.abort()

    table.page.route("**/hands/", lose_the_answer, times=1)
    table.draw().says("Draw").save()
    expect(table.page.locator(".sheet tbody tr")).to_have_count(1)
    expect(table.waiting).to_be_hidden()
    assert Hand.objects.count() == 1


def no_answer(route):
    route.abort()


@pytest.fixture
def emptied(table):
    """``emptied("accept")``: a hand whose answer was lost is corrected and emptied; what the page asks then."""

    def send_once(route):
        if not Hand.objects.exists():
            route.fetch()
        route.abort()

    def emptied(answer):
        routes = ("**/hands/", "**/live/", "**/preview/")
        for address in routes:
            table.page.route(address, send_once if "hands" in address else no_answer)
        table.draw().save().waits("1 hand waits")
        wait_until(table.page, Hand.objects.exists, "The hand was not sent.")
        table.waiting.locator("summary").click()
        table.waiting.get_by_role("button", name="Correct it").click()
        expect(table.page.locator("[data-unsaved]")).to_be_visible()
        asked = []
        table.page.once(
            "dialog", lambda dialog: (asked.append(dialog.message), getattr(dialog, answer)())
        )
        table.draw()
        assert table.chosen == ("", "")
        for address in routes:
            table.page.unroute(address)
        return asked

    return emptied


@pytest.mark.thorough
def test_a_hand_that_may_be_on_the_site_is_emptied_and_the_next_one_is_another(table, emptied):
    [asked] = emptied("accept")
    assert "It may have reached the site" in asked
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    table.won(1, 0).tap("[data-opens=score]").digits(["50"]).save().saved("Hand 2")
    outcomes = Hand.objects.order_by("number").values_list("number", "outcome")
    assert list(outcomes) == [(1, "draw"), (2, "win")]


@pytest.mark.thorough
def test_what_is_left_of_an_emptied_hand_that_is_not_thrown_away_never_left_the_phone(
    table, emptied
):
    """It has a key of its own: what may be on the site is the hand that was emptied, as the page has heard."""
    [warning] = emptied("dismiss")
    assert "It may have reached the site" in warning
    table.open()
    unsaved = table.page.locator("[data-unsaved]")
    expect(unsaved).to_contain_text("Hand 1 is not saved yet.")
    asked = []
    table.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    unsaved.get_by_role("button", name="Throw it away").click()
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    assert "It is only on this phone" in asked[0]


@pytest.mark.thorough
def test_the_page_says_where_the_game_stands_with_the_hands_that_wait(table, game):
    """The dealer wins and stays; the second hand passes the deal on; so does the third."""
    away(table)
    names = [str(player) for player in game.players]
    for winner, dealer in ((0, 0), (2, 1), (3, 2)):
        table.won(winner, 1).tap("[data-opens=score]").digits(["50"])
        table.save()
        expect(table.page.locator("[data-deals]")).to_have_text(f"{names[dealer]} deals.")
    expect(table.page.locator("h1")).to_have_text("East round, hand 4")
    winds = table.page.locator("[data-wind-of] svg")
    spoken = [wind.get_attribute("aria-label") for wind in winds.all()]
    assert spoken == ["West wind", "North wind", "East wind", "South wind"]


@pytest.mark.thorough
def test_what_is_not_whole_is_not_kept(table):
    notice = table.page.locator("[data-notice]")
    slow = []

    def answer_later(route):
        slow.append(route)

    table.page.route("**/hands/", answer_later, times=1)
    table.won(1, 0).tiles("2B", "2D").save()
    expect(notice).to_have_text(
        "No answer yet, and this hand is not complete. Lay out four sets and a pair, or enter the score."
    )
    table.tiles("G")
    expect(notice).to_be_hidden()
    away(table)
    slow[0].abort()
    table.save()
    expect(notice).to_contain_text("No network, and this hand is not complete yet. Lay out")
    assert table.text == "222B 222D GGG"
    table.key("chow").tiles("3B", "5B").save().waits("1 hand waits")
    assert table.text == ""
    table.save()
    expect(notice).to_contain_text("Say who won, or that nobody did.")
    table.seat(1).save()
    expect(notice).to_contain_text("Choose the discarder")


@pytest.mark.thorough
def test_an_answer_from_before_the_network_was_gone_takes_no_word_back(table):
    """The preview was asked for while there was a network; its answer comes after Save found none."""
    late = []
    table.won(1, 0).tiles("2B").says("three more sets")
    table.page.route("**/preview/", lambda route: late.append((route, route.fetch())), times=1)
    table.tiles("2D")
    wait_until(table.page, lambda: late, "The hand was not asked about.")
    away(table).save()
    notice = table.page.locator("[data-notice]")
    expect(notice).to_contain_text("No network, and this hand is not complete yet.")
    route, answer = late[0]
    route.fulfill(response=answer)
    table.says("two more sets")
    expect(notice).to_contain_text("No network, and this hand is not complete yet.")
    away(table, False)
    expect(notice).to_be_hidden()


@pytest.mark.thorough
def test_a_hand_that_waits_can_be_thrown_away_and_the_next_moves_up(table):
    away(table)
    table.won(1, 0).tap("[data-opens=score]").digits(["50"]).save().waits("1 hand waits")
    table.draw().save().waits("2 hands wait")
    table.waiting.locator("summary").click()
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.waiting.get_by_role("button", name="Throw it away").first.click()
    table.waits("1 hand waits")
    away(table, False)
    expect(table.waiting).to_be_hidden()
    hand = Hand.objects.get()
    assert (hand.number, hand.outcome) == (1, "draw")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("lose", "words"),
    [
        (away, "It is only on this phone."),
        (
            lambda table: table.page.route("**/hands/", lambda route: route.abort()),
            "It may have reached the site",
        ),
    ],
    ids=["the phone has no network", "its request failed"],
)
def test_who_throws_a_hand_away_is_told_where_it_may_be(table, lose, words):
    lose(table)
    with table.page.expect_event("requestfailed"):
        table.draw().save().waits("1 hand waits")
    table.waiting.locator("summary").click()
    expect(table.waiting.get_by_role("button", name="Throw it away")).to_be_visible()
    asked = []
    table.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    table.waiting.get_by_role("button", name="Throw it away").click()
    expect(table.waiting).not_to_contain_text("1 hand waits")
    assert words in asked[0]


@pytest.mark.thorough
def test_a_hand_that_is_being_sent_is_neither_thrown_away_nor_corrected(table):
    held = []

    def hold(route):
        held.append(route)

    table.page.route("**/hands/", hold)
    table.draw().save().waits("1 hand waits")
    table.waiting.locator("summary").click()
    expect(table.waiting.locator("li")).to_contain_text("being sent")
    expect(table.waiting.get_by_role("button")).to_have_count(0)
    wait_until(table.page, lambda: held, "The hand was not sent.")
    held[0].continue_()
    expect(table.waiting).to_be_hidden()


# What a phone without room does with whatever it is to store.
IS_FULL = """
() => {
    IDBObjectStore.prototype.put = function () {
        this.transaction.abort();
    };
}
"""


@pytest.mark.thorough
def test_what_is_thrown_away_on_a_full_phone_is_not_sent_by_the_next_page(table):
    away(table)
    table.draw().save().waits("1 hand waits")
    table.page.evaluate(IS_FULL)
    table.won(1, 0).tap("[data-opens=score]").digits(["60"]).save()
    table.waits("2 hands wait").waits("This phone cannot store hands: leave this page open")
    table.waiting.locator("summary").click()
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.waiting.get_by_role("button", name="Throw it away").first.click()
    table.waits("1 hand waits")
    assert table.page.evaluate(ENTRIES) == []


DELETE = """
() => new Promise((resolve, reject) => {
  const request = indexedDB.deleteDatabase("table");
  request.onsuccess = () => resolve();
  request.onblocked = () => reject(new Error("The page keeps it."));
  request.onerror = () => reject(request.error);
})
"""


@pytest.mark.thorough
def test_hands_whose_storage_is_wiped_under_the_page_are_put_back_and_sent(table, live_server):
    away(table)
    table.draw().save().waits("1 hand waits")
    table.draw().save().waits("2 hands wait")

    def put_back():
        # While the storage is being wiped it cannot be read.
        return len(table.page.evaluate(f"() => ({ENTRIES})().catch(() => [])")) == 2

    table.page.evaluate(DELETE)
    wait_until(table.page, put_back, "What a script has deleted was not put back.")
    session = table.page.context.new_cdp_session(table.page)
    storage = {"origin": live_server.url, "storageTypes": "indexeddb"}
    session.send("Storage.clearDataForOrigin", storage)
    wait_until(table.page, put_back, "What the browser has wiped was not put back.")
    table.draw().save().waits("3 hands wait")
    away(table, False)
    expect(table.waiting).to_be_hidden()
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2, 3]


@pytest.mark.thorough
def test_a_hand_that_another_phone_logged_holds_up_the_rest_until_it_is_settled(
    table, game, expect_status
):
    expect_status(409)
    away(table)
    table.won(1, 0).tap("[data-opens=score]").digits(["50"]).save().waits("1 hand waits")
    table.won(2, 0).tap("[data-opens=score]").digits(["60"]).save().waits("2 hands wait")
    ann = make_member("ann", player=game.players[3])
    make_hand(game, winner=1, by=ann)

    away(table, False)
    # It lies in the form by itself; the one behind it says what it waits for.
    expect(table.page.locator(".conflict")).to_contain_text(
        f"Logged as hand 1 by {game.players[3]}"
    )
    table.waits("1 hand waits").waiting.locator("summary").click()
    expect(table.waiting.locator("li")).to_contain_text("waiting for hand 1")
    assert Hand.objects.count() == 1
    table.page.once("dialog", lambda dialog: dialog.accept())  # the score was typed
    table.page.get_by_role("link", name="Same hand – discard mine").click()
    expect(table.page.locator("h1")).to_contain_text("hand 3")
    expect(table.waiting).to_be_hidden()
    assert [hand.final for hand in Hand.objects.order_by("number")] == [70, 60]


@pytest.mark.thorough
def test_a_hand_that_is_another_one_pushes_the_rest_along(table, game, expect_status):
    expect_status(409)
    away(table)
    table.won(1, 0).tap("[data-opens=score]").digits(["50"]).save().waits("1 hand waits")
    table.won(2, 0).tap("[data-opens=score]").digits(["60"]).save().waits("2 hands wait")
    make_hand(game, winner=1)

    away(table, False)
    table.page.get_by_role("button", name="save mine as hand 2").click()
    expect(table.waiting).to_be_hidden()
    assert [hand.final for hand in Hand.objects.order_by("number")] == [70, 50, 60]


@pytest.mark.thorough
def test_a_page_that_is_not_kept_leads_offline_to_the_tables_that_are(table, live_server):
    away(table)
    table.page.goto(f"{live_server.url}/players/")
    expect(table.page.locator("h1")).to_have_text("No network")
    table.page.get_by_role("link", name=str(table.game.players[0])).click()
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")


@pytest.mark.thorough
def test_a_hand_saved_before_the_storage_answers_waits_for_no_network(table, live_server):
    table.page.add_init_script("""
      if (location.pathname.startsWith("/games/")) {
        IDBFactory.prototype.open = () => ({});
      }
    """)
    away(table).page.reload()
    table.draw()
    table.page.get_by_role("button", name="Save").click()
    expect(table.page.locator("[data-notice]")).to_contain_text("still reading what it keeps")
    table.page.goto(f"{live_server.url}/players/")
    expect(table.page.locator("h1")).to_have_text("No network")
    table.waits("1 hand is begun and not saved")
    expect(table.page.locator("[data-waiting-list] [data-entry=state]")).to_have_text(
        "not saved yet"
    )


def test_who_signs_out_while_hands_wait_is_asked(table, live_server):
    # Nothing gets through but the page itself: this network is a bad one.
    table.page.route("**/hands/", lambda route: route.abort())
    table.won(1, 0).tap("[data-opens=score]").digits(["50"]).save().waits("1 hand waits")
    table.page.goto(f"{live_server.url}/leagues/")
    asked = []
    table.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    sign_out = table.page.get_by_role("button", name="Sign out")
    table.page.get_by_role("button", name="Menu").click()
    sign_out.click()
    assert "stay here until you sign in" in asked[0]
    expect(sign_out).to_be_visible()
    table.page.once("dialog", lambda dialog: dialog.accept())
    sign_out.click()
    expect(table.page.get_by_role("link", name="Sign in").first).to_be_visible()
    table.waits("1 hand waits")


@pytest.mark.thorough
def test_who_signs_out_leaves_no_table_behind_once_the_site_has_answered(table, live_server):
    table.page.goto(f"{live_server.url}/leagues/")
    table.page.get_by_role("button", name="Menu").click()
    away(table)
    heard = []
    table.page.once("dialog", lambda dialog: (heard.append(dialog.message), dialog.accept()))
    table.page.get_by_role("button", name="Sign out").click()
    wait_until(table.page, lambda: heard, "Nothing was heard.")
    assert heard == ["No network: you stay signed in. Sign out when the network is back."]
    table.page.evaluate("document.querySelector('[data-sign-out]').submit()")  # a bad network
    expect(table.page.locator("h1")).to_have_text("No network")
    table.page.goto(table.url)
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    away(table, False)
    table.page.goto(f"{live_server.url}/leagues/")
    table.page.get_by_role("button", name="Menu").click()
    table.page.get_by_role("button", name="Sign out").click()
    expect(table.page.get_by_role("link", name="Sign in")).to_be_visible()
    away(table)
    table.page.goto(table.url)
    expect(table.page.locator("h1")).to_have_text("No network")
