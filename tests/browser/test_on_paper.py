"""What is printed: a scorecard on one sheet, a league table as wide as the paper."""

import re

import pytest

from tests.factories import make_game, make_hand, make_league, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Of A4 less the margins, at 96 pixels an inch.
PAPER_WIDTH = 703
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
