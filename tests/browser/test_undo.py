"""One tap takes the hand just saved back, and it lies in the form to be corrected."""

import re

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.games import finish_game
from scoring.services.hands.restore import restore_hand
from tests.browser.any_evening import ENTRIES
from tests.browser.table_page import TablePage
from tests.factories import make_hand, make_organiser
from tests.support.browser import user_of, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TROUBLE = re.compile(r"\blog__notice--trouble\b")


@pytest.fixture
def table(phone, live_server, game):
    return TablePage(phone(player=game.players[0], width=360), live_server.url, game).open()


@pytest.fixture
def undo(table):
    return table.page.get_by_role("button", name="Undo")


def test_an_undone_hand_is_in_the_form_again_and_is_saved_corrected(table, undo, game):
    table.seed_hand().says("70").save().saved("wins 70")
    undo.click()
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    assert sorted(table.text.split()) == sorted(["222B", "222D", "GGG", "345B", "55B"])
    table.says("+280")
    table.tap("[data-seat] >> nth=2").says("−70").save().saved("Hand 1")
    statuses = list(Hand.objects.order_by("pk").values_list("status", "discarder"))
    assert statuses == [("void", game.players[0].pk), ("live", game.players[2].pk)]


@pytest.mark.thorough
def test_an_undone_limit_hand_goes_on_where_its_key_has_begun(table, undo):
    table.won(1, 1).pick_limit("big_three_dragons").says("500").save().saved("wins 500")
    undo.click()
    expect(table.page.locator("[data-hand-view] [data-group]")).to_have_count(3)
    expect(table.page.locator("[data-prompt-text]")).to_have_text(
        "Tap the fourth set, then the pair."
    )
    table.says("not checked").tiles("2B", "5C").says("500").save().saved("wins 500")
    hand = Hand.objects.latest("pk")
    assert (hand.checked, hand.claimed_limit) == (True, "")
    assert "big_three_dragons" in hand.card["limits"]


@pytest.mark.thorough
def test_the_page_says_which_hand_is_being_taken_back_whatever_is_done_meanwhile(
    table, undo, notice
):
    table.seed_hand().says("70").save().saved("wins 70")
    table.page.route("**/undo/", lambda _route: None)
    undo.click()
    expect(notice).to_have_text("Hand 1 is being taken back…")
    table.draw().save().waits("1 hand waits")
    expect(notice).to_have_text("Hand 1 is being taken back…")
    expect(notice).not_to_have_class(TROUBLE)
    table.open()  # it is asked for again
    expect(notice).to_have_text("Hand 1 is being taken back…")
    table.page.unroute("**/undo/")
    expect(notice).to_contain_text("Hand 1 was taken back")


@pytest.mark.thorough
def test_the_undo_of_the_hand_before_goes_while_the_next_one_is_worked_out(table, undo):
    """Who taps it then means the one that was just entered."""
    table.seed_hand().says("70").save().saved("wins 70")
    table.page.route("**/preview/", lambda _route: None)
    table.tap("[data-seat] >> nth=1")
    expect(undo).to_be_hidden()
    expect(table.page.locator(".saved")).to_have_css("visibility", "hidden")


@pytest.mark.thorough
def test_who_undoes_with_keys_goes_on_at_what_came_of_it(table, undo, notice):
    table.seed_hand().says("70").save().saved("wins 70")
    undo.press("Enter")
    expect(notice).to_contain_text("Hand 1 was taken back")
    expect(notice).to_be_focused()


@pytest.mark.thorough
def test_an_undone_hand_that_is_restored_is_no_longer_to_be_entered(table, undo, notice, game):
    table.seed_hand().says("70").save().saved("wins 70")
    undo.click()
    expect(notice).to_contain_text("Hand 1 was taken back")
    restore_hand(Hand.objects.get(), by=user_of(game.players[1]), reason="It was right")
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    expect(notice).to_be_hidden()
    assert (table.text, table.chosen) == ("", ("", ""))
    table.draw().save().saved("Hand 2")
    assert table.page.evaluate(ENTRIES) == []


