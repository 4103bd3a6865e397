"""Two tabs of one phone at one table: they share what is entered, and neither wipes what the other typed."""

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import TablePage
from tests.factories import make_hand
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# What the other tabs say is heard once `heldNews` is gone.
HOLDABLE = """
const Channel = window.BroadcastChannel;
window.BroadcastChannel = class extends Channel {
    addEventListener(name, listen) {
        super.addEventListener(name, (event) => {
            window.heldNews ? window.heldNews.push(() => listen(event)) : listen(event);
        });
    }
};
"""


@pytest.fixture
def other(table, live_server, game):
    """A second tab, opened while a hand is half entered in the first."""
    table.tiles("2B").says("Tap who won.")
    page = table.page.context.new_page()
    page.add_init_script(HOLDABLE)
    tab = TablePage(page, live_server.url, game).open()
    expect(tab.page.locator("#id_tiles")).to_have_value("222B")
    return tab


def holds_news(tab):
    """As a page that the phone has suspended, which hears nothing of the other tabs."""
    tab.page.evaluate("window.heldNews = []")


def hears_news(tab):
    tab.page.evaluate(
        "() => { const news = heldNews; heldNews = undefined; news.forEach((tell) => tell()); }"
    )


def test_what_is_typed_in_one_tab_is_in_the_other_which_empties_once_it_is_saved(
    table, other, expect_status
):
    """Both show one hand, as it was changed last; a person logs it once, wherever."""
    expect_status(0)
    other.tiles("3C").says("Tap who won.")
    tiles = table.page.locator("#id_tiles")
    expect(tiles).to_have_value("222B 333C")
    table.tiles("4D").says("Tap who won.")
    expect(other.page.locator("#id_tiles")).to_have_value("222B 333C 444D")
    table.page.context.set_offline(True)
    other.draw().save().waits("1 hand waits")
    expect(tiles).to_have_value("")
    table.waits("1 hand waits")
    assert table.chosen == ("", "")
    table.page.context.set_offline(False)
    expect(table.waiting).to_be_hidden()
    table.open()
    expect(tiles).to_have_value("")


@pytest.mark.thorough
def test_a_tab_that_hears_late_of_a_hand_that_was_saved_does_not_log_it_again(table, other, game):
    """Its page stood still out of sight, with the hand as it was typed there."""
    holds_news(other)
    other.won(1, 0).tap("[data-opens=score]").digits(["30"]).says("30")
    expect(table.page.locator("[name=claimed_final]")).to_have_value("30")
    table.save().saved("Hand 1")
    assert "" not in other.chosen
    hears_news(other)
    expect(other.page.locator("[name=claimed_final]")).to_have_value("")
    assert other.chosen == ("", "")
    expect(other.waiting).to_be_hidden()
    assert game.hands.count() == 1


@pytest.mark.thorough
def test_what_is_typed_while_the_other_tab_saves_is_a_hand_of_its_own(table, other, game):
    """It is stored at once, without what the page said of the other one, and is there after a reload."""
    holds_news(other)
    key = other.page.locator("[name=key]").input_value()
    table.draw().save().saved("Hand 1")
    # Two taps, the second one before the first is stored.
    other.page.evaluate("""["3C", "4D"].forEach((tile) =>
        document.querySelector(`[data-tile="${tile}"]`).click())""")
    other.says("Hand 1 is already logged")
    hears_news(other)
    expect(other.page.locator("[name=key]")).not_to_have_value(key)
    assert other.text == "222B 333C 444D"
    expect(other.waiting).to_be_hidden()
    other.open()
    expect(other.page.locator("#id_tiles")).to_have_value("222B 333C 444D")
    expect(other.waiting).to_be_hidden()


class TestARefusedHandLiesInBothForms:
    """Nobody has tapped anything in the other one: it follows what becomes of the hand."""

    @pytest.fixture(autouse=True)
    def refused(self, table, other, game, expect_status):
        for status in (0, 409):
            expect_status(status)
        table.draw().says("deals again")
        other.open().says("deals again")
        table.page.context.set_offline(True)
        table.save().waits("1 hand waits")
        other.waits("1 hand waits")
        make_hand(game, winner=2)
        table.page.context.set_offline(False)
        for tab in (table, other):
            expect(tab.page.locator("[data-refusal]")).to_contain_text("Hand 1 is already logged")
            expect(tab.waiting).to_be_hidden()

    def empties(self, other):
        """In its form and its list there is nothing, also after a reload."""
        for _ in range(2):
            expect(other.page.locator("h1")).to_have_text("East round, hand 2")
            expect(other.page.locator("[data-refusal]")).to_be_empty()
            assert other.chosen == ("", "")
            expect(other.waiting).to_be_hidden()
            other.open()

    @pytest.mark.thorough
    def test_what_one_tab_discards_is_gone_in_the_other(self, table, other, game):
        table.page.once("dialog", lambda dialog: dialog.accept())
        table.tap("[data-let-go]")
        expect(table.page.locator("[data-refusal]")).to_be_empty()
        self.empties(other)
        expect(table.waiting).to_be_hidden()
        assert game.hands.count() == 1

    @pytest.mark.thorough
    def test_what_one_tab_corrects_is_corrected_in_the_other(self, table, other, game):
        table.seed_hand().says("As hand 2 yours is:")
        expect(other.page.locator("#id_tiles")).to_have_value(table.text)
        table.page.get_by_role("button", name="A different hand – save mine as hand 2").click()
        table.saved("Hand 2")
        expect(other.page.locator("#id_tiles")).to_have_value("")
        other.seed_hand().save().saved("Hand 3")
        expect(table.waiting).to_be_hidden()
        assert game.hands.count() == 3

    @pytest.mark.thorough
    def test_what_is_emptied_takes_its_refusal_along(self, table, other):
        table.draw()
        expect(table.page.locator("[data-refusal]")).to_be_empty()
        self.empties(other)

    @pytest.mark.thorough
    def test_what_was_changed_in_the_other_is_discarded_with_it(self, table, other):
        other.won(1, 0).says("Still needed")
        wait_until(table.page, lambda: table.chosen == other.chosen, "the same winner in both tabs")
        table.page.once("dialog", lambda dialog: dialog.accept())
        table.tap("[data-let-go]")
        expect(table.page.locator("[data-refusal]")).to_be_empty()
        self.empties(other)
        expect(table.waiting).to_be_hidden()


@pytest.mark.thorough
def test_a_hand_that_the_other_tab_has_saved_as_it_is_here_is_no_hand_of_its_own(
    table, other, expect_status
):
    expect_status(0)
    table.won(1, 0).tiles("2D", "G").key("chow").tiles("3B", "5B").says("70")
    other.open().says("70")
    table.page.context.set_offline(True)
    table.save().waits("1 hand waits")
    other.waits("1 hand waits")
    expect(other.page.locator("#id_tiles")).to_have_value("")
    table.page.context.set_offline(False)
    expect(table.waiting).to_be_hidden()
