"""The rule workshop in a browser: completion, tapped tiles, a preview that follows, a draft that stays."""

import re

import pytest
from playwright.sync_api import expect

from scoring.models import RuleSet
from tests.browser.accessibility import violations
from tests.factories import make_game, make_hand, make_organiser, ruleset_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def page(phone, live_server, by):
    ruleset_version("club")
    make_hand(make_game(by=by), winner=1, by=by)
    page = phone(user=by, width=360)
    page.goto(f"{live_server.url}/rules/dmjl/new/")
    return page


def test_a_pattern_is_typed_tried_kept_and_published(page):
    workshop = page.url
    page.get_by_label("Name of your rules").fill("Our rules")
    hand = page.locator("#own-0")
    hand.get_by_label("Name", exact=True).fill("All simples")
    condition = hand.get_by_role("combobox", name="Condition")
    condition.press_sequentially("every(sim")
    expect(page.get_by_role("option", name="simple a 2 to 8")).to_be_visible()
    condition.press("Tab")
    condition.press_sequentially(")")
    expect(condition).to_have_value("every(simple)")
    hand.get_by_label("Unit").select_option("doubles")
    hand.get_by_label("A hand that has it").fill("234B 456B 777D 333C 55C; last=7D; won_by=discard")
    expect(page.locator("#tried")).to_contain_text("needs a hand that nearly has it")
    hand.get_by_label("A hand that nearly has it").fill(
        "123B 456B 777D 333C 55C; last=7D; won_by=discard"
    )
    expect(page.locator("#tried")).to_contain_text("scores differently")
    expect(page.locator("#draft-changes")).to_contain_text("All simples: – becomes 1 double")
    expect(page.get_by_text("are here again")).to_be_hidden()
    page.reload()
    expect(page.get_by_text("are here again")).to_be_visible()
    expect(condition).to_have_value("every(simple)")
    expect(page.locator("#tried")).to_contain_text("scores differently")
    page.get_by_role("button", name="Play it again by these rules").click()
    expect(page.locator("#season")).to_contain_text("Hands that count: 1.")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("h1")).to_have_text("Rules: Our rules")
    assert RuleSet.objects.get(slug="our-rules").latest.table_rules.book.by_id["all_simples"]
    page.goto(workshop)
    expect(page.get_by_label("Name of your rules")).to_have_value("")
    expect(page.get_by_text("are here again")).to_be_hidden()


@pytest.mark.thorough
@pytest.mark.parametrize("cookies", ["sessionid", None], ids=["session over", "all cookies gone"])
def test_a_draft_outlives_publish_without_a_session(page, expect_status, cookies):
    expect_status(403)
    workshop = page.url
    page.get_by_label("Name of your rules").fill("Our rules")
    needed = page.get_by_label("A hand needs at least so many doubles to win")
    needed.fill("9")
    expect(page.locator("#draft-changes")).to_contain_text("to win: 0 becomes 9")
    session = page.context.cookies()
    page.context.clear_cookies(name=cookies)
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("h1")).not_to_contain_text("Change")
    page.context.add_cookies(session)
    page.goto(workshop)
    expect(page.get_by_text("are here again")).to_be_visible()
    expect(needed).to_have_value("9")
    assert not RuleSet.objects.filter(slug="our-rules").exists()


@pytest.mark.thorough
def test_drafts_that_are_published_one_after_the_other_are_gone(page, live_server):
    workshops = [f"{live_server.url}/rules/{slug}/new/" for slug in ("dmjl", "cc")]
    for number, workshop in enumerate(workshops):
        page.goto(workshop)
        page.get_by_label("Name of your rules").fill(f"Our rules {number}")
        page.get_by_label("A hand needs at least so many doubles to win").fill("1")
        page.get_by_role("button", name="Publish").click()
        expect(page.locator("h1")).to_have_text(f"Rules: Our rules {number}")
    for workshop in workshops:
        page.goto(workshop)
        expect(page.get_by_label("Name of your rules")).to_have_value("")
        expect(page.get_by_text("are here again")).to_be_hidden()


@pytest.mark.thorough
@pytest.mark.parametrize("link", ["", f"?name={'x' * 4100}"], ids=["short", "long"])
def test_a_draft_that_is_published_as_text_is_gone_from_its_form(page, link):
    workshop = page.url + link
    page.goto(workshop)
    page.get_by_label("Name of your rules").fill("Our rules")
    page.get_by_role("button", name="Show as text").click()
    expect(page.get_by_label("The book as text")).to_have_value(re.compile("Our rules"))
    with page.expect_navigation():  # a tap on the page that is going would be lost
        page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("h1")).to_have_text("Rules: Our rules")
    page.goto(workshop)
    expect(page.get_by_label("Name of your rules")).not_to_have_value("Our rules")
    expect(page.get_by_text("are here again")).to_be_hidden()


@pytest.fixture
def sign_in_elsewhere(page, sign_in):
    """``sign_in_elsewhere(account)``: in another tab, while this page stays open."""

    def sign_in_elsewhere(account):
        page.context.clear_cookies()
        sign_in(page, account)
        other = page.context.new_page()
        other.goto(page.url)
        other.close()

    return sign_in_elsewhere


