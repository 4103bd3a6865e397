"""Two phones at one table: the second learns what the first logged, and nothing is logged twice."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from tests.browser.table_page import TablePage
from tests.factories import make_hand, make_organiser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

UNDER_WAY = "[data-live].htmx-request"
SOON = 2000  # milliseconds of the page's clock; a saved hand is asked for by then


@pytest.fixture
def another_logs(game):
    """Somebody else logs a draw as the next hand."""
    return lambda: make_hand(game)


@pytest.fixture
def watcher(phone, live_server, game):
    """The table as a visitor sees it, at a moment that does not pass by itself."""
    page = phone()
    page.clock.install()
    with page.expect_request(is_question):  # from then on it asks by its clock
        table = TablePage(page, live_server.url, game).open()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    # A question under way would bring what is logged next, and its answer settles only as time passes.
    expect(page.locator(UNDER_WAY)).to_have_count(0)
    return table


def asks(page):
    """``page`` asks, by its own clock, within the time in which a saved hand has to be seen.

    Of two questions at once the second waits for the answer to the first, so that is awaited here.
    """
    expect(page.locator(UNDER_WAY)).to_have_count(0)
    with page.expect_request(is_question):
        page.clock.run_for(SOON)


def is_question(request):
    return "/live/" in request.url


def test_a_watcher_sees_a_saved_hand_within_two_seconds(watcher, another_logs):
    hand = another_logs()
    asks(watcher.page)
    watcher.page.clock.resume()
    expect(watcher.page.locator(f"#hand-{hand.pk}")).to_be_visible()
    expect(watcher.page.locator("h1")).to_have_text("East round, hand 2")


@pytest.mark.thorough
def test_a_watcher_goes_on_by_itself_after_a_break(watcher, another_logs, expect_status):
    expect_status(0)
    page = watcher.page
    page.context.set_offline(True)
    for _try in range(2):
        with page.expect_event("requestfailed", is_question):
            page.clock.run_for(2 * SOON)
    hand = another_logs()
    with page.expect_request(is_question):  # without any time
        page.context.set_offline(False)
    page.clock.resume()
    expect(page.locator(f"#hand-{hand.pk}")).to_be_visible()


@pytest.mark.thorough
def test_a_phone_stops_asking_while_the_page_is_out_of_sight(watcher):
    page, asked = watcher.page, []
    asks(page)
    page.evaluate("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'})")
    page.clock.run_for(SOON)  # a second question may have waited for the answer to the first
    expect(page.locator(UNDER_WAY)).to_have_count(0)
    page.on("request", lambda request: is_question(request) and asked.append(request.url))
    page.clock.run_for(4 * SOON)
    with page.expect_request("**/healthz"):  # whatever was asked before has been heard of by then
        page.evaluate("() => { fetch('/healthz') }")
    assert asked == []


@pytest.mark.thorough
def test_a_page_whose_game_is_gone_is_loaded_anew(watcher, expect_status):
    expect_status(404)
    nothing = "games/999999/live/"  # what the site itself says of a game that is not there
    watcher.page.route(
        "**/live/",
        lambda route: route.fulfill(
            response=route.fetch(url=re.sub(r"games/\d+/live/", nothing, route.request.url))
        ),
        times=1,
    )
    with watcher.page.expect_request(lambda request: request.is_navigation_request()):
        watcher.page.clock.run_for(SOON)


def test_an_untouched_form_turns_to_the_next_hand(table, another_logs):
    """It is read out what was logged; what was saved here says so by itself."""
    another_logs()
    expect(table.page.locator("[name=number]")).to_have_value("2")
    announced = table.page.locator("[role=status][data-news]")
    expect(announced).to_have_text("Hand 1: drawn, nobody pays.")
    table.draw().save().saved("Hand 2")
    expect(table.page.locator("#state")).to_have_attribute("data-next-number", "3")
    expect(announced).to_have_text("Hand 1: drawn, nobody pays.")


def test_a_watcher_hears_what_is_logged_and_taken_back_and_nothing_twice(
    watcher, another_logs, game, organiser
):
    page = watcher.page
    news = page.locator("[role=status][data-news]")
    first, _second = another_logs(), another_logs()
    page.clock.resume()
    expect(news).to_have_text("2 more hands were logged. Hand 2: drawn, nobody pays.")
    won = HandEntry(number=1, outcome="win", winner=game.players[1].pk, claimed_final=50)
    correct_hand(first, won, by=organiser, reason="A slip")  # the second gets a new version, too
    follows = game.hands.current().get(number=2)
    expect(page.locator(f"#hand-{follows.pk}")).to_be_visible()
    expect(news).to_have_text("2 more hands were logged. Hand 2: drawn, nobody pays.")
    void_hand(follows, by=organiser, reason="Dealt again")
    expect(news).to_have_text("Hand 2 was taken back.")


def test_who_is_tapping_is_told_and_keeps_what_was_tapped(table, another_logs):
    table.seat(1).tiles("2B").says("three more sets")
    another_logs()
    expect(table.preview).to_contain_text("Hand 1 is already logged")
    expect(table.page.locator("[role=status][data-news]")).to_be_empty()
    assert table.text == "222B"
    expect(table.page.locator("[name=winner]:checked")).to_have_count(1)


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_the_pad_goes_when_the_game_ends_and_comes_when_it_goes_on(table, game):
    """What was begun stays on the phone, and is in the form again."""
    organiser = make_organiser()
    table.seat(1).tiles("2B").says("Still needed:")
    finish_game(game, by=organiser)
    expect(table.page.locator("h1")).to_have_text("The game is over")
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    table.waits("1 hand is begun and not saved.")
    reopen_game(game, by=organiser, reason="We play on")
    expect(table.page.locator("#id_tiles")).to_have_value("222B")
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")


@pytest.mark.thorough
def test_the_form_goes_and_comes_as_somebody_ends_the_game_and_opens_it(table, game, another_logs):
    organiser = make_organiser()
    another_logs()
    expect(table.page.locator("[name=number]")).to_have_value("2")
    finish_game(game, by=organiser)
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    expect(table.page.locator("h1")).to_have_text("The game is over")
    reopen_game(game, by=organiser, reason="A slip")
    table.draw().save().saved("Hand 2")


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["tiles", "draw"])
def test_the_same_hand_is_let_go_without_a_question(table, game, another_logs, expect_status, what):
    """A sequence of sets is entered by each in another order. A question would be answered by "no"."""
    expect_status(409)
    if what == "draw":
        table.draw().says("Draw")
        another_logs()
    else:
        table.seed_hand().says("70")
        make_hand(game, winner=1, discarder=game.players[0].pk, tiles="55B 345B GGG 222B 222D")
    table.save()
    expect(table.page.locator(".conflict")).to_contain_text("Hand 1 is already logged")
    table.page.get_by_role("link", name="Same hand – discard mine").click()
    expect(table.page.locator("[name=number]")).to_have_value("2")
    assert table.chosen == ("", "")


class TestBothLogTheHand:
    @pytest.fixture(autouse=True)
    def too_late(self, table, another_logs, expect_status):
        expect_status(409)
        table.seed_hand().says("70")
        another_logs()
        table.save()
        expect(table.page.locator(".conflict")).to_contain_text("Hand 1 is already logged")

    def test_the_second_of_two_who_log_a_hand_sees_both(self, table):
        expect(table.page.locator(".conflict")).to_contain_text("a drawn hand")
        assert table.text == "222B 222D GGG 345B 55B"
        assert Hand.objects.count() == 1

    @pytest.mark.thorough
    def test_one_that_differs_is_let_go_after_a_question(self, table):
        asked = []
        table.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
        same = table.page.get_by_role("link", name="Same hand – discard mine")
        same.click()
        assert "another one" in asked[0]
        assert "222B 222D GGG 345B 55B" in asked[0]
        assert table.text == "222B 222D GGG 345B 55B"
        table.page.once("dialog", lambda dialog: dialog.accept())
        same.click()
        expect(table.page.locator("[name=number]")).to_have_value("2")
        assert table.text == ""

    @pytest.mark.thorough
    def test_what_is_said_of_the_next_hand_follows_the_table(self, table, another_logs):
        another_logs()
        refusal = table.page.locator(".conflict")
        expect(refusal).to_contain_text("Hand 1 is already logged. The next one is number 3.")
        table.page.get_by_role("button", name="save mine as hand 3").click()
        table.saved("Hand 3")

    @pytest.mark.thorough
    def test_a_hand_that_was_undone_meanwhile_is_no_longer_offered_for_the_own_one(
        self, table, game
    ):
        undo_hand(Hand.objects.get(), by=Hand.objects.get().logged_by)
        refusal = table.page.locator(".conflict")
        expect(refusal).to_contain_text(
            "Hand 1 was taken back or declared void. The next one is number 1."
        )
        expect(refusal.get_by_role("link")).to_have_count(0)
        expect(refusal).not_to_contain_text("a drawn hand")
        make_hand(game, winner=3, discarder=game.players[0].pk)
        expect(refusal).to_contain_text("Hand 1 is already logged. The next one is number 2.")
        expect(refusal).to_contain_text(f"{game.players[3]} wins")
        refusal.get_by_role("button", name="save mine as hand 2").click()
        table.saved("Hand 2")

    def test_another_hand_at_a_taken_number_is_saved_as_the_next(self, table):
        table.page.get_by_role("button", name="save mine as hand 2").click()
        table.saved("Hand 2")
        assert Hand.objects.get(number=2).final == 70
