"""Sitting down by taps on names."""

import pytest
from playwright.sync_api import expect

from scoring.models import Game
from tests.factories import make_league, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def four():
    return [make_player(name) for name in ("Ann", "Bo", "Cyrus", "Di")]


@pytest.fixture
def page(phone, live_server, four):
    make_league()
    make_player("Erik")
    make_player("José Ødegård")
    page = phone(player=four[0])
    page.goto(f"{live_server.url}/games/new/")
    expect(page.locator("[data-taps]")).to_be_visible()
    return page


def tap(page, name):
    page.locator(f'[data-player][data-name="{name}"]').click()


def seats(page):
    return [
        select.evaluate("e => e.selectedOptions[0].text")
        for select in page.locator("[data-seat]").all()
    ]


@pytest.mark.thorough
def test_who_comes_back_to_the_form_sees_who_is_seated_in_it(page):
    for name in ("Bo", "Cyrus"):
        tap(page, name)
    page.goto(page.url.replace("games/new", "rules"))
    page.go_back()
    expect(page.locator("[data-chosen]")).to_have_text(["Ann", "Bo", "Cyrus", "Nobody yet"])
    tap(page, "Di")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")


def test_a_game_starts_with_four_taps_after_ones_own_seat(page, four):
    for name in ("Bo", "Cyrus", "Di"):
        tap(page, name)
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")
    assert Game.objects.get().players == four


def test_a_seat_that_is_still_free_is_asked_for(page, expect_status):
    expect_status(422)
    tap(page, "Bo")
    tap(page, "Cyrus")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".field--error")).to_contain_text("Choose who sits here.")
    expect(page.locator("[data-chosen]")).to_have_text(["Ann", "Bo", "Cyrus", "Nobody yet"])
    tap(page, "Di")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")


def test_a_second_tap_frees_the_seat_for_the_next(page):
    tap(page, "Ann")
    tap(page, "Di")
    tap(page, "Ann")
    assert seats(page)[:2] == ["Di", "Ann"]
    expect(page.locator('[data-name="Di"]')).to_have_attribute("aria-pressed", "true")


def test_who_sits_where_is_chosen_in_one_way(page):
    tap(page, "Bo")
    expect(page.locator("[data-chosen]")).to_have_text(["Ann", "Bo", "Nobody yet", "Nobody yet"])
    expect(page.locator("select[data-seat]:visible")).to_have_count(0)


@pytest.mark.thorough
def test_a_fifth_name_takes_no_seat(page):
    for name in ("Bo", "Cyrus", "Di"):
        tap(page, name)
    page.locator('[data-name="Erik"]').dispatch_event("click")
    assert seats(page) == ["Ann", "Bo", "Cyrus", "Di"]


def test_a_name_is_found_by_typing(page):
    find = page.get_by_label("Find a player")
    find.fill("cy")
    expect(page.locator("[data-player]:visible")).to_have_count(1)
    find.press("Enter")
    assert seats(page)[1] == "Cyrus"
    for typed in ("jose", "JOSÉ", "odegard", "Ødeg", "jose ødeg"):
        find.fill(typed)
        expect(page.locator("[data-player]:visible")).to_have_text(["José Ødegård"])
    find.fill("zzz")
    expect(page.get_by_text("No player with that name.")).to_be_visible()