@pytest.mark.thorough
def test_a_hand_undone_where_a_form_was_refused_leads_to_its_table(table, undo, expect_status):
    expect_status(422)
    with table.page.expect_navigation(url="**/hands/"):
        table.page.evaluate("document.querySelector('[data-hand-form]').submit()")
    expect(table.page.locator("[data-hand-form][data-started]")).to_be_attached()
    table.draw().save().saved("Hand 1")
    undo.click()
    wait_until(table.page, lambda: table.page.evaluate(ENTRIES), "Nothing was given back.")
    [entry] = table.page.evaluate(ENTRIES)
    assert entry["page"] == f"/games/{table.game.pk}/"


@pytest.mark.thorough
def test_undo_under_a_finger_stays_while_the_page_is_loaded_anew(table, undo, notice):
    """Each answer says for how many seconds there is an Undo: that alone makes no other button."""
    page, held = table.page, []
    page.evaluate("document.addEventListener('htmx:afterSettle', () => { window.settled = true; })")

    def hold(route):
        held.append(route)

    page.route("**/live/", hold, times=1)
    table.draw().save().saved("Hand 1")
    wait_until(page, lambda: held, "The page does not ask how the table stands.")
    undo.hover()
    page.mouse.down()
    held[0].continue_()
    wait_until(page, lambda: page.evaluate("window.settled"), "The table is not shown anew.")
    page.mouse.up()
    expect(notice).to_contain_text("Hand 1 was taken back")


@pytest.mark.thorough
def test_undo_stays_through_a_reload_and_goes_with_the_first_tap(table, undo):
    table.draw().save().saved("Hand 1")
    table.open()
    expect(undo).to_be_visible()
    table.seat(1).says("four sets and a pair")
    expect(undo).to_be_hidden()
    table.seat(1).seat(1)
    expect(undo).to_be_visible()


def test_undo_goes_away_after_a_minute(table, undo):
    table.page.clock.install()
    table.draw().save().saved("Hand 1")
    expect(table.page.locator(".sheet tbody tr")).to_have_count(1)
    expect(undo).to_be_visible()
    table.page.clock.fast_forward(61_000)
    expect(undo).to_have_count(0)


@pytest.mark.thorough
def test_an_undo_that_is_too_late_says_so(table, undo, game, expect_status):
    expect_status(409)
    # The page hears of no other hand: else Undo would be gone.
    table.page.route("**/live/", lambda route: route.fulfill(status=304))
    table.draw().save().saved("Hand 1")
    make_hand(game)
    undo.click()
    expect(table.page.locator("[data-notice]")).to_contain_text("no longer the last one")
    expect(table.page.locator("[data-notice]")).to_have_class(TROUBLE)
    assert Hand.objects.current().count() == 2


@pytest.mark.thorough
def test_what_came_of_a_late_undo_is_still_said_when_the_next_hand_is_refused(
    table, undo, notice, game, expect_status
):
    for status in (503, 409):
        expect_status(status)
    table.draw().save().saved("Hand 1")
    for address in ("**/undo/", "**/live/"):
        table.page.route(address, lambda route: route.fulfill(status=503))
    undo.click()
    expect(notice).to_contain_text("nobody knows yet")
    table.draw().save().waits("1 hand waits")
    make_hand(game)
    for address in ("**/undo/", "**/live/"):
        table.page.unroute(address)
    expect(table.page.locator("[data-refusal]")).to_contain_text("Hand 2 is already logged")
    expect(notice).to_contain_text("Hand 1 is no longer the last one")


@pytest.mark.thorough
def test_undo_goes_away_after_a_minute_also_after_a_reload(table, undo):
    table.page.clock.install()
    table.draw().save().saved("Hand 1")
    table.open()
    expect(undo).to_be_visible()
    table.seat(1).says("four sets and a pair")
    table.seat(1).seat(1)
    expect(undo).to_be_visible()
    table.page.clock.fast_forward(61_000)
    expect(undo).to_have_count(0)


