"""Which number the hand in the form has, while other hands of this phone are on their way."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import undo_hand
from tests.factories import make_hand, make_member, make_organiser
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def no_network_is_part_of_the_story(expect_status):
    expect_status(0)


@pytest.fixture
def offline(table):
    """Switches the network of the phone off, or on again."""
    return table.page.context.set_offline


def outcomes(table):
    """Of the two hands that are on the site in the end."""
    expect(table.page.locator(".sheet tbody tr")).to_have_count(2)
    expect(table.waiting).to_be_hidden()
    return [hand.outcome for hand in Hand.objects.order_by("number")]


@pytest.mark.thorough
def test_a_hand_begun_behind_one_that_waits_keeps_its_number_when_the_game_is_reopened(
    table, game, offline, expect_status
):
    """The hand before it is shut out meanwhile, and sent once the game goes on."""
    expect_status(409)
    offline(True)
    table.draw().save().waits("1 hand waits")
    table.seed_hand().says("earlier hands have been sent")
    finish_game(game, by=make_organiser())
    offline(False)
    table.waits("1 hand was not accepted. 1 hand is begun and not saved.")
    reopen_game(game, by=make_organiser("other"), reason="We play on")
    table.says("70")
    expect(table.page.locator("[name=number]")).to_have_value("2")
    table.save().saved("Hand 2")
    assert outcomes(table) == ["draw", "win"]


@pytest.mark.thorough
def test_a_hand_saved_while_the_one_before_it_is_still_shut_out_is_the_next(
    table, game, offline, expect_status
):
    expect_status(409)
    offline(True)
    table.draw().save().waits("1 hand waits")
    finish_game(game, by=make_organiser())
    offline(False)
    table.waits("1 hand was not accepted.")
    table.page.route("**/hands/", lambda route: route.abort())
    reopen_game(game, by=make_organiser("other"), reason="We play on")
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    table.seed_hand().save().waits("hand")
    expect(table.page.locator("[name=number]")).to_have_value("3")  # it is saved
    table.page.unroute("**/hands/")
    assert outcomes(table) == ["draw", "win"]


@pytest.mark.thorough
def test_a_hand_begun_behind_one_that_is_refused_is_the_one_after_it(table, offline, expect_status):
    """It is not put in the place of the refused one, and is sent behind it."""
    expect_status(422)
    offline(True)
    table.won(1, 0).write("222B 222D GGG 345B 5B 7B").save().waits("1 hand waits")
    table.won(2, 0).write("222B 222D GGG 345B 55B")
    offline(False)
    table.waits("1 hand was not accepted.")
    expect(table.page.locator("[name=number]")).to_have_value("2")
    table.save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.draw().save()
    assert outcomes(table) == ["draw", "win"]


@pytest.mark.thorough
def test_a_hand_that_is_begun_moves_up_when_the_one_before_it_is_thrown_away(table, offline):
    offline(True)
    table.draw().save().waits("1 hand waits")
    table.seed_hand()
    expect(table.page.locator("[name=number]")).to_have_value("2")
    table.waiting.locator("summary").click()
    table.page.once("dialog", lambda dialog: dialog.accept())
    item = table.waiting.get_by_role("listitem").filter(has_text="No winner")
    item.get_by_role("button", name="Throw it away").click()
    expect(table.page.locator("[name=number]")).to_have_value("1")
    # Somebody else logs a hand 1: it may be the same.
    make_hand(table.game)
    offline(False)
    table.says("Hand 1 is already logged")


# What `prototype.method` makes hears of `event` only once `window.found` says so, all in the order in which it came.
SLOW = """
() => {
    const prototype = %s.prototype;
    const make = prototype.%s;
    const waiting = [];
    setInterval(() => {
        while (window.found && waiting.length) {
            waiting.shift()();
        }
    }, 20);
    prototype.%s = function (...names) {
        const made = make.apply(this, names);
        Object.defineProperty(made, "on%s", {
            set(act) {
                made.addEventListener("%s", (event) => waiting.push(() => act.call(made, event)));
            },
        });
        return made;
    };
}
"""


def slow(prototype, method, event):
    return SLOW % (prototype, method, method, event, event)


# A disk on which the list of hands is found late, and one that says late what it has written.
SLOW_DISK = slow("IDBFactory", "open", "success")
SLOW_TO_WRITE = slow("IDBDatabase", "transaction", "complete")


@pytest.mark.thorough
def test_a_hand_begun_before_the_list_is_read_comes_after_those_that_wait(table):
    table.page.route("**/hands/", lambda route: route.abort())
    table.draw().save().waits("1 hand waits")
    table.page.add_init_script(f"({SLOW_DISK})()")
    table.page.reload()
    table.seat(1)
    table.page.evaluate("window.found = true")
    expect(table.page.locator("[name=number]")).to_have_value("2")
    table.seat(0).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B").save().waits("2 hands wait")
    table.page.unroute("**/hands/")
    assert outcomes(table) == ["draw", "win"]


# Loads the form again; the one that was there is marked.
RENEW = """
() => {
    document.querySelector("[data-hand-form]").dataset.old = "";
    window.htmx.trigger("#log", "renew");
}
"""
ANEW = "[data-hand-form]:not([data-old])"


@pytest.mark.thorough
def test_a_form_that_comes_anew_between_two_taps_has_the_first(table):
    """The game was over and goes on: its form is loaded again, before the phone has stored the tap."""
    table.page.evaluate(SLOW_TO_WRITE)
    table.seat(1)
    table.page.evaluate(RENEW)
    expect(table.page.locator(f"{ANEW}[data-started]")).to_be_attached()
    table.seat(0)
    table.page.evaluate("window.found = true")
    winner, discarder = (table.game.players[place].pk for place in (1, 0))
    assert table.chosen == (str(winner), str(discarder))
    table.tiles("2B", "2D", "G").key("chow").tiles("3B", "5B").save().saved("Hand 1")
    expect(table.waiting).to_be_hidden()


# Saves at the first moment at which another form stands in the page.
SAVE_AT_ONCE = """
(anew) => {
    new MutationObserver((_changes, observer) => {
        const form = document.querySelector(anew);
        if (form) {
            observer.disconnect();
            form.querySelector("[data-save]").click();
        }
    }).observe(document.body, {childList: true, subtree: true});
}
"""
# Save waits for its answer, however long that takes.
NEVER_GIVES_UP = """
() => {
    const setTimer = window.setTimeout;
    window.setTimeout = (act, pause, ...more) => (pause === 3000 ? 0 : setTimer(act, pause, ...more));
}
"""


@pytest.mark.thorough
def test_save_in_a_form_that_has_just_come_anew_saves_the_hand(table):
    table.seed_hand().says("70")
    table.page.evaluate(SAVE_AT_ONCE, ANEW)
    table.page.evaluate(RENEW)
    table.saved("Hand 1")
    assert table.page.url == table.url


@pytest.mark.thorough
def test_a_form_that_comes_anew_during_a_slow_save_takes_nothing_until_that_is_over(table):
    held = []

    def hold(route):
        held.append(route)

    table.page.route("**/hands/", hold)
    table.page.evaluate(NEVER_GIVES_UP)
    table.draw().save()
    wait_until(table.page, lambda: held, "The hand was not sent.")
    table.page.evaluate(SAVE_AT_ONCE, ANEW)
    table.page.evaluate(RENEW)
    expect(table.page.locator(f"{ANEW} [data-save]")).to_be_disabled()
    held.pop().continue_()
    expect(table.page.locator("[data-save]")).to_be_enabled()
    table.page.unroute("**/hands/")
    table.seed_hand().save()
    assert outcomes(table) == ["draw", "win"]


@pytest.mark.thorough
def test_a_form_that_comes_anew_while_a_hand_is_thrown_away_can_save_afterwards(table, offline):
    offline(True)
    table.draw().save().waits("1 hand waits")
    table.waiting.locator("summary").click()
    table.waiting.get_by_role("button", name="Correct it").click()
    offline(False)
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.page.evaluate(SLOW_TO_WRITE)
    table.page.locator("[data-hand-form] [data-discard]").click()
    table.page.evaluate(RENEW)
    expect(table.page.locator(f"{ANEW}[data-started]")).to_be_attached()
    expect(table.page.locator("[data-save]")).to_be_disabled()
    table.page.evaluate("window.found = true")
    table.seed_hand().save().saved("Hand 1")


@pytest.mark.thorough
def test_the_number_of_a_hand_that_is_begun_falls_with_the_game(table, game):
    """Another phone takes the hand before it back."""
    member = make_member("ben", player=game.players[1])
    hand = make_hand(game, by=member)
    expect(table.page.locator("[name=number]")).to_have_value("2")
    table.seed_hand().says("70")
    undo_hand(hand, by=member)
    expect(table.page.locator("[name=number]")).to_have_value("1")
    table.save().saved("Hand 1")


@pytest.mark.thorough
def test_a_hand_that_the_site_has_already_is_not_counted_twice(table, game):
    """Its answer was lost; the game has moved on by it, and it waits still."""

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    table.page.route("**/hands/", lose_the_answer)
    table.won(2, 0).write("222B 222D GGG 345B 55B").save().waits("1 hand waits")
    expect(table.page.locator(".sheet tbody tr")).to_have_count(1)
    table.waits("1 hand waits")
    deals = table.page.locator("[data-seats-row] [data-place='1'] [data-wind-of] svg")
    expect(deals).to_have_attribute("aria-label", "East wind")
    table.page.unroute_all(behavior="wait")
    expect(table.waiting).to_be_hidden()
    assert Hand.objects.count() == 1
