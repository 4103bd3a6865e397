"""The pages around the game for everyone: nothing that axe finds, nothing wider than the page."""

from datetime import date

import pytest
from playwright.sync_api import expect

from scoring.services.games import finish_game
from tests.browser.accessibility import violations, violations_at
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (360, 1280)
LONG_NAMES = [
    "Maximiliane Wolkenstein-Trostburg zu Hohenems",
    "Donaudampfschifffahrtsgesellschaftskapitänin",
    "Bartholomew Featherstonehaugh-Cholmondeley III",
    "Christophorus van der Hoogenbandhuysen",
]
ORPHANS = "19B 19C 19D ESWN RGWh Wh"
BIG_THREE_DRAGONS = "RRR GGG WhWhWh 234C 77D"


@pytest.fixture
def club():
    """Two finished games and an open one in a league; long names; every kind of hand."""
    four = [make_player(name) for name in LONG_NAMES]
    by = make_organiser()
    league = make_league("The extraordinarily long name of the autumn championship")
    for game in [make_game(league=league, players=four) for _number in range(3)]:
        make_hand(game, winner=0, by=by, self_drawn=True)
        make_hand(game, winner=0, by=by, tiles=BIG_THREE_DRAGONS, discarder=four[1].pk)
        make_hand(game, winner=1, by=by, tiles=ORPHANS)
        make_hand(game, by=by)
        make_hand(game, winner=2, by=by, tiles="", claimed_final=120)
        if game.pk % 3:
            finish_game(game, by=by)
    return league, four


def check(page, url):
    page.set_viewport_size({"width": WIDTHS[0], "height": 800})
    page.goto(url)
    narrow, wide = WIDTHS
    assert violations(page) == [], url
    assert page.evaluate("document.documentElement.scrollWidth") <= narrow, url
    assert violations_at(page, wide) == [], url
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, url


@pytest.mark.thorough
def test_a_visitor_sees_the_public_pages(phone, live_server, club):
    league, _players = club
    page = phone(width=WIDTHS[0])
    table = league.get_absolute_url()
    for path in ("/", table, f"{table}?as_of=2020-01-01", "/players/?q=nobody"):
        check(page, live_server.url + path)


def test_the_pages_of_an_empty_club_open(phone, live_server):
    make_league()
    page = phone(width=WIDTHS[0])
    for path in ("/", "/leagues/", make_league().get_absolute_url(), "/players/", "/sign-in/"):
        check(page, live_server.url + path)


def test_a_league_table_on_a_phone_names_each_figure(phone, live_server, club):
    league, _players = club
    page = phone(width=360)
    page.goto(live_server.url + league.get_absolute_url())
    rating = page.locator(".standings tbody tr").first.locator("td").last
    label = rating.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert label.startswith('"Rating"')
    row = page.get_by_role("row").nth(1)
    assert row.get_by_role("cell").count() == 8  # still a table to a screen reader
    box = rating.bounding_box()
    assert box["x"] + box["width"] <= 360


def test_a_rank_in_a_league_table_leads_to_its_sum_by_a_tap(phone, live_server, club):
    league, _players = club
    page = phone(width=360)
    page.goto(live_server.url + league.get_absolute_url())
    box = page.locator(".standings .rank a").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/players/*/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.thorough
def test_the_table_on_paper_is_whole(phone, live_server, club):
    league, _players = club
    page = phone(width=1280)
    page.goto(live_server.url + league.get_absolute_url())
    page.emulate_media(media="print")
    expect(page.locator(".standings")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for gone in (".site-header", ".columns-explained", ".ask", ".breadcrumbs"):
        expect(page.locator(gone).first).to_be_hidden()


@pytest.mark.thorough
def test_an_earlier_table_is_chosen_without_scripts(phone, live_server):
    league = make_league(starts_on=date(2020, 1, 1))
    page = phone(width=360, scripts=False)
    page.goto(live_server.url + league.get_absolute_url())
    page.get_by_label("As of").fill("2020-01-31")
    page.get_by_role("button", name="Show").click()
    expect(
        page.get_by_role("heading", name="The table at the end of 31 January 2020")
    ).to_be_visible()


@pytest.mark.thorough
def test_a_line_of_a_scorecard_leads_to_its_rule(phone, live_server, club):
    page = phone(width=360)
    page.goto(live_server.url + "/calculator/?tiles=222B+345B+55B+222D+GGG")
    page.get_by_role("link", name="Winning").click()
    expect(page.locator("#winning")).to_be_in_viewport()