@pytest.mark.thorough
def test_who_signs_in_again_elsewhere_publishes_from_the_page_that_stayed_open(
    page, by, sign_in_elsewhere, expect_status
):
    expect_status(401)  # a preview may ask while nobody is signed in
    page.get_by_label("Name of your rules").fill("Our rules")
    sign_in_elsewhere(by)
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("h1")).to_have_text("Rules: Our rules")


@pytest.mark.thorough
def test_what_another_has_typed_is_published_once_it_is_sent_again(
    page, sign_in_elsewhere, expect_status
):
    page.get_by_label("Name of your rules").fill("Our rules")
    other = make_organiser()
    sign_in_elsewhere(other)
    expect_status(401)  # a preview that was under way
    expect_status(422)
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("main")).to_contain_text("Somebody else was signed in")
    assert not RuleSet.objects.filter(slug="our-rules").exists()
    expect(page.get_by_label("Name of your rules")).to_have_value("Our rules")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("h1")).to_have_text("Rules: Our rules")
    assert RuleSet.objects.get(slug="our-rules").latest.created_by == other


@pytest.mark.thorough
def test_a_draft_is_shown_to_nobody_else_in_the_tab(page, by, sign_in, expect_status):
    expect_status(401)  # a preview that was under way
    name = page.get_by_label("Name of your rules")
    name.fill("Our rules")
    for account, shown in ((make_organiser(), ""), (by, "Our rules")):
        page.context.clear_cookies()
        sign_in(page, account)
        page.goto(page.url)
        expect(page.locator("[data-search]")).to_be_visible()  # the script has run
        expect(name).to_have_value(shown)


@pytest.mark.thorough
def test_what_is_published_does_not_come_back_after_another_sign_in(page, by, sign_in):
    workshop = page.url
    page.get_by_label("Name of your rules").fill("Our rules")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("h1")).to_have_text("Rules: Our rules")
    page.wait_for_load_state()
    page.context.clear_cookies()
    sign_in(page, by)
    page.goto(workshop)
    expect(page.locator("[data-search]")).to_be_visible()
    expect(page.get_by_label("Name of your rules")).to_have_value("")
    expect(page.get_by_text("are here again")).to_be_hidden()


@pytest.mark.thorough
def test_a_preview_without_a_session_says_so_and_shows_no_other_page(page):
    session = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    needed = page.get_by_label("A hand needs at least so many doubles to win")
    needed.fill("9")
    expect(page.locator("#tried")).to_have_text(re.compile("You are signed out"))
    page.context.add_cookies(session)
    needed.fill("8")
    expect(page.locator("#draft-changes")).to_contain_text("to win: 0 becomes 8")


@pytest.mark.thorough
def test_a_draft_of_before_says_so_and_is_given_up(page):
    needed = page.get_by_label("A hand needs at least so many doubles to win")
    needed.fill("9")
    page.get_by_role("button", name="Show as text").click()
    expect(page.get_by_label("The book as text")).to_have_value(re.compile("minimum = 9"))
    page.goto(page.url)
    expect(page.get_by_text("are here again")).to_be_visible()
    expect(needed).to_have_value("9")
    expect(page.locator("#draft-changes")).to_contain_text("to win: 0 becomes 9")
    expect(page.locator("#draft-changes li")).to_have_count(1)
    page.get_by_role("link", name="Begin afresh").click()
    expect(page.get_by_text("are here again")).to_be_hidden()
    expect(needed).to_have_value("0")


@pytest.mark.thorough
def test_tiles_are_tapped_and_lines_are_found(page):
    page.get_by_role("button", name="Another hand").click()
    hand = page.locator("#own-1")
    hand.get_by_label("What it is").select_option("tiles")
    for name in ("1 of Bamboo", "9 of Bamboo", "East wind"):
        hand.get_by_role("button", name=name, exact=True).click()
    expect(hand.get_by_label("Its tiles")).to_have_value("19B E")
    hand.get_by_text("Point at the tiles").first.click()
    example = hand.locator(".workshop__point").first
    for name in ("1 of Bamboo", "East wind"):
        example.get_by_role("button", name=name, exact=True).click()
    example.locator("[data-last]").select_option("1B")
    example.locator("[data-won]").select_option("self_drawn")
    expect(hand.get_by_label("A hand that has it")).to_have_value(
        "1B E; last=1B; won_by=self_drawn"
    )
    page.get_by_label("Find a line").fill("three concealed")
    expect(page.get_by_label("Three concealed pungs: value")).to_be_visible()
    expect(page.get_by_label("Pung or kong of dragons: value")).to_be_hidden()
    page.get_by_label("Find a line").fill("round's pung")  # as keyboards write it
    expect(page.get_by_label("Pung or kong of the round’s wind: value")).to_be_visible()
    assert violations(page) == []
    page.get_by_label("Find a line").fill("nobody")
    expect(page.get_by_text("No line has these words.")).to_be_visible()
