"""A hand that comes too late: shown with its reason, handed to an organiser, or sent when the game goes on."""

import re

import pytest
from playwright.sync_api import expect

from scoring.models import Hand, LateHand
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.late_hands import decline_late_hand, take_in_late_hand
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_hand, make_organiser
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def organiser():
    return make_organiser()


@pytest.fixture
def late(table, game, organiser, expect_status):
    """A hand that was saved without a network; meanwhile the game was ended."""
    expect_status(0)
    expect_status(403)
    expect_status(409)
    table.seed_hand().says("70")
    table.page.context.set_offline(True)
    table.save().waits("1 hand waits on this phone")
    finish_game(game, by=organiser)
    table.page.context.set_offline(False)
    table.waits("1 hand was not accepted.").waits("This game was ended")
    return table


def ask(table):
    table.page.get_by_role("button", name="Ask an organiser").click()
    table.waits("with an organiser")
    return LateHand.objects.get()


def test_an_organiser_is_asked_with_one_tap_and_takes_it_in(late, game, organiser):
    take_in_late_hand(ask(late), by=organiser)
    assert game.hands.get().final == 70
    expect(late.waiting).to_be_hidden()


@pytest.mark.thorough
def test_an_organiser_declines_it_and_says_why(late, game, organiser):
    decline_late_hand(ask(late), by=organiser, reason="Nobody saw it")
    late.waits("declined by an organiser").waits("Nobody saw it")
    assert not game.hands.exists()


@pytest.mark.thorough
def test_a_hand_that_was_declined_reaches_the_organiser_again(late, game, organiser):
    decline_late_hand(ask(late), by=organiser, reason="Nobody saw it")
    late.waits("declined by an organiser")
    late_hand = ask(late)
    assert late_hand.status == "asked"
    take_in_late_hand(late_hand, by=organiser)
    expect(late.waiting).to_be_hidden()
    assert game.hands.get().final == 70


@pytest.mark.thorough
def test_a_hand_whose_number_is_logged_goes_to_an_organiser_as_the_next_one(
    table, game, organiser, expect_status
):
    """None of those behind it overtakes it, and it can also be discarded as the same hand."""
    for status in (0, 403, 409, 422):
        expect_status(status)
    table.seed_hand().says("70")
    table.page.context.set_offline(True)
    table.save().waits("1 hand waits on this phone")
    table.draw().save().waits("2 hands wait on this phone")
    make_hand(game, winner=2, by=organiser)
    finish_game(game, by=organiser)
    table.page.context.set_offline(False)
    table.waits("2 hands were not accepted.").waits("This game was ended")
    first, behind = (table.waiting.locator(".waiting__hand").nth(place) for place in (0, 1))
    expect(first).to_contain_text("Hand 1 is already logged. The next one is number 2.")
    expect(first.get_by_role("button", name="Same hand – discard mine")).to_be_visible()
    expect(behind).not_to_contain_text("already logged")
    behind.get_by_role("button", name="Ask an organiser").click()
    expect(behind).to_contain_text("waiting for hand 1")
    assert not LateHand.objects.exists()
    table.page.reload()
    name = "A different hand – ask an organiser to log it as hand 2"
    first.get_by_role("button", name=name).click()
    expect(table.waiting.get_by_text("with an organiser")).to_have_count(2)
    for number in (2, 3):
        late_hand = LateHand.objects.waiting().order_by("number").first()
        assert take_in_late_hand(late_hand, by=organiser).number == number
    expect(table.waiting).to_be_hidden()
    assert [hand.is_win for hand in game.hands.order_by("number")] == [True, True, False]


@pytest.mark.thorough
def test_a_hand_that_no_organiser_got_is_saved_as_the_next_one_once_the_game_goes_on(
    table, game, organiser, expect_status
):
    """Its refusal was made while the game was over."""
    for status in (0, 403, 409, 422):
        expect_status(status)
    table.draw()
    table.page.context.set_offline(True)
    table.save().waits("1 hand waits on this phone")
    make_hand(game, winner=2, by=organiser)
    make_hand(game, winner=2, by=organiser)
    finish_game(game, by=organiser)
    table.page.context.set_offline(False)
    table.waits("This game was ended")
    as_next = "A different hand – ask an organiser to log it as hand 3"
    table.page.route("**/late/", lambda route: route.continue_(post_data=refused(route)), times=1)
    # The list says already that hand 1 is logged: once the game goes on, what is not refused yet is sent.
    with table.page.expect_response("**/late/"):
        table.page.get_by_role("button", name=as_next).click()
    table.waits("not accepted").waits("Hand 1 is already logged")
    reopen_game(game, by=organiser, reason="Not over")
    table.page.get_by_role("button", name="A different hand – save mine as hand 3").click()
    table.saved("Hand 3")
    assert [hand.is_win for hand in game.hands.order_by("number")] == [True, True, False]


