"""People on a phone: the pages of organisers, and the way from an invitation to the first hand."""

import re
from time import monotonic

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.invitations import invite
from tests.browser.accessibility import violations, violations_at
from tests.browser.table_page import TablePage
from tests.browser.test_every_page import MISFITS
from tests.factories import make_game, make_league, make_member, make_organiser, make_player
from tests.web.every_page import LONG_NAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "tiles on the table"


@pytest.fixture
def organiser():
    return make_organiser(player=make_player("Olga Ode"))


@pytest.fixture
def people(organiser):
    """A guest, somebody who left, two names that look alike, somebody with a long name."""
    make_player("Lea Left", active=False)
    make_player("Zoë Jansen")
    make_member("maximiliane.wolkenstein-trostburg", player=make_player(LONG_NAME))
    make_member("no-player")
    return organiser


def fits(page):
    """Nothing that axe finds, nothing wider than the screen, in both widths."""
    page.set_viewport_size({"width": 360, "height": 800})
    assert violations(page) + page.evaluate(MISFITS, 360) == []
    assert violations_at(page, 1280) + page.evaluate(MISFITS, 1280) == []
    page.set_viewport_size({"width": 360, "height": 800})


def test_a_list_of_names_is_looked_at_and_added(phone, live_server, people, expect_status):
    page = phone(user=people, width=360)
    page.goto(f"{live_server.url}/people/add/")
    page.get_by_label("Paste a list of names").fill(
        f"Ann Lee, ann@club.example, ann\nZoe Jansen\nlea left\n{LONG_NAME} jr.\nBob\u202e"
    )
    page.get_by_role("button", name="Look at the list").click()
    expect(page.locator("h1")).to_have_text("Look at the list")
    fits(page)
    page.get_by_label(re.compile("There is already Zoë Jansen")).check()
    page.get_by_role("button", name="Add them").click()
    expect(page.locator(".messages")).to_contain_text("3 people were added.")
    fits(page)


@pytest.mark.thorough
def test_an_invitation_is_made_and_shown(phone, live_server, people):
    page = phone(user=people, width=360)
    page.goto(f"{live_server.url}/people/invitations/")
    page.get_by_role("button", name="Make the invitation").click()
    expect(page.locator(".secret")).to_contain_text("/join/")
    expect(page.locator("svg.qr")).to_be_visible()
    fits(page)
    page.goto(f"{live_server.url}/people/invitations/")
    page.get_by_role("button", name="Revoke").click()
    expect(page.locator(".messages")).to_contain_text("Nobody joins with this invitation any more.")


@pytest.mark.thorough
def test_a_refused_form_says_why(phone, live_server, people, expect_status):
    page = phone(user=people, width=360)
    expect_status(422)
    page.goto(f"{live_server.url}/people/{people.player.pk}/")
    page.get_by_role("textbox", name="Name").fill("zoe jansen")
    page.get_by_role("button", name="Save the name").click()
    expect(page.locator(".error-summary")).to_contain_text("There is already Zoë Jansen")
    fits(page)
    page.get_by_label("It is another person").check()
    page.get_by_role("button", name="Save the name").click()
    expect(page.locator("h1")).to_have_text("zoe jansen")


@pytest.mark.thorough
def test_a_claim_waits_on_the_page(phone, live_server, people, expect_status):
    code = invite(once=False, by=people)[1]
    visitor = phone(width=360)
    expect_status(422)
    visitor.goto(f"{live_server.url}/join/{code}/")
    fits(visitor)
    visitor.get_by_label("Your name").fill("Zoe Jansen")
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Join").click()
    expect(visitor.get_by_label("Yes, I am Zoë Jansen")).to_be_visible()
    fits(visitor)
    visitor.get_by_label("Yes, I am Zoë Jansen").check()
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Join").click()
    expect(visitor.locator(".messages")).to_contain_text("An organiser confirms who you are")
    page = phone(user=people, width=360)
    page.goto(f"{live_server.url}/people/")
    fits(page)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".messages")).to_contain_text("Confirmed: Zoë Jansen")


@pytest.mark.thorough
def test_a_code_that_is_none_leads_on(phone, live_server, expect_status):
    page = phone(width=360)
    expect_status(404)
    page.goto(f"{live_server.url}/join/nothing/")
    expect(page.locator(".page-header__lead")).to_contain_text("Ask an organiser")
    fits(page)


def test_a_newcomer_gets_from_the_link_to_the_first_hand_in_a_minute(phone, live_server, organiser):
    zoe = make_player("Zoë Jansen")
    make_league()
    game = make_game(players=[zoe, *(make_player(name) for name in ("Ann", "Bo", "Cas"))])
    code = invite(zoe, by=organiser)[1]
    page = phone(width=390)
    began = monotonic()
    page.goto(f"{live_server.url}/join/{code}/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url(f"**{game.get_absolute_url()}")
    TablePage(page, live_server.url, game).draw().save().saved("Hand 1")
    assert monotonic() - began < 60
    assert Hand.objects.get().logged_by.player == zoe
