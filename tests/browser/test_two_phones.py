"""Two phones at one table: the second learns what the first logged, and nothing is logged twice."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.play.correct import correct_hand
from scoring.play.entry import HandEntry
from scoring.play.games import finish_game, reopen_game
from tests.browser.table_page import TablePage
from tests.factories import make_game, make_hand, make_organiser

# From the page to the database and back, on each of them.
pytestmark = [
    pytest.mark.browser,
    pytest.mark.sqlite,
    pytest.mark.postgresql,
    pytest.mark.django_db(transaction=True),
]

SOON = 2000  # milliseconds; a saved hand is seen by then


@pytest.fixture
def game():
    return make_game()


@pytest.fixture
def table(phone, live_server, game):
    return TablePage(phone(player=game.players[0]), live_server.url, game).open()


@pytest.fixture
def another_logs(game):
    """Somebody else logs a draw as the next hand."""
    return lambda: make_hand(game)


def test_a_watcher_sees_a_saved_hand_within_two_seconds(phone, live_server, game, another_logs):
    table = TablePage(phone(), live_server.url, game).open()
    hand = another_logs()
    expect(table.page.locator(f"#hand-{hand.pk}")).to_be_visible(timeout=SOON)
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")


def test_a_watcher_goes_on_by_itself_after_a_break(
    phone, live_server, game, another_logs, expect_status
):
    expect_status(0)
    table = TablePage(phone(), live_server.url, game).open()
    table.page.context.set_offline(True)
    table.page.wait_for_timeout(2 * SOON)
    hand = another_logs()
    table.page.context.set_offline(False)
    expect(table.page.locator(f"#hand-{hand.pk}")).to_be_visible(timeout=SOON)


def test_asking_stops_while_the_page_is_out_of_sight(table):
    asked = []
    table.page.on("request", lambda request: "/live/" in request.url and asked.append(request.url))
    table.page.evaluate("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'})")
    table.page.wait_for_timeout(SOON)
    assert asked == []


def test_an_untouched_form_turns_to_the_next_hand(table, another_logs):
    another_logs()
    expect(table.page.locator("[name=number]")).to_have_value("2", timeout=2 * SOON)
    table.draw().save().saved("Hand 2")


def test_who_is_tapping_is_told_and_keeps_what_was_tapped(table, another_logs):
    table.seat(1).tiles("2B").says("three more sets")
    another_logs()
    expect(table.preview).to_contain_text("Hand 1 is already logged", timeout=2 * SOON)
    assert table.text == "222B"
    expect(table.page.locator("[name=winner]:checked")).to_have_count(1)


def test_the_preview_follows_when_a_correction_moves_the_deal(table, game):
    """The number of the hand stays, the dealer does not: what stands there is worked out again."""
    first = make_hand(game, winner=0)
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    table.seed_hand().says("+280")
    entry = HandEntry(number=1, outcome="win", winner=game.players[1].pk, claimed_final=50)
    correct_hand(first, entry, by=make_organiser(), reason="South won")
    table.says("+420")
    table.save().saved("Hand 2")
    hand = Hand.objects.get(number=2)
    assert hand.payments.get(player=hand.winner).amount == 420


def test_the_pad_goes_when_the_game_ends_and_comes_when_it_goes_on(table, game):
    """What was begun stays on the phone, and is in the form again."""
    organiser = make_organiser()
    table.seat(1).tiles("2B").says("Still needed:")
    finish_game(game, by=organiser)
    expect(table.page.locator("h1")).to_have_text("The game is over")
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    table.waits("1 hand is begun and not saved.")
    reopen_game(game, by=organiser, reason="We play on")
    expect(table.page.locator("#id_tiles")).to_have_value("222B", timeout=20_000)
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")


def test_the_form_goes_and_comes_as_somebody_ends_the_game_and_opens_it(table, game, another_logs):
    organiser = make_organiser()
    another_logs()
    expect(table.page.locator("[name=number]")).to_have_value("2")
    finish_game(game, by=organiser)
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    expect(table.page.locator("h1")).to_have_text("The game is over")
    reopen_game(game, by=organiser, reason="A slip")
    table.draw().save().saved("Hand 2")


class TestBothLogTheHand:
    @pytest.fixture(autouse=True)
    def too_late(self, table, another_logs, expect_status):
        expect_status(409)
        table.seed_hand().says("70")
        another_logs()
        table.save()
        expect(table.page.locator(".conflict")).to_contain_text("Hand 1 is already logged")

    def test_the_second_sees_both(self, table):
        expect(table.page.locator(".conflict")).to_contain_text("a drawn hand")
        assert table.text == "222B 222D GGG 345B 55B"
        assert Hand.objects.count() == 1

    def test_the_same_hand_is_let_go(self, table):
        table.page.get_by_role("link", name="Same hand – discard mine").click()
        expect(table.page.locator("[name=number]")).to_have_value("2")
        assert table.text == ""

    def test_another_hand_is_saved_as_the_next(self, table):
        table.page.get_by_role("button", name="save mine as hand 2").click()
        table.saved("Hand 2")
        assert Hand.objects.get(number=2).final == 70
