"""Sitting down by scanning the card of a table: how many taps it takes, on four phones at once."""

import pytest
from playwright.sync_api import expect

from scoring.models import Game, Player, WaitingSeat
from scoring.services.games import finish_game
from scoring.services.pins import set_pin
from scoring.services.seating import leave_seat, sit_down
from scoring.services.table_codes import renew_codes
from tests.browser.accessibility import violations, violations_at
from tests.factories import (
    make_game,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_table,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Phone:
    """A page that counts its taps. Typing is no tap; a tap into a field is one."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, locator):
        locator.first.click()
        self.taps += 1

    def type(self, locator, text):
        self.tap(locator)
        self.page.keyboard.type(text)


@pytest.fixture
def table():
    make_league()
    return make_table("3")


@pytest.fixture
def scan(phone, live_server, table):
    """A phone with the page that the card of the table opens; opening what was scanned is one tap."""

    def scan(**who):
        page = phone(**who)
        page.goto(f"{live_server.url}/tables/{table[1]}/")
        expect(page.locator("h1")).to_have_text("Table 3")
        opened = Phone(page)
        opened.taps = 1
        return opened

    return scan


def seat_of(page, name):
    return page.locator(".seat__name", has_text=name)


def own_button(page, wind):
    """The button that seats who is signed in."""
    return page.locator(f"#sit-{'ESWN'.index(wind[0])}")


def button(page, name):
    return page.get_by_role("button", name=name)


def test_four_phones_sit_down_and_are_led_to_their_game(scan, table):
    ann, bo, cyrus = (make_player(name) for name in ("Ann", "Bo", "Cyrus"))
    set_pin(cyrus, "4711", by=make_organiser())
    first = scan(player=ann)
    first.tap(own_button(first.page, "East"))
    expect(seat_of(first.page, "Ann")).to_contain_text("you")
    assert first.taps == 2

    second = scan(player=bo)
    second.tap(own_button(second.page, "South"))
    assert second.taps == 2
    expect(seat_of(first.page, "Bo")).to_be_visible()

    third = scan()
    third.tap(button(third.page, "Cyrus"))
    expect(third.page.get_by_label("PIN of Cyrus")).to_be_focused()
    third.page.keyboard.type("4711")
    third.tap(third.page.get_by_role("button", name="Sit down", exact=True))
    expect(seat_of(third.page, "Cyrus")).to_contain_text("you")
    assert third.taps == 3

    guest = scan()
    guest.type(guest.page.get_by_label("your name"), "Zoë")
    guest.tap(button(guest.page, "Sit down as a guest"))
    assert guest.taps <= 4
    for opened in (first, second, third, guest):
        expect(opened.page.locator("h1")).to_have_text("East round, hand 1")
    game = Game.objects.get()
    assert game.players == [ann, bo, cyrus, Player.objects.get(name="Zoë", guest=True)]


@pytest.fixture
def over(table):
    """A game that was played at the table, by an organiser and three others."""
    member = make_member(player=make_player("Ann"))
    players = [member.player, *(make_player() for _seat in range(3))]
    game = make_game(players=players, by=member)
    table[0].game = game
    table[0].save()
    finish_game(game, by=member)
    return game


@pytest.mark.parametrize("at", ["the card", "the game"])
def test_the_same_four_play_again_with_one_tap(phone, live_server, table, over, at):
    page = phone(user=over.started_by)
    where = f"/tables/{table[1]}/" if at == "the card" else over.get_absolute_url()
    page.goto(f"{live_server.url}{where}")
    again = Phone(page)
    again.tap(button(page, "The same four again"))
    expect(page.locator("h1")).to_have_text("East round, hand 1")
    assert again.taps == 1
    assert Game.objects.open().get().players == over.players


def test_a_new_game_from_the_list_takes_at_most_six_taps(phone, live_server):
    make_league()
    names = [make_player(name) for name in ("Ann", "Bo", "Cyrus", "Di")]
    for _other in range(40):
        make_player()
    finish_game(make_game(players=names), by=make_organiser())
    page = phone(user=make_organiser())
    page.goto(live_server.url)
    taps = Phone(page)
    taps.tap(page.get_by_role("link", name="Start a game"))
    for player in names:
        # Who played lately stands first, so nobody has to look for them.
        name = page.locator(f'[data-player="{player.pk}"]')
        expect(name).to_be_visible()
        assert page.locator("[data-player]").all_inner_texts().index(player.name) < 4
        taps.tap(name)
    taps.tap(button(page, "Start the game"))
    expect(page.locator("h1")).to_have_text("East round, hand 1")
    assert taps.taps <= 6


@pytest.mark.thorough
def test_a_game_is_started_with_guests_who_were_added_on_the_list(phone, live_server):
    make_league()
    page = phone(player=make_player("Ann"))
    page.goto(f"{live_server.url}/games/new/")
    for number, guest in enumerate(("Zoë", "Wen", "Xu")):
        page.get_by_label("A guest who is new here").fill(guest)
        button(page, "Add the guest").click()
        expect(page.locator("[data-chosen]").nth(number + 1)).to_have_text(guest)
    button(page, "Start the game").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")
    assert [player.name for player in Game.objects.get().players] == ["Ann", "Zoë", "Wen", "Xu"]


@pytest.mark.thorough
def test_sitting_down_by_scanning_works_without_scripts(phone, live_server, table):
    ann = make_player("Ann")
    page = phone(player=ann, scripts=False)
    page.goto(f"{live_server.url}/tables/{table[1]}/")
    own_button(page, "West").click()
    expect(seat_of(page, "Ann")).to_contain_text("you")
    for number in range(3):
        page.get_by_label("A guest’s name").fill(f"Guest {number}")
        button(page, "Seat the guest").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")


@pytest.mark.thorough
def test_a_seat_that_was_taken_meanwhile_is_told_with_the_name(scan, table):
    ann, bo = make_player("Ann"), make_player("Bo")
    phone = scan(player=ann)
    phone.page.evaluate("document.querySelector('[data-board]').removeAttribute('data-board')")
    sit_down(table[0], 0, by=make_member(player=bo), player=bo)
    phone.tap(own_button(phone.page, "East"))
    expect(phone.page.get_by_text("Bo was faster: choose another seat.")).to_be_visible()


@pytest.mark.thorough
def test_the_page_is_accessible_while_people_wait(phone, live_server, table):
    sit_down(table[0], 0, by=make_member(), player=make_player("Donaudampfschifffahrtskapitänin"))
    for who in ({"user": make_organiser(player=make_player("Ann"))}, {}):
        page = phone(width=360, **who)
        page.goto(f"{live_server.url}/tables/{table[1]}/")
        assert violations(page) == []
        assert violations_at(page, 1280) == []


@pytest.mark.thorough
def test_a_scanned_table_without_a_network_says_so_and_keeps_what_was_typed(scan, expect_status):
    expect_status(0)
    phone = scan(player=make_player("Ann"))
    page = phone.page
    page.context.set_offline(True)
    phone.type(page.locator("#guest"), "Zoë")
    phone.tap(button(page, "Seat the guest"))
    expect(page.get_by_role("alert")).to_contain_text("Nothing was sent: the site does not answer.")
    expect(page.locator("#guest")).to_have_value("Zoë")
    page.context.set_offline(False)
    phone.tap(button(page, "Seat the guest"))
    expect(seat_of(page, "Zoë")).to_be_visible()
    assert WaitingSeat.objects.get().guest_name == "Zoë"


@pytest.mark.thorough
def test_a_page_whose_card_is_renewed_says_so_and_asks_no_more(scan, table):
    page = scan().page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    renew_codes([table[0]], by=make_organiser())
    expect(page.locator("#board")).to_contain_text("This card is no longer valid")
    expect(page.locator("#pick")).to_have_count(0)
    asked.clear()
    page.wait_for_timeout(5000)
    assert not asked


@pytest.mark.thorough
def test_a_tap_on_a_slow_network_frees_nobody_else_than_was_meant(phone, live_server, table):
    organiser = make_organiser()
    first = sit_down(table[0], 0, by=make_member(), player=make_player("Ann"))
    page = phone(user=organiser, width=360)
    page.goto(f"{live_server.url}/tables/{table[1]}/")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/healthz", hold)
    page.get_by_role("button", name="Leave").click()
    leave_seat(first, by=organiser)
    sit_down(table[0], 0, by=make_member(), player=make_player("Bo"))
    expect(seat_of(page, "Bo")).to_be_visible()
    held[0].continue_()
    expect(page.get_by_text("somebody else has changed this")).to_be_visible()
    assert WaitingSeat.objects.get().player.name == "Bo"
