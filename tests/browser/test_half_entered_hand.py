"""A hand that is half entered is there again when the page is loaded anew, and only then."""

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import TablePage
from tests.factories import make_game, make_hand, make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game():
    return make_game()


@pytest.fixture
def table(phone, live_server, game):
    """The table on the phone of East, who may log."""
    return TablePage(phone(player=game.players[0]), live_server.url, game).open()


def test_it_goes_on_where_it_was_left(table, game):
    table.won(1, 0).tiles("2B", "2D").key("chow").tiles("3B").tap("[data-group='0']")
    table.says("To come:").open()
    expect(table.page.locator("#id_tiles")).to_have_value("222B* 222D 345B")
    assert table.said == (str(game.players[1].pk), str(game.players[0].pk))
    table.says("To come:")
    expect(table.page.locator("[data-tray] [data-group]")).to_have_count(3)
    table.tiles("G", "5B").says("deals").save().saved("Hand 1")


def test_a_limit_hand_goes_on_by_its_tiles(table):
    table.won(1, 1).pick_limit("big_three_dragons").tiles("2B").says("500")
    laid_out = table.text
    table.open()
    expect(table.page.locator("#id_tiles")).to_have_value(laid_out)
    assert table.page.locator("#id_claimed_final").input_value() == ""


def test_a_score_alone_goes_on(table):
    table.won(1, 0).tap("[data-opens=score]").digits("12").says("120").open()
    table.says("120").save().saved("wins 120")


def test_another_language_keeps_it(table):
    table.won(1, 0).tiles("2B", "2D").says("To come:")
    table.page.get_by_role("button", name="Nederlands").click()
    expect(table.page.locator("html")).to_have_attribute("lang", "nl")
    table.says("Nog nodig:")
    assert table.text == "222B 222D"


def test_a_saved_one_is_gone(table):
    table.seed_hand().says("70")
    assert drafts(table) != []
    table.save().saved("Hand 1")
    assert drafts(table) == []


def test_one_that_was_cleared_is_gone(table):
    table.tiles("2B")
    assert drafts(table) != []
    table.tap("[data-back]")
    assert drafts(table) == []


def test_another_hand_begins_anew(table, game):
    table.won(1, 0).tiles("2B").says("To come:")
    make_hand(game)
    table.open()
    expect(table.page.locator("h1")).to_contain_text("hand 2")
    table.tiles("3B").says("Tap who won.")
    assert table.text == "333B"


def test_another_member_does_not_see_it(table, game, sign_in):
    table.won(1, 0).tiles("2B").says("To come:")
    sign_in(table.page, make_member(player=game.players[2]))
    table.open().tiles("3B").says("Tap who won.")
    assert table.text == "333B"


def drafts(table):
    """What the phone keeps of hands that are half entered."""
    return table.page.evaluate(
        "Object.keys(localStorage).filter((name) => name.startsWith('draft'))"
    )