@pytest.fixture
def answered_again(table, undo, notice, expect_status):
    """The answer to an undo was lost; ``answered_again()``: the page hears it."""
    expect_status(0)
    table.seed_hand().says("70").save().saved("wins 70")

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    table.page.route("**/undo/", lose_the_answer)
    table.page.route("**/live/", lambda route: route.abort())
    undo.click()
    expect(notice).to_contain_text("nobody knows yet whether the hand is taken back")

    def answered_again():
        table.page.unroute("**/undo/")
        table.page.unroute("**/live/")
        expect(notice).to_contain_text("Hand 1 was taken back")

    return answered_again


@pytest.mark.thorough
def test_an_undo_whose_answer_was_lost_is_sent_again(table, answered_again):
    """The site has taken the hand back: the page finds out, and what was entered lies there again."""
    answered_again()
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    assert sorted(table.text.split()) == sorted(["222B", "222D", "GGG", "345B", "55B"])
    assert [hand.status for hand in Hand.objects.all()] == ["void"]


@pytest.mark.thorough
def test_a_hand_that_was_logged_anew_before_its_undo_is_heard_of_is_not_logged_twice(
    table, answered_again, game, expect_status
):
    """Its player's phone has it in the form again, at its own place: there the other one stands."""
    expect_status(409)
    make_hand(game, winner=1, discarder=game.players[0].pk, tiles="222B 345B 55B 222D GGG")
    answered_again()
    expect(table.page.locator("[name=number]")).to_have_value("1")
    table.says("Hand 1 is already logged")
    table.save()
    expect(table.page.locator(".conflict")).to_contain_text("Hand 1 is already logged")
    assert logged() == [(1, "win", "void"), (1, "win", "live")]


@pytest.mark.thorough
def test_what_is_saved_before_an_undo_is_answered_is_the_next_hand(table, undo, notice):
    """The page has seen that the hand is gone, and the right one is entered: then the old one comes back."""
    table.draw().save().saved("Hand 1")
    table.draw().save().saved("Hand 2")
    held = []
    table.page.route("**/undo/", lambda route: held.append((route, route.fetch())))
    undo.click()
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    wait_until(table.page, lambda: held, "the undo is asked for")
    table.draw().save().waits("1 hand waits")
    route, answer = held[0]
    route.fulfill(response=answer)
    table.waits("waiting for hand 2")
    expect(table.waiting).to_contain_text("Hand 3")
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.page.locator("[data-discard]").click()
    expect(table.waiting).to_be_hidden()
    assert logged() == [(1, "draw", "live"), (2, "draw", "void"), (2, "draw", "live")]


@pytest.mark.thorough
def test_a_save_that_is_answered_after_its_undo_is_not_shown_as_saved(table, undo, notice):
    held = []
    table.page.route("**/hands/", lambda route: held.append((route, route.fetch())))
    table.draw().save()
    undo.click()  # the board has the hand, though its phone has no answer yet
    expect(notice).to_contain_text("Hand 1 was taken back")
    wait_until(table.page, lambda: held, "The hand was not answered.")
    route, answer = held[0]
    route.fulfill(response=answer)
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.page.locator("[data-discard]").click()
    expect(table.page.locator("[data-discard]")).to_be_hidden()
    expect(table.waiting).to_be_hidden()
    expect(table.page.locator("#saved")).to_have_count(0)


@pytest.mark.thorough
def test_an_undo_that_a_site_in_trouble_refused_is_sent_again(table, undo, expect_status):
    """The answer of something in between tells nothing about the hand."""
    expect_status(503)
    table.draw().save().saved("Hand 1")
    table.page.route("**/undo/", lambda route: route.fulfill(status=503), times=1)
    undo.click()
    expect(table.page.locator("[data-notice]")).to_contain_text("Hand 1 was taken back")
    assert [hand.status for hand in Hand.objects.all()] == ["void"]


@pytest.mark.thorough
def test_an_undo_in_a_game_that_was_ended_says_what_became_of_the_hand(table, undo, game):
    """The page around the sentence is a new one by then."""
    table.draw().save().saved("Hand 1")
    finish_game(game, by=make_organiser())
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    undo.click()
    expect(table.page.get_by_text("No hands yet.")).to_be_visible()
    expect(table.page.locator("[data-notice]")).to_contain_text("Hand 1 was taken back")
    table.waits("No winner (draw)")


