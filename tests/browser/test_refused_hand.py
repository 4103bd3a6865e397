"""A hand that the site refuses at the table: said, kept, mended."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from tests.browser.table_page import TablePage
from tests.factories import make_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game():
    return make_game()


@pytest.fixture
def table(phone, live_server, game):
    return TablePage(phone(player=game.players[0]), live_server.url, game).open()


def test_keeps_everything_and_leads_to_the_field(table, expect_status):
    expect_status(422)
    table.tiles("2B").save()
    summary = table.page.locator(".error-summary")
    expect(summary).to_contain_text("Say who won")
    assert table.text == "222B"
    expect(table.page.locator("[data-tray] [data-group]")).to_have_count(1)
    expect(summary.locator("xpath=..")).to_be_focused()
    summary.get_by_role("link").first.click()
    assert not Hand.objects.exists()


def test_mended_is_saved(table, expect_status):
    expect_status(422)
    table.won(1, 0).tiles("2B").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.tiles("2D", "G").key("chow").tiles("3B", "5B").says("70").save().saved("wins 70")
    expect(table.waiting).to_be_hidden()


def test_left_behind_is_kept_on_the_phone_with_the_reason(table, expect_status):
    expect_status(422)
    table.won(1, 0).tiles("2B", "2D", "G", "1C", "9D").tap("[data-back]").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.open()
    table.waits("1 hand waits").waiting.locator("summary").click()
    kept = table.waiting.locator("li")
    expect(kept).to_contain_text("Hand 1")
    expect(kept).to_contain_text("refused")
    expect(kept).to_contain_text("12 tiles")
    kept.get_by_role("button", name="Mend it").click()
    assert table.text == "222B 222D GGG 111C"
    table.tap("[data-back]").key("chow").tiles("3B", "5B").says("70").save().saved("wins 70")
    expect(table.waiting).to_be_hidden()


def test_thrown_away_is_gone(table, expect_status):
    expect_status(422)
    table.tiles("2B").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.open().waits("1 hand waits").waiting.locator("summary").click()
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.waiting.get_by_role("button", name="Throw it away").click()
    expect(table.waiting).to_be_hidden()
    table.open()
    expect(table.waiting).to_be_hidden()


def test_who_was_signed_out_signs_in_elsewhere_and_saves(table, sign_in, game):
    table.seed_hand().says("70")
    table.page.context.clear_cookies(name="sessionid")
    table.save()
    expect(table.page.locator("[data-trouble]")).to_contain_text("You are signed out")
    assert table.text == "222B 222D GGG 345B 55B"
    sign_in(table.page, game.players[0].user)
    table.save().saved("wins 70")
