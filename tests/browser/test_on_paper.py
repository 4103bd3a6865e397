"""What is printed: a scorecard on one sheet, a league table as wide as the paper, no more."""

import json
import re

import pytest
from django.utils.formats import date_format
from playwright.sync_api import expect

from scoring.models import League
from scoring.queries.seasons import final_rows
from scoring.services.games import finish_game
from scoring.services.seasons import close_season
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Of A4 less the margins, at 96 pixels an inch.
PAPER_WIDTH = 703
CUT = """
() => [...document.querySelectorAll("main *")]
  .filter((one) => getComputedStyle(one).overflow === "hidden" && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => !one.closest(".visually-hidden, svg") && one.clientWidth > 1)
  .map((one) => one.textContent)
"""
DUTCH = {"width": PAPER_WIDTH, "locale": "nl"}


def sheets(page):
    """How many sheets of A4 the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def test_a_hand_with_many_doubles_takes_one_sheet(phone, live_server):
    hand = make_hand(make_game(), winner=0, tiles="111B 333B* 444B* RRR 88B")
    assert hand.doubles == 3
    page = phone(**DUTCH)
    page.goto(f"{live_server.url}/hands/{hand.pk}/")
    assert sheets(page) == 1


def test_paper_says_whose_it_is_and_leaves_the_screen_out(phone, live_server):
    names = ["Wilhelmina van der Berg-Donaudampfschifffahrt", *"BCD"]
    game = make_game(players=[make_player(name) for name in names])
    hand = make_hand(game, winner=0)
    evening = f"{game.league.get_absolute_url()}evenings/{game.evening.isoformat()}/"
    pages = [game.league, hand, game]
    page = phone(player=game.players[0], width=PAPER_WIDTH)
    page.emulate_media(media="print")
    for path in (evening, *(subject.get_absolute_url() for subject in pages)):
        page.goto(live_server.url + path)
        head = page.locator("p.on-paper").first
        day = date_format(game.evening)
        expect(head).to_have_text(f"Mah Jongg Club · {game.league} · {day}")
        expect(head).to_be_visible()
        # Each further sheet says it at its head.
        page.pdf()
        at_the_head = page.evaluate(
            "document.documentElement.style.getPropertyValue('--sheet-head')"
        )
        assert json.loads(at_the_head) == head.inner_text()
        expect(
            page.locator("[data-switches]:visible, form:visible, .waiting:visible")
        ).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER_WIDTH
        assert page.evaluate(CUT) == []
        if path == evening:
            expect(page.get_by_text("Signed:")).to_be_visible()


@pytest.mark.thorough
def test_paper_tells_nobody_to_sign_in(phone, live_server):
    game = make_game()
    page = phone(width=PAPER_WIDTH)
    page.goto(live_server.url + game.get_absolute_url())
    expect(page.get_by_text("View only")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_text("View only")).to_be_hidden()


def test_a_league_table_is_no_wider_than_the_paper(phone, live_server):
    league = make_league()
    for names in ("ABCD", "EFGH"):
        four = [make_player(f"Wilhelmina van der Berg-{name}") for name in names]
        make_hand(make_game(league=league, players=four))
    page = phone(**DUTCH)
    page.goto(f"{live_server.url}/leagues/{league.slug}/")
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER_WIDTH
    assert sheets(page) == 1


@pytest.mark.thorough
def test_what_is_kept_of_a_league_says_whose_it_is_and_of_which_day(phone, live_server):
    by = make_organiser()
    game = make_game(players=[make_player(f"{name} {'Wilhelmina ' * 4}") for name in "ABCD"], by=by)
    make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    league, today = game.league, date_format(game.evening)
    League.objects.filter(pk=league.pk).update(ends_on=game.evening)
    close_season(league, by=by, final_rows=final_rows)
    page = phone(width=PAPER_WIDTH)
    page.emulate_media(media="print")
    url, player = league.get_absolute_url(), game.players[1]
    heads = {
        player.get_absolute_url(): f"Mah Jongg Club · {today}",
        f"{url}players/{player.pk}/": f"Mah Jongg Club · {league} · {today}",
        f"{url}final/": f"Mah Jongg Club · {league} · {today}",
        f"{url}awards/": f"Mah Jongg Club · {league} · Awards · {today}",
    }
    for path, head in heads.items():
        page.goto(live_server.url + path)
        expect(page.locator("p.on-paper").first).to_have_text(head)
        expect(page.locator("form:visible, button:visible")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER_WIDTH, path
        assert page.evaluate(CUT) == [], path


@pytest.mark.thorough
def test_pictures_that_come_later_leave_the_page_its_title(phone, live_server):
    """It is the name of the file that a print is saved as."""
    game = make_game()
    make_hand(game, winner=0)
    page = phone(width=PAPER_WIDTH)
    page.goto(f"{live_server.url}{game.league.get_absolute_url()}evenings/{game.evening}/")
    title = page.title()
    expect(page.locator("#pictures svg").first).to_be_visible()
    assert page.title() == title
    assert "in pictures" not in title


@pytest.mark.thorough
def test_no_list_that_sheets_part_stands_in_a_grid(phone, live_server):
    """What follows a grid would be drawn over the last lines of a sheet."""
    game = make_game()
    make_hand(game, winner=0)
    page = phone(player=game.players[0], width=PAPER_WIDTH)
    page.emulate_media(media="print")
    page.goto(f"{live_server.url}{game.league.get_absolute_url()}settlement/{game.evening}/")
    around = "els => els.map((one) => getComputedStyle(one.parentElement).display)"
    lists = page.locator("ul.list, ul.payments")
    expect(lists).to_have_count(2)
    assert set(lists.evaluate_all(around)) == {"block"}
    heading = page.locator("#won-title")
    assert heading.evaluate("one => getComputedStyle(one).breakAfter") == "avoid"
