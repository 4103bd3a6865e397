"""Parts of the table come and go while a thumb is on its way: it never touches what it did not mean."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from tests.browser import thumb
from tests.browser.table_page import TablePage
from tests.factories import make_hand
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TILE = '[data-tile="6B"]'
A_MOMENT = 500  # milliseconds, longer than a thumb is on its way


@pytest.fixture
def table(phone, live_server, game):
    """A phone whose time a test may stop."""
    page = phone(player=game.players[0], width=360)
    page.clock.install()
    return TablePage(page, live_server.url, game).open()


class Held:
    """A request for a saved hand that the network holds back."""

    def __init__(self, page):
        self.page, self.routes = page, []
        page.route("**/hands/", self.hold, times=1)

    def hold(self, route):
        self.routes.append(route)

    def release_while_time_stands_still(self):
        wait_until(self.page, lambda: self.routes, "The hand is not sent.")
        now = datetime.fromtimestamp(self.page.evaluate("Date.now()") / 1000, UTC)
        self.page.clock.pause_at(now + timedelta(milliseconds=A_MOMENT))
        self.routes[0].continue_()


@pytest.fixture
def held(table, expect_status):
    """The hand that waits on the phone is on its way: once it has arrived, the page moves up."""
    expect_status(0)
    page = table.page
    page.context.set_offline(True)
    table.draw().save()
    expect(page.locator("[data-waiting]")).to_contain_text("1 hand waits on this phone.")
    held = Held(page)
    page.context.set_offline(False)
    return held


def arrive(table, held):
    """The hand is taken, and the list of waiting hands goes."""
    held.release_while_time_stands_still()
    expect(table.page.locator("[data-waiting]")).to_be_hidden()


@pytest.mark.thorough
def test_a_tile_that_was_just_moved_takes_no_touch(table, held):
    page = table.page
    place = thumb.middle(page.locator(TILE))
    arrive(table, held)
    assert thumb.middle(page.locator(TILE)) != place
    page.touchscreen.tap(*place)
    page.touchscreen.tap(*thumb.middle(page.locator(TILE)))
    expect(page.locator(TILE)).to_have_class(re.compile(r"\bnot-taken\b"))  # it is seen
    page.clock.run_for(2 * A_MOMENT)
    expect(page.locator(TILE)).not_to_have_class(re.compile(r"\bnot-taken\b"))
    assert table.text == ""
    page.touchscreen.tap(*thumb.middle(page.locator(TILE)))
    expect(page.locator("#id_tiles")).to_have_value("666B")


@pytest.mark.thorough
def test_no_slide_begins_on_a_tile_that_was_just_moved(table, held):
    page = table.page
    arrive(table, held)
    x, y = thumb.middle(page.locator(TILE))
    thumb.slide(page, (x, y), (x + 60, y))
    page.clock.run_for(A_MOMENT)
    assert table.text == ""


def test_a_tile_that_slips_under_a_finger_takes_no_touch(table, held):
    page = table.page
    x, y = thumb.middle(page.locator(TILE))
    session = page.context.new_cdp_session(page)
    session.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    arrive(table, held)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.clock.run_for(A_MOMENT)
    assert table.text == ""


@pytest.mark.thorough
def test_a_refusal_that_has_just_come_takes_no_touch(table, game, expect_status):
    expect_status(409)
    page = table.page
    held = Held(page)
    table.seed_hand().save()
    make_hand(game)
    held.release_while_time_stands_still()
    another = page.get_by_role("button", name="A different hand – save mine as hand 2")
    expect(another).to_be_visible()
    page.touchscreen.tap(*thumb.middle(another))
    page.clock.run_for(A_MOMENT)
    expect(another).to_be_visible()
    page.clock.resume()
    page.touchscreen.tap(*thumb.middle(another))
    table.saved("Hand 2")
    assert Hand.objects.count() == 2


@pytest.mark.thorough
def test_a_tile_stays_where_it_is_when_the_network_goes(table, expect_status):
    expect_status(0)
    page = table.page
    place = thumb.middle(page.locator(TILE))
    page.context.set_offline(True)
    table.waits("No network.")
    page.touchscreen.tap(*place)
    expect(page.locator("#id_tiles")).to_have_value("666B")
    page.context.set_offline(False)
    expect(table.waiting).not_to_contain_text("No network.")
    assert thumb.middle(page.locator(TILE)) == place
