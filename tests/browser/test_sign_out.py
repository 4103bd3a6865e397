"""Signing out on a bad network: what became of it is said, and never something else."""

import pytest
from django.db import OperationalError
from django.urls import reverse
from playwright.sync_api import expect

from scoring.web.table import views
from tests.browser.table_page import TablePage, kept
from tests.support.browser import user_of, wait_until

PASSWORD = "tiles on the table"

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


IS_STORED = "async () => Boolean(await (await caches.open('pages')).match(location.pathname))"


@pytest.fixture(autouse=True)
def no_network_is_part_of_the_story(expect_status):
    expect_status(0)


def lose_the_request(route):
    route.abort()


def lose_the_answer(route):
    """The site signs out, and the browser hears nothing of it: it has its cookie."""
    context = route.request.frame.page.context
    cookies = context.cookies()
    route.fetch(max_redirects=0)
    context.add_cookies(cookies)
    route.abort()


@pytest.fixture
def sign_out(phone, live_server, game):
    """``sign_out(handle)`` signs out on a network that treats the request as ``handle`` does; the page, and what it said."""

    def sign_out(handle, **how):
        page = phone(player=game.players[0])
        page.goto(f"{live_server.url}/leagues/")
        heard = []
        page.on("dialog", lambda dialog: (heard.append(dialog.message), dialog.accept()))
        page.route("**/sign-out/", handle, **how)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Sign out").click()
        return page, heard

    return sign_out


def fail(*_args, **_more):
    raise OperationalError("the disk is full")


def terms(route):
    route.fulfill(status=200, content_type="text/html", body="<h1>Accept our terms</h1>")


@pytest.mark.parametrize(
    ("handle", "words"),
    [
        (lose_the_answer, "You are signed out."),
        (lose_the_request, "You are still signed in: signing out did not reach the site."),
        (terms, "You are still signed in: signing out did not reach the site."),
    ],
    ids=["the answer is lost", "the request is lost", "something in between answers"],
)
def test_who_hears_no_answer_to_signing_out_is_told_so_and_then_what_became_of_it(
    sign_out, live_server, handle, words
):
    page, heard = sign_out(handle)
    wait_until(page, lambda: heard, "Nothing was said.")
    assert heard == [
        "No answer from the site: nobody knows yet whether you are signed out. Try again."
    ]
    page.unroute_all()
    page.goto(f"{live_server.url}/players/")
    expect(page.locator("main")).to_contain_text(words)
    expect(page.locator("main")).not_to_contain_text("on this device")
    page.goto(f"{live_server.url}/leagues/")
    expect(page.locator("main")).not_to_contain_text(words)


@pytest.mark.thorough
def test_what_a_page_says_once_is_not_in_the_page_that_is_stored(phone, live_server, game):
    page = phone(player=game.players[0], service_workers="allow")
    kept(TablePage(page, live_server.url, game).open())
    page.context.add_cookies([{"name": "signing_out", "value": "1", "url": live_server.url}])
    page.goto(live_server.url)
    expect(page.locator("main")).to_contain_text("You are still signed in")
    wait_until(page, lambda: page.evaluate(IS_STORED), "Home was not stored.")
    page.context.set_offline(True)
    page.goto(live_server.url)
    expect(page.locator("h1")).to_have_text("Today at the club")
    expect(page.locator("main")).not_to_contain_text("You are still signed in")


@pytest.mark.thorough
def test_a_sign_out_whose_answer_was_lost_once_is_asked_for_again(sign_out):
    page, heard = sign_out(lose_the_answer, times=1)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("on this device")
    assert heard == []


STORED = (
    "async () => (await (await caches.open('pages')).keys()).map(({url}) => new URL(url).pathname)"
)


@pytest.mark.thorough
def test_a_phone_whose_sign_out_had_no_answer_forgets_its_tables_once_that_is_known(
    phone, live_server, game
):
    page = phone(player=game.players[0], service_workers="allow")
    table = kept(TablePage(page, live_server.url, game).open())
    assert game.get_absolute_url() in page.evaluate(STORED)
    page.context.clear_cookies(name="sessionid")
    page.context.add_cookies([{"name": "signing_out", "value": "1", "url": live_server.url}])
    page.goto(f"{live_server.url}/players/")
    wait_until(page, lambda: page.evaluate(STORED) == ["/offline/"], "The table is still there.")
    page.context.set_offline(True)
    page.goto(table.url)
    expect(page.locator("h1")).to_have_text("No network")


def test_who_signs_in_after_a_session_has_ended_elsewhere_gets_no_page_of_the_other(
    phone, live_server, game, sign_in
):
    """Nobody signed out here: the session was ended on another device."""
    page = phone(player=game.players[0], service_workers="allow")
    table = kept(TablePage(page, live_server.url, game).open())
    page.context.clear_cookies(name="sessionid")
    page.goto(f"{live_server.url}/players/")
    assert game.get_absolute_url() in page.evaluate(STORED)
    sign_in(page, user_of(game.players[1]))
    page.goto(f"{live_server.url}/players/")
    wait_until(page, lambda: page.evaluate(STORED) == ["/offline/"], "The table is still there.")
    kept(table.open())
    page.goto(f"{live_server.url}/leagues/")
    assert game.get_absolute_url() in page.evaluate(STORED)


@pytest.mark.thorough
def test_who_signs_in_is_shown_no_stored_page_of_another_while_the_site_is_in_trouble(
    phone, live_server, game, monkeypatch, expect_status
):
    page = phone(player=game.players[0], service_workers="allow")
    table = kept(TablePage(page, live_server.url, game).open())
    page.context.clear_cookies(name="sessionid")
    other = user_of(game.players[1])
    other.set_password(PASSWORD)
    other.save()
    page.goto(f"{live_server.url}{reverse('sign_in')}?next={game.get_absolute_url()}")
    page.locator("#id_username").fill(other.username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    expect_status(503)
    with monkeypatch.context() as trouble:
        trouble.setattr(views, "table_context", fail)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.locator("h1")).to_contain_text("cannot answer right now")
    page.goto(table.url)
    expect(page.locator("[data-waiting]")).to_have_attribute("data-user", str(other.pk))
