"""The table page follows what others do about the game, also where nobody logs a hand."""

import pytest
from playwright.sync_api import expect

from scoring.models import League
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.games import finish_game
from scoring.services.hands.correct import void_hand
from scoring.services.seats import change_seats
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.browser.table_page import TablePage
from tests.factories import make_hand, make_member, make_organiser, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WITHDRAWN = "This game was withdrawn. Nothing in it counts."


@pytest.mark.thorough
def test_a_withdrawn_game_says_so_and_a_restored_one_no_longer(table, game):
    organiser = make_organiser()
    table.draw().save().saved("Hand 1")
    withdraw_game(game, by=organiser, reason="Wrong league")
    warning = table.page.get_by_text(WITHDRAWN)
    expect(warning).to_be_visible()
    expect(table.page.get_by_role("link", name="Restore the game")).to_be_visible()
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    expect(table.page.locator("[data-undo]")).to_have_count(0)
    restore_game(game, by=organiser, reason="It was right")
    expect(warning).to_have_count(0)
    table.draw().save().saved("Hand 2")


@pytest.mark.thorough
def test_what_was_done_to_a_game_is_not_said_of_one_that_others_have_withdrawn_since(table, game):
    organiser = make_organiser()
    finish_game(game, by=organiser)
    table.page.goto(f"{table.url}reopen/")
    table.page.get_by_label("Why?").fill("One more hand")
    table.page.get_by_role("button", name="Open the game again").click()
    done = table.page.get_by_text("The game is open again.")
    expect(done).to_be_visible()
    withdraw_game(game, by=organiser, reason="Wrong league")
    expect(table.page.get_by_text(WITHDRAWN)).to_be_visible()
    expect(done).to_have_count(0)


@pytest.mark.thorough
def test_who_is_signed_out_keeps_the_page_of_a_members_league(table, game, sign_in, expect_status):
    """What was half entered stays in sight; the link leads back here."""
    expect_status(401)
    expect_status(404)
    League.objects.update(visibility=League.Visibility.MEMBERS)
    page = table.page
    table.seat(1).tiles("2B")
    with page.expect_response(lambda response: response.status == 404):
        page.context.clear_cookies(name="sessionid")
    lost = page.get_by_role("alert").filter(has_text="You are signed out.")
    expect(lost).to_be_visible()
    expect(lost.get_by_role("link", name="Sign in")).to_have_attribute(
        "href", f"/sign-in/?next=/games/{game.pk}/"
    )
    expect(page.locator("[data-hand-form]")).to_be_visible()
    expect(page.locator("#id_tiles")).to_have_value("222B")
    sign_in(page, game.players[0].user)
    expect(lost).to_have_count(0)
    expect(page.locator("#id_tiles")).to_have_value("222B")


@pytest.mark.thorough
def test_who_is_signed_out_keeps_the_page_of_a_public_league(table, game, sign_in, expect_status):
    """Visitors may see the table, which has no form for them."""
    expect_status(401)
    page, doubter = table.page, make_member(player=game.players[2])
    table.draw().save().saved("Hand 1")
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B")
    page.context.clear_cookies(name="sessionid")
    dispute_hand(game.hands.get(), by=doubter, about="winner", reason="Ben won")
    lost = page.get_by_role("alert").filter(has_text="You are signed out.")
    expect(lost).to_be_visible()
    # Here the page of a visitor would have been loaded in the place of the form.
    with page.expect_response("**/live/"):
        pass
    table.tiles("5B").save().waits("1 hand waits")
    expect(page.locator("[data-hand-form]")).to_be_visible()
    sign_in(page, game.players[0].user)
    other = page.context.new_page()
    other.goto(table.url)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(lost).to_have_count(0)
    expect(table.waiting).to_be_hidden()
    expect(page.locator("h1")).to_have_text("East round, hand 3")
    expect(page.locator("[data-hand-form]")).to_be_visible()


@pytest.mark.thorough
def test_an_answer_to_a_poll_that_is_no_page_of_the_site_changes_nothing(
    table, game, expect_status
):
    expect_status(404)
    page = table.page
    table.seat(1).tiles("2B")
    for status in (404, 200):
        page.route(
            "**/live/",
            lambda route, _request, status=status: route.fulfill(
                status=status, body="page not found", content_type="text/html"
            ),
            times=1,
        )
        with page.expect_response("**/live/"):
            pass
    make_hand(game)
    expect(page.locator(".sheet tbody tr")).to_have_count(1)
    expect(page.locator("#id_tiles")).to_have_value("222B")


@pytest.mark.thorough
def test_undo_goes_when_the_hand_is_disputed_and_does_not_come_back(table, game):
    doubter = make_member(player=game.players[2])
    table.draw().save().saved("Hand 1")
    undo = table.page.locator("[data-undo]:visible")
    expect(undo).to_have_count(1)
    hand = game.hands.get()
    dispute_hand(hand, by=doubter, about="winner", reason="Ben won")
    expect(undo).to_have_count(0)
    settle_hand(hand, by=make_organiser(), reason="Nobody won")
    expect(table.page.locator(".sheet .badge--disputed")).to_have_count(0)
    expect(undo).to_have_count(0)


@pytest.mark.thorough
def test_the_page_of_who_was_replaced_names_the_new_dealer(table, game):
    """The one who deals is replaced: the reader, who may no longer log."""
    deals = table.page.locator("[data-deals]")
    expect(deals).to_have_text(f"{game.players[0]} deals.")
    newcomer = make_player("Bob Tanner")
    seats = [newcomer, *game.players[1:]]
    change_seats(game, seats, by=make_organiser(), reason="Went home")
    expect(table.page.locator("[data-hand-form]")).to_have_count(0)
    expect(deals).to_have_text("Bob Tanner deals.")


@pytest.mark.thorough
def test_a_form_that_was_out_of_sight_has_no_style_of_its_own(table):
    """The pad lays itself out anew there; htmx copies a style into the next piece of page, which the CSP refuses."""
    form = table.page.locator("[data-hand-form]")
    form.evaluate("""form => {
        form.hidden = true;
        form.dispatchEvent(new Event("filled"));
        form.dispatchEvent(new Event("pointerdown"));
    }""")
    expect(form.locator("[style]")).to_have_count(0)


@pytest.mark.thorough
def test_what_became_of_a_hand_whose_answer_was_lost_is_said_until_the_next_one(
    phone, live_server, game, expect_status
):
    expect_status(0)
    page = phone(player=game.players[0], width=360)
    table = TablePage(page, live_server.url, game).open()
    tries = []

    def lose(route):
        tries.append(route.fetch() if not tries else None)
        route.abort()

    page.route("**/hands/", lose)
    table.seed_hand().save().waits("1 hand waits")
    void_hand(game.hands.get(), by=make_organiser(), reason="It was another")
    page.unroute("**/hands/")
    notice = page.locator("[data-notice]")
    expect(notice).to_contain_text("It was declared void since.")
    with page.expect_response("**/live/"):
        make_hand(game, winner=None)
    expect(page.locator("[name=number]")).to_have_value("2")
    expect(notice).to_contain_text("It was declared void since.")
    table.seat(2)
    expect(notice).to_be_hidden()