@pytest.mark.thorough
def test_a_notice_goes_with_the_next_tap(table, undo):
    table.draw().save().saved("Hand 1")
    undo.click()
    notice = table.page.locator("[data-notice]")
    expect(notice).to_contain_text("Hand 1 was taken back. It is in the form again")
    expect(notice).not_to_have_class(TROUBLE)
    table.seat(1)
    expect(notice).to_be_hidden()


@pytest.fixture
def notice(table):
    return table.page.locator("[data-notice]")


@pytest.fixture
def network(table, expect_status):
    """``network(False)``: the site is not reached by the page of the table, nor told to the page otherwise."""
    expect_status(0)
    addresses = ["**/undo/", "**/live/", "**/hands/", "**/preview/"]

    def network(is_there):
        for address in addresses:
            if is_there:
                table.page.unroute(address)
            else:
                table.page.route(address, lambda route: route.abort())

    return network


def logged():
    return list(Hand.objects.order_by("pk").values_list("number", "outcome", "status"))


@pytest.mark.thorough
def test_an_undo_whose_page_is_reloaded_before_the_answer_gives_the_hand_back(
    table, undo, notice, expect_status
):
    expect_status(0)
    table.seed_hand().says("70").save().saved("wins 70")
    done = []

    def answer_nothing(route):
        route.fetch()
        done.append(True)

    table.page.route("**/undo/", answer_nothing, times=1)
    undo.click()
    wait_until(table.page, lambda: done, "The site was not asked.")
    assert logged() == [(1, "win", "void")]
    table.open()
    expect(notice).to_contain_text("Hand 1 was taken back. It is in the form again")
    assert sorted(table.text.split()) == sorted(["222B", "222D", "GGG", "345B", "55B"])
    table.says("70").save().saved("Hand 1")


@pytest.mark.thorough
def test_an_undo_without_an_answer_is_in_sight_until_there_is_one(table, undo, notice, network):
    """Also after a reload, and after the next hand was saved: the undo goes first."""
    table.draw().save().saved("Hand 1")
    network(False)
    undo.click()
    expect(notice).to_contain_text("nobody knows yet whether the hand is taken back")
    table.seat(1)
    expect(notice).to_contain_text("nobody knows yet whether the hand is taken back")
    table.open()
    expect(notice).to_contain_text("taken back")
    table.seat(1).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B")
    table.save().waits("1 hand waits")
    expect(notice).to_contain_text("taken back")
    network(True)
    expect(notice).to_contain_text("Hand 1 was taken back. It is in the form again")
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    assert table.chosen == ("draw", "")
    table.waiting.locator("summary").click()
    expect(table.waiting.locator("li")).to_contain_text("waiting for hand 1")
    table.save()
    expect(table.page.locator(".sheet tbody tr")).to_have_count(2)
    expect(table.waiting).to_be_hidden()
    assert logged() == [(1, "draw", "void"), (1, "draw", "live"), (2, "win", "live")]


@pytest.mark.thorough
def test_an_undo_without_a_network_takes_nothing_back_and_says_so(
    table, undo, notice, expect_status
):
    """Nothing leaves the phone, so that nothing is to be found out, and hands go on."""
    expect_status(0)
    table.draw().save().saved("Hand 1")
    asked = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.page.context.set_offline(True)
    undo.click()
    expect(notice).to_contain_text("No network: the hand is not taken back.")
    assert [url for url in asked if "/undo/" in url] == []
    table.draw().save().waits("1 hand waits")
    table.page.context.set_offline(False)
    expect(table.waiting).to_be_hidden()
    assert logged() == [(1, "draw", "live"), (2, "draw", "live")]


@pytest.mark.thorough
def test_an_undone_hand_beside_another_is_in_the_list_and_comes_first(table, undo, notice, network):
    table.seed_hand().says("70").save().saved("wins 70")
    network(False)
    undo.click()
    expect(notice).to_contain_text("nobody knows yet")
    table.won(2, 3).tiles("5C", "6C")
    network(True)
    expect(notice).to_contain_text("Hand 1 was taken back. Another hand is in the form")
    assert table.text == "555C 666C"
    expect(table.page.locator("[name=number]")).to_have_value("2")
    line = table.waiting.locator("li")
    expect(line).to_be_visible()
    expect(line).to_contain_text(f"{table.page.locator('[data-name]').nth(1).inner_text()}, on")
    expect(line).to_contain_text("222B")
    line.get_by_role("button", name="Correct it").click()
    table.says("70").save()
    expect(table.page.locator("#id_tiles")).to_have_value("555C 666C")
    expect(table.page.locator("[name=number]")).to_have_value("2")
    assert [hand.final for hand in Hand.objects.current()] == [70]


