"""From an empty database to 12 players, 5 accounts and 3 tables: what one organiser has to tap.

``pytest -rA`` shows the count.
"""

import re
import sys
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from playwright.sync_api import expect

from scoring.models import ClubTable, Game, League, Player
from scoring.models import first_run as memory
from scoring.services.rulesets import install_rulesets
from tests.browser.accessibility import violations, violations_at
from tests.browser.test_every_page import MISFITS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_TAPS = 40
PASSWORD = "tiles on the table"
NAMES = ("Ann", "Bob", "Carla", "Dirk", "Eva", "Frank", "Gerda", "Hans", "Ineke", "Jan", "Klaas")
ORGANISER = "Olga de Vries"
MEMBERS = NAMES[:4]


@pytest.fixture(autouse=True)
def _nobody_has_looked(monkeypatch):
    install_rulesets()  # as the migrations leave them: the test before has emptied the database
    monkeypatch.setattr(memory, "_open", set())


class Organiser:
    """A person with a phone, whose taps are counted: on a button or link, and into a field."""

    def __init__(self, page):
        self.page, self.taps, self.visited = page, 0, []
        page.on("framenavigated", lambda frame: self.visited.append(frame.url))

    def tap(self, locator):
        locator.click()
        self.taps += 1

    def press(self, name):
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name):
        self.tap(self.page.get_by_role("main").get_by_role("link", name=name, exact=True))

    def type(self, label, text):
        self.tap(self.page.get_by_label(label, exact=True))
        self.page.keyboard.insert_text(text)

    def sees(self, heading):
        expect(self.page.locator("h1")).to_have_text(heading)


@pytest.fixture
def organiser(phone, live_server):
    """She opens the address that the server printed: her first tap."""
    out = StringIO()
    call_command("start_code", "localhost", live_server.url.rpartition(":")[2], stdout=out)
    page = phone(width=360, timezone_id="Europe/Amsterdam")
    organiser = Organiser(page)
    page.goto(re.search(r"http\S+/start/\S+", out.getvalue())[0])
    organiser.taps = 1
    return organiser


def set_up(organiser):
    organiser.sees("Set up your club")
    organiser.type("Name of the club", "The Four Winds")
    organiser.press("Go on")
    organiser.sees("Your account")
    organiser.type("Your name", ORGANISER)
    organiser.type("Sign-in name", "olga")
    organiser.type("Password", PASSWORD)
    organiser.press("Make my account")
    organiser.sees("Rules and first league")
    organiser.press("Start the league")
    organiser.sees("The people")
    organiser.tap(organiser.page.locator("[name=names]"))
    organiser.page.keyboard.insert_text("\n".join(NAMES))
    organiser.press("Finish")
    organiser.sees("Your club is open")


def make_invitation_cards(organiser):
    """The address on the card of each person, by name."""
    organiser.follow("Invite your members")
    organiser.press("Make the cards")
    cards = organiser.page.locator(".table-card")
    expect(cards).to_have_count(len(NAMES))
    return {
        card.locator("h2").inner_text(): card.locator(".table-card__address").inner_text()
        for card in cards.all()
    }


def make_table_cards(organiser):
    """The address on the card of each table."""
    organiser.follow("Cards for the tables")
    organiser.type("Numbers or names", "1–3")
    organiser.press("Add, and show the cards")
    addresses = organiser.page.locator(".table-card__address")
    expect(addresses).to_have_count(3)
    return addresses.all_inner_texts()


def join(page, address):
    page.goto(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".messages")).to_contain_text("Your account is ready.")


def seat_from_the_list(organiser):
    """The organiser seats all three tables alone: at the first she sits as East herself."""
    for table, others in enumerate((NAMES[:3], NAMES[3:7], NAMES[7:])):
        if table:
            organiser.tap(organiser.page.locator(".table-title__home"))
        organiser.follow("Start a game")
        organiser.sees("Sit down")
        names = organiser.page.locator("[data-player]")
        expect(names).to_have_count(len(NAMES) + 1)
        expect(names.first).to_be_visible()  # its script shows the names, which were hidden
        for name in others:
            # Who plays already stands last: those who are free are found at the top.
            assert names.all_inner_texts().index(name) < len(NAMES) + 1 - 4 * table
            organiser.tap(names.filter(has_text=name))
        organiser.press("Start the game")
        organiser.sees("East round, hand 1")


def seat_by_scanning(organiser, members, tables):
    """One with an account scans each table, and seats the three others there."""
    others = iter(NAMES[2:])
    for page, address in zip((organiser.page, *members[:2]), tables, strict=True):
        page.goto(address)
        page.get_by_role("button", name=re.compile("Sit down.*East")).click()
        expect(page.get_by_role("button", name=re.compile("Leave"))).to_have_count(1)
        for taken in range(2, 5):
            page.get_by_role("button", name=next(others), exact=True).click()
            if taken < 4:
                expect(page.get_by_role("button", name=re.compile("Leave"))).to_have_count(taken)
        expect(page.locator("h1")).to_have_text("East round, hand 1")
    organiser.taps += 1 + 4


@pytest.mark.parametrize("seated", ["from the list", "by scanning"])
def test_twelve_players_sit_at_three_tables(phone, organiser, seated):
    set_up(organiser)
    cards = make_invitation_cards(organiser)
    members = []
    for name in MEMBERS:
        page = phone(width=360)
        join(page, cards[name])
        members.append(page)
    tables = make_table_cards(organiser)
    if seated == "by scanning":
        seat_by_scanning(organiser, members, tables)
    else:
        seat_from_the_list(organiser)
    sys.stdout.write(
        f"\nAn empty database to three tables, seated {seated}: {organiser.taps} taps\n"
    )
    assert organiser.taps <= MOST_TAPS
    assert not [address for address in organiser.visited if "/admin/" in address]
    assert (Player.objects.count(), User.objects.count()) == (12, 5)
    assert (ClubTable.objects.count(), League.objects.count()) == (3, 1)
    sitting = {player.name for game in Game.objects.open() for player in game.players}
    assert Game.objects.open().count() == 3
    assert len(sitting) == 12


@pytest.mark.thorough
def test_the_pages_on_the_way_are_accessible(organiser):
    page = organiser.page

    def fits():
        page.set_viewport_size({"width": 360, "height": 800})
        assert violations(page) + page.evaluate(MISFITS, 360) == []
        assert violations_at(page, 1280) + page.evaluate(MISFITS, 1280) == []

    set_up(organiser)
    fits()
    organiser.follow("Invite your members")
    fits()
    organiser.press("Make the cards")
    organiser.sees("Invitation cards")
    expect(page.locator(".table-card").first).to_be_visible()
    fits()
    page.goto(page.url)
    expect(page.get_by_label("Ann (invited already)")).not_to_be_checked()