def refused(route):
    """What asks for the hand as if it still were number 1."""
    return re.sub(r"\bnumber=3\b", "number=1", route.request.post_data)


@pytest.mark.thorough
def test_a_whole_hand_that_was_never_saved_is_handed_over_where_there_is_no_form_any_more(
    table, game, organiser
):
    table.seed_hand().says("70")
    finish_game(game, by=organiser)
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    table.waits("1 hand is begun and not saved.")
    table.waits("When you can log hands at its table again, you will find it in the form there.")
    take_in_late_hand(ask(table), by=organiser)
    expect(table.waiting).to_be_hidden()
    assert game.hands.get().final == 70


@pytest.mark.thorough
@pytest.mark.parametrize("shut", ["over", "closed"])
def test_a_page_that_was_opened_while_no_hand_was_taken_gets_a_whole_pad(
    table, game, organiser, shut
):
    """It learns by itself that the game goes on; its tiles and bar are those of a page that is opened now."""
    if shut == "over":
        finish_game(game, by=organiser)
    else:
        close_evening(game.league, game.evening, by=organiser)
    page = table.page
    page.reload()
    expect(page.locator("[data-hand-form]")).to_have_count(0)
    if shut == "over":
        reopen_game(game, by=organiser, reason="One more")
    else:
        reopen_evening(game.league, game.evening, by=organiser, reason="One more")
    expect(page.locator("[data-hand-form][data-started]")).to_be_visible()
    learned = looks_of(page)
    page.reload()
    expect(page.locator("[data-hand-form][data-started]")).to_be_visible()
    assert learned == looks_of(page)


def looks_of(page):
    """How the page of a table is laid out."""
    return page.evaluate("""() => ({
        sheets: [...document.styleSheets].map(({ href }) => href).filter(Boolean).sort(),
        shown: [".site-header", ".breadcrumbs", "#id_tiles", ".pad-bar", "[data-seat]"].map((selector) => {
            const element = document.querySelector(selector);
            return [selector, getComputedStyle(element).display, element.offsetWidth];
        }),
        columns: getComputedStyle(document.getElementById("table")).gap,
    })""")


@pytest.mark.thorough
def test_half_a_hand_is_handed_to_nobody(table, game, organiser):
    table.seat(1).tiles("2B").says("Still needed:")
    finish_game(game, by=organiser)
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    table.waits("1 hand is begun and not saved.").waiting.locator("summary").click()
    expect(table.page.get_by_role("button", name="Throw it away")).to_be_visible()
    expect(table.page.get_by_role("button", name="Ask an organiser")).to_be_hidden()


def test_a_late_hand_is_sent_by_itself_as_soon_as_the_game_goes_on(late, game, organiser):
    reopen_game(game, by=organiser, reason="One more")
    wait_until(late.page, Hand.objects.exists, "the hand is sent without another tap")
    expect(late.waiting).to_be_hidden()


@pytest.mark.thorough
def test_a_hand_of_a_withdrawn_game_is_shut_out_until_it_is_restored(
    table, game, organiser, expect_status
):
    """Nothing is wrong with the hand: it lies in no form, and is sent when the game counts again."""
    expect_status(0)
    expect_status(403)
    expect_status(409)
    table.page.context.set_offline(True)
    table.seed_hand().save().waits("1 hand waits on this phone")
    withdraw_game(game, by=organiser, reason="Wrong league")
    table.page.context.set_offline(False)
    table.waits("1 hand was not accepted.").waits("withdrawn")
    expect(table.waiting.locator("[data-state=blocked]")).to_have_count(1)
    expect(table.page.get_by_role("button", name="Throw it away")).to_be_visible()
    # What is above the table is about what the site has.
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    # Organisers do not see hands of a withdrawn game.
    expect(table.page.get_by_role("button", name="Ask an organiser")).to_be_hidden()
    restore_game(game, by=organiser, reason="It was right")
    wait_until(table.page, Hand.objects.exists, "the hand is sent without another tap")
    expect(table.waiting).to_be_hidden()