@pytest.mark.thorough
def test_an_undo_waits_as_long_as_the_site_asks(table, undo, notice, expect_status):
    expect_status(503)
    table.draw().save().saved("Hand 1")
    asked = []

    def trouble(route):
        asked.append(True)
        route.fulfill(status=503, headers={"Retry-After": "6"})

    table.page.route("**/undo/", trouble)
    undo.click()
    expect(notice).to_contain_text("The site cannot answer now")
    before = len(asked)  # more than one where this machine was too busy to answer in time
    for _poll in range(2):
        with table.page.expect_response("**/live/"):
            pass
    assert len(asked) == before
    # Once it has failed again, and nothing else, hands go on.
    table.draw().save().saved("Hand 2")
    expect(notice).to_contain_text("The site cannot answer now")


@pytest.fixture
def other(table, live_server, game):
    """``other()``: a second tab, which offers to undo the hand that is on the site, and hears of nothing since."""

    def other():
        page = table.page.context.new_page()
        page.route("**/live/", lambda route: route.fulfill(status=304))
        return TablePage(page, live_server.url, game).open()

    return other


def undo_in(tab):
    tab.page.get_by_role("button", name="Undo").click()
    return tab.page.locator("[data-notice]")


HIDDEN = """() => Object.defineProperty(document, "visibilityState", {get: () => "hidden"})"""


@pytest.mark.thorough
def test_an_undo_of_a_tab_out_of_sight_is_asked_again_before_what_another_tab_has_saved(
    table, undo, notice, live_server, game, expect_status
):
    expect_status(0)
    table.draw().save().saved("Hand 1")
    tab = TablePage(table.page.context.new_page(), live_server.url, game).open()
    # Nothing of this tab is answered: an undo that fails alone would let hands go on.
    for address in ("**/undo/", "**/live/"):
        table.page.route(address, lambda route: route.abort())
    table.page.evaluate(HIDDEN)
    undo.click()
    expect(notice).to_contain_text("nobody knows yet")
    tab.draw().save().waits("1 hand waits").waiting.locator("summary").click()
    tab.waits("waiting until the site has answered an undo")
    table.page.unroute_all()
    table.page.evaluate("window.dispatchEvent(new Event('online'))")
    # The hand that was undone comes before it.
    tab.waits("waiting for hand 1")
    assert [hand.status for hand in Hand.objects.all()] == ["void"]


@pytest.mark.thorough
def test_an_undo_that_fails_alone_in_a_tab_out_of_sight_holds_no_other_tab(
    table, undo, notice, live_server, game, expect_status
):
    expect_status(0)
    table.draw().save().saved("Hand 1")
    tab = TablePage(table.page.context.new_page(), live_server.url, game).open()
    table.page.route("**/undo/", lambda route: route.abort())
    table.page.evaluate(HIDDEN)
    undo.click()
    expect(notice).to_contain_text("nobody knows yet")
    tab.draw().save().saved("Hand 2")


@pytest.mark.thorough
def test_a_tab_that_is_gone_holds_no_hands(table, game, expect_status):
    """A browser that is killed may not have stored that a tab holds its table no longer."""
    expect_status(0)
    table.page.context.set_offline(True)
    table.draw().save().waits("1 hand waits")
    table.page.evaluate(
        "name => localStorage.setItem(name, String(Date.now() + 75_000))",
        f"held {user_of(game.players[0]).pk} {game.pk} gone",
    )
    table.page.context.set_offline(False)
    table.open()
    expect(table.page.locator(".sheet tbody tr")).to_have_count(1)
    expect(table.waiting).to_be_hidden()


