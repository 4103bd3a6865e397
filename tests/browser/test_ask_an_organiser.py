"""A hand that came too late for its table is handed to an organiser with one tap."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand, LateHand
from scoring.services.games import finish_game, reopen_game
from tests.browser.table_page import TablePage
from tests.factories import make_organiser
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def too_late(table: TablePage, game, expect_status):
    """The table on a phone with a hand that was saved before the game was ended, and came after."""
    expect_status(0)
    expect_status(409)
    table.page.context.set_offline(True)
    table.draw().save().waits("1 hand waits")
    finish_game(game, by=make_organiser())
    table.page.context.set_offline(False)
    return table.waits("1 hand was not accepted").waits("not accepted")


def asked(table):
    table.waiting.get_by_role("button", name="Ask an organiser").click()
    return table


def test_a_hand_that_came_too_late_goes_to_an_organiser(too_late):
    asked(too_late).waits("with an organiser")
    assert LateHand.objects.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("asks", [False, True])
def test_a_hand_that_came_too_late_is_logged_when_the_page_sees_that_the_game_goes_on(
    too_late, game, asks
):
    if asks:
        asked(too_late).waits("with an organiser")
    reopen_game(game, by=make_organiser(), reason="A slip")
    expect(too_late.waiting).to_be_hidden()  # long before the minute in which it is tried anyway
    assert Hand.objects.count() == 1


@pytest.mark.thorough
def test_who_asks_while_the_hand_is_sent_again_is_not_overruled_by_the_answer(too_late):
    held = []
    page = too_late.page

    def hold(route):
        held.append(route)

    page.route("**/hands/", hold)
    page.reload()
    wait_until(page, lambda: held, "The hand was not sent again.")
    asked(too_late).waits("being handed to an organiser")
    with page.expect_response("**/hands/"):
        held[0].continue_()
    too_late.waits("with an organiser")
    expect(too_late.waiting).not_to_contain_text("not accepted")
    assert LateHand.objects.count() == 1


@pytest.mark.thorough
def test_a_hand_that_is_wrong_is_corrected_once_the_game_is_open_again(table, game, expect_status):
    """Organisers take in what was played, and correct nothing: asking again would be refused again."""
    for status in (0, 409, 422):
        expect_status(status)
    table.page.context.set_offline(True)
    table.won(1, 0).write("222B 222D GGG 345B 5B 7B").says("No network").save().waits(
        "1 hand waits"
    )
    finish_game(game, by=make_organiser())
    table.page.context.set_offline(False)
    asked(table.waits("1 hand was not accepted"))
    table.waits("does not win").waits("When you can log hands at its table again")
    expect(table.page.get_by_role("button", name="Ask an organiser")).to_be_hidden()
    reopen_game(game, by=make_organiser(), reason="One more")
    expect(table.page.locator("#id_tiles")).to_have_value("222B 222D GGG 345B 5B 7B")
    table.write("222B 222D GGG 345B 55B").says("70").save().saved("Hand 1")
