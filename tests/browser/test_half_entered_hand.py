"""A hand that is half entered is there again when the page is loaded anew, and only then."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from tests.browser.table_page import TablePage
from tests.factories import make_hand, make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(phone, live_server, game):
    """The table on the phone of East, who may log."""
    return TablePage(phone(player=game.players[0]), live_server.url, game).open()


def test_a_half_entered_hand_goes_on_where_it_was_left(table, game):
    table.won(1, 0).tiles("2B", "2D").key("chow").tiles("3B").tap("[data-group='0']")
    table.says("Still needed:").open()
    expect(table.page.locator("#id_tiles")).to_have_value("222B* 222D 345B")
    assert table.chosen == (str(game.players[1].pk), str(game.players[0].pk))
    table.says("Still needed:")
    expect(table.page.locator("[data-hand-view] [data-group]")).to_have_count(3)
    table.tiles("G", "5B").says("deals").save().saved("Hand 1")


@pytest.mark.thorough
def test_a_limit_hand_goes_on_by_its_tiles(table):
    table.won(1, 1).pick_limit("big_three_dragons").tiles("2B").says("500")
    laid_out = table.text
    table.open()
    expect(table.page.locator("#id_tiles")).to_have_value(laid_out)
    assert table.page.locator("#id_claimed_final").input_value() == ""


@pytest.mark.thorough
def test_a_half_entered_score_goes_on(table):
    table.won(1, 0).tap("[data-opens=score]").digits(["1", "20"]).says("120").open()
    table.says("120").save().saved("wins 120")


@pytest.mark.thorough
def test_a_half_entered_hand_survives_a_change_of_language(table):
    table.won(1, 0).tiles("2B", "2D").says("Still needed:")
    table.page.get_by_role("button", name="Nederlands").click()
    expect(table.page.locator("html")).to_have_attribute("lang", "nl")
    table.says("Nog nodig:")
    assert table.text == "222B 222D"


@pytest.mark.thorough
def test_a_saved_hand_is_no_longer_half_entered(table):
    table.seed_hand().says("70")
    assert begun(table) != []
    table.save().saved("Hand 1")
    assert begun(table) == []


@pytest.mark.thorough
def test_a_cleared_hand_is_no_longer_half_entered(table):
    table.tiles("2B").says("Tap who won.")
    assert begun(table) != []
    table.tap("[data-back]").says("Tap who won, then the tiles.")
    assert begun(table) == []


@pytest.mark.thorough
def test_a_half_entered_hand_stays_when_somebody_else_logs_that_hand(table, game):
    table.won(1, 0).tiles("2B").says("Still needed:")
    make_hand(game)
    table.open().says("Hand 1 is already logged")
    assert table.text == "222B"


@pytest.mark.thorough
def test_a_hand_that_was_saved_is_not_begun_again(table, game):
    table.seed_hand().says("70").save().saved("Hand 1")
    table.open()
    assert table.text == ""


@pytest.mark.thorough
def test_another_member_does_not_see_a_half_entered_hand(table, game, sign_in):
    table.won(1, 0).tiles("2B").says("Still needed:")
    sign_in(table.page, make_member(player=game.players[2]))
    table.open().tiles("3B").says("Tap who won.")
    assert table.text == "333B"


@pytest.fixture
def signed_in_again(table, game):
    """``signed_in_again()``: the hand in the form was sent without scripts, and without a session."""
    user = game.players[0].user
    password = "tiles on the table"
    page = table.page

    def signed_in_again():
        user.set_password(password)  # which ends the session
        user.save()
        page.evaluate("document.querySelector('[data-hand-form]').submit()")
        page.locator("[name=username]").fill(user.username)
        page.locator("[name=password]").fill(password)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("[data-hand-form][data-started]")).to_be_attached()

    return signed_in_again


def test_a_hand_typed_before_signing_in_goes_on(table, signed_in_again):
    table.seed_hand().says("70")
    signed_in_again()
    table.says("70")
    assert begun(table) == ["entering"]
    table.save().saved("wins 70")
    table.open()
    assert table.text == ""


@pytest.mark.thorough
def test_a_hand_typed_before_signing_in_is_not_in_the_form_while_it_waits(
    table, signed_in_again, expect_status
):
    """It was typed, corrected and saved; each load gives what was typed again, as the site has no hand yet."""
    expect_status(0)
    table.seed_hand().says("70")
    signed_in_again()
    table.says("70").seat(2).says("−70")
    table.page.route("**/hands/", lambda route: route.abort())
    table.save().waits("1 hand waits")
    expect(table.page.locator("#id_tiles")).to_have_value("")
    for _load in range(2):
        table.open().waits("1 hand waits")
        expect(table.page.locator("#id_tiles")).to_have_value("")
        expect(table.page.locator("[name=number]")).to_have_value("2")
        assert begun(table) == ["waiting"]
    table.draw().save().waits("2 hands wait")
    table.page.unroute("**/hands/")
    expect(table.waiting).to_be_hidden()
    assert list(Hand.objects.order_by("number").values_list("outcome", flat=True)) == [
        "win",
        "draw",
    ]


@pytest.mark.thorough
def test_a_hand_typed_before_signing_in_that_is_emptied_does_not_come_back(table, signed_in_again):
    table.tiles("2B").says("Tap who won.")
    signed_in_again()
    table.says("Tap who won.").tap("[data-back]").says("Tap who won, then the tiles.")
    table.open().says("Tap who won, then the tiles.")
    assert table.text == ""
    assert begun(table) == []


@pytest.mark.thorough
def test_a_hand_that_waits_stays_beside_the_one_typed_before_signing_in(
    table, signed_in_again, expect_status, game
):
    """The one that waits is sent first; what was typed is the next hand."""
    expect_status(401)
    table.page.context.clear_cookies(name="sessionid")
    table.draw().save().waits("1 hand waits")
    table.seed_hand()
    assert table.page.locator("[name=number]").input_value() == "2"
    signed_in_again()
    expect(table.waiting).to_be_hidden()
    table.says("70").save().saved("Hand 2")
    assert list(Hand.objects.order_by("number").values_list("number", "outcome")) == [
        (1, "draw"),
        (2, "win"),
    ]


BEGUN = """
() => new Promise((resolve) => {
    indexedDB.open("table", 1).onsuccess = ({target}) => {
        const hands = target.result.transaction("hands").objectStore("hands");
        hands.getAll().onsuccess = ({target}) => resolve(target.result.map(({state}) => state));
    };
})
"""


def begun(table):
    """What the phone keeps of hands that the site does not have."""
    return table.page.evaluate(BEGUN)