@pytest.mark.thorough
def test_a_hand_that_is_undone_in_two_tabs_comes_back_once(table, undo, notice, other):
    table.seed_hand().says("70").save().saved("wins 70")
    tab = other()
    undo.click()
    expect(notice).to_contain_text("Hand 1 was taken back")
    expect(undo_in(tab)).to_contain_text("Hand 1 was taken back")
    assert sorted(tab.text.split()) == sorted(table.text.split()) != []
    assert len(table.page.evaluate(ENTRIES)) == 1
    expect(table.waiting).to_be_hidden()
    expect(tab.waiting).to_be_hidden()


@pytest.mark.thorough
@pytest.mark.parametrize("end", ["saved", "thrown away"])
def test_an_undone_hand_that_is_no_longer_on_the_phone_does_not_come_back(
    end, table, undo, notice, other
):
    """Another tab hears only then that it is undone."""
    table.seed_hand().says("70").save().saved("wins 70")
    tab = other()
    undo.click()
    expect(notice).to_contain_text("Hand 1 was taken back")
    if end == "saved":
        table.says("70").save().saved("wins 70")
    else:
        table.page.once("dialog", lambda dialog: dialog.accept())
        table.page.get_by_role("button", name="Throw it away").click()
        expect(table.page.locator("#id_tiles")).to_have_value("")
    expect(undo_in(tab)).to_have_text("Hand 1 had been taken back already.")
    assert tab.text == ""
    assert table.page.evaluate(ENTRIES) == []


@pytest.fixture
def sessionless_undo(table, undo, expect_status):
    """The site takes the hand back; its answer is lost, and the session as well."""
    expect_status(0)
    expect_status(401)
    table.seed_hand().says("70").save().saved("wins 70")

    def lose_all(route):
        route.fetch()
        table.page.context.clear_cookies(name="sessionid")
        route.abort()

    table.page.route("**/undo/", lose_all, times=1)
    undo.click()


SIGNED_OUT = "You are signed out: nobody knows yet whether the hand is taken back."


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["elsewhere", "here"])
def test_an_undo_whose_answer_and_session_were_lost_ends_once_somebody_signs_in(
    way, table, sessionless_undo, notice, sign_in, game
):
    expect(notice).to_contain_text(SIGNED_OUT)
    table.seat(1).seat(1).seat(1)
    expect(notice).to_contain_text(SIGNED_OUT)
    if way == "here":
        # The last tap has emptied the form: a page that goes before that is stored leaves a hand behind.
        table.page.wait_for_function(f"async () => !(await ({ENTRIES})()).length")
        table.page.goto("about:blank")  # else the page that goes may be the one that hears of it
    sign_in(table.page, game.players[0].user)
    if way == "here":
        table.open()
    expect(notice).to_contain_text("Hand 1 was taken back")
    assert logged() == [(1, "win", "void")]
    assert len(table.page.evaluate(ENTRIES)) == 1
    assert sorted(table.text.split()) == sorted(["222B", "222D", "GGG", "345B", "55B"])
    table.says("70").save().saved("Hand 1")
    assert logged() == [(1, "win", "void"), (1, "win", "live")]


@pytest.mark.thorough
def test_a_hand_saved_behind_such_an_undo_waits_for_it(
    table, sessionless_undo, notice, sign_in, game
):
    expect(notice).to_contain_text(SIGNED_OUT)
    table.draw().save().waits("You are signed out. 1 hand waits")
    sign_in(table.page, game.players[0].user)
    expect(notice).to_contain_text("Hand 1 was taken back")
    table.says("70").save()
    expect(table.page.locator(".sheet tbody tr")).to_have_count(2)
    expect(table.waiting).to_be_hidden()
    assert logged() == [(1, "win", "void"), (1, "win", "live"), (2, "draw", "live")]


@pytest.mark.thorough
def test_who_was_signed_out_before_undo_is_told_that_the_hand_is_not_taken_back(
    table, undo, notice, expect_status
):
    expect_status(401)
    table.draw().save().saved("Hand 1")
    table.page.context.clear_cookies(name="sessionid")
    undo.click()
    expect(notice).to_have_text("You are signed out: the hand is not taken back.")
    assert logged() == [(1, "draw", "live")]
