"""The calculator in a browser: tapped, typed, shared, and without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations, violations_at
from tests.factories import BOOK_HAND, ruleset_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STATES = {
    "empty": "",
    "wins": "222B* 345B 55B 222D GGG",
    "limit": "RRR GGG WhWhWh 789C EE",
    "does not win": "222B 345B 55B 222D GG9C",
    "unfinished": "222B 345B",
    "refused": "22222B 345X",
}


@pytest.fixture(autouse=True)
def rules():
    ruleset_version()


@pytest.fixture
def calculator(live_server):
    return live_server.url + "/calculator/"


def opened(page, url):
    page.goto(url)
    expect(page.locator("[data-pad-taps]")).not_to_have_attribute("inert", "")
    return page


def tap_book_hand(page):
    for code in ("2B", "2D", "G"):
        page.locator(f'[data-tile="{code}"]').click()
    page.locator(".tilepad__key:has([value=chow])").click()
    for code in ("3B", "5B"):
        page.locator(f'[data-tile="{code}"]').click()


@pytest.mark.parametrize("tiles", STATES.values(), ids=STATES)
def test_every_state_is_accessible(phone, calculator, tiles, expect_status):
    expect_status(422)
    page = opened(phone(width=360), f"{calculator}?tiles={tiles}" if tiles else calculator)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations_at(page, 1280) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_taps_are_scored_at_once_and_the_address_follows(phone, calculator):
    page = opened(phone(width=360), calculator)
    tap_book_hand(page)
    expect(page.locator("#preview")).to_contain_text("70")
    expect(page.locator("#result .final__figure")).to_have_text("70")
    shared = page.url
    assert "tiles=" in shared
    again = opened(phone(width=360), shared)
    expect(again.locator("#result .final__figure")).to_have_text("70")


@pytest.mark.thorough
def test_typing_and_winds_are_scored_at_once(phone, calculator):
    page = opened(phone(width=1280), calculator)
    page.get_by_label("Tiles", exact=True).fill("EEE 123B 456C 789D 55B")
    # 20 and 8 points; East is the prevailing wind, then also the wind of the seat.
    expect(page.locator("#preview")).to_contain_text("28 points × 2")
    page.locator("label:has([name=seat][value=E])").click()
    expect(page.locator("#preview")).to_contain_text("28 points × 4")


def test_what_is_still_to_come_is_said(phone, calculator):
    page = opened(phone(width=360), calculator)
    page.locator('[data-tile="2B"]').click()
    expect(page.locator("#preview")).to_contain_text("Still needed: three more sets and a pair.")


@pytest.mark.thorough
def test_an_exchange_leads_to_the_hand_that_wins(phone, calculator):
    page = opened(phone(width=1280), f"{calculator}?tiles=222B 345B 55B 222D GG9C")
    page.locator(".exchanges a").first.click()
    expect(page.locator("#result .final__figure")).to_have_text("70")


@pytest.mark.thorough
def test_an_old_sentence_goes_when_the_hand_is_corrected(phone, calculator, expect_status):
    expect_status(422)
    page = opened(phone(width=1280), f"{calculator}?tiles=222B 345X")
    expect(page.locator("#id_tiles_error")).to_be_visible()
    page.get_by_label("Tiles", exact=True).fill(BOOK_HAND)
    expect(page.locator("#result .final__figure")).to_have_text("70")
    expect(page.locator("#id_tiles_error")).to_have_count(0)


def test_the_calculator_works_without_scripts(phone, calculator):
    page = phone(width=360, scripts=False)
    page.goto(calculator)
    page.get_by_label("Tiles", exact=True).fill(BOOK_HAND)
    page.get_by_role("button", name="Score").click()
    expect(page.locator("#result .final__figure")).to_have_text("70")


@pytest.mark.thorough
def test_the_calculator_works_by_the_keyboard_alone(phone, calculator):
    page = opened(phone(width=1280), calculator)
    page.get_by_label("Tiles", exact=True).focus()
    page.keyboard.type(BOOK_HAND)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # South to West
    expect(page.locator("[name=seat][value=W]")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("#result .final__figure")).to_have_text("70")
