"""A phone that has stored a table meets a new release of the site, whose files have other addresses."""

from http import HTTPStatus

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.web.offline import precache
from tests.browser.table_page import TablePage, kept
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Site:
    """The site as ``release`` serves it: the files of every other release are gone.

    Each release has its files in a folder of its own, where production has a digest in each name.
    """

    def __init__(self, app):
        self.app, self.release, self.trouble = app, 1, None

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if self.trouble == HTTPStatus.OK and path != "/worker.js":
            return answer(self.trouble, start_response)
        own = f"/static/{self.release}/"
        if path.startswith(own):
            return self.app(environ | {"PATH_INFO": path.replace(own, "/static/")}, start_response)
        if path.startswith("/static/"):
            return answer(HTTPStatus.NOT_FOUND, start_response)
        if self.trouble and path not in {"/worker.js", "/offline/"}:
            return answer(self.trouble, start_response)
        return self.app(environ, start_response)


def answer(status, start_response):
    """As something between phone and site does; with 200 it is the sign-in of a network."""
    start_response(f"{status} {status.phrase}", [("Content-Type", "text/html")])
    return [b"<!doctype html><title>Network</title><h1>Sign in to the network</h1>"]


@pytest.fixture
def site(live_server, monkeypatch):
    httpd = live_server.thread.httpd
    app = httpd.get_app()
    site = Site(app)
    monkeypatch.setattr(
        StaticFilesStorage, "url", lambda _storage, name: f"/static/{site.release}/{name}"
    )
    httpd.set_app(site)
    precache.version.cache_clear()
    yield site
    httpd.set_app(app)
    precache.version.cache_clear()


@pytest.fixture
def table(site, phone, live_server, game, expect_status):
    """The table on a phone that has stored it."""
    expect_status(0)
    # An open page draws with the tiles of its own release, also once the phone has those of the next one alone.
    expect_status(HTTPStatus.NOT_FOUND)
    page = phone(player=game.players[0], service_workers="allow")
    return kept(TablePage(page, live_server.url, game).open())


IS_STORED = "async () => Boolean(await (await caches.open('pages')).match(location.pathname))"


def publish(site):
    site.release += 1
    precache.version.cache_clear()


IS_INSTALLED = """
async (name) => {
    const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
    return !installing && !waiting && active.state === "activated" && (await caches.keys()).includes(name);
}
"""


# Look for a new worker, and wait until it is installed or given up.
UPDATE = """
async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const worker = registration.installing;
    while (worker?.state === "installing") {
        await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    }
}
"""


def installed(page):
    """Wait until the phone has the worker of the release that the site has now."""
    name = f"files-{precache.version()}"
    has_it = lambda: page.evaluate(IS_INSTALLED, name)  # noqa: E731
    wait_until(page, has_it, "The new worker was not installed.")


def without_a_network(table):
    """The phone has the files of pages that it has shown nowhere else, either."""
    session = table.page.context.new_cdp_session(table.page)
    session.send("Network.clearBrowserCache")
    table.page.context.set_offline(True)
    return table


def can_be_played(table):
    table.open().draw().save().waits("1 hand waits")
    table.page.context.set_offline(False)
    wait_until(table.page, Hand.objects.exists, "The hand was not sent.")


@pytest.mark.thorough
def test_a_stored_table_that_was_closed_meanwhile_opens_without_a_network(site, table, live_server):
    table.page.goto(f"{live_server.url}/players/")
    publish(site)
    table.page.goto(live_server.url)
    installed(table.page)
    can_be_played(without_a_network(table))


def test_a_stored_table_that_stayed_open_meanwhile_opens_without_a_network(
    site, table, live_server
):
    publish(site)
    other = table.page.context.new_page()
    other.goto(live_server.url)
    installed(other)
    other.close()
    can_be_played(without_a_network(table))


@pytest.mark.thorough
def test_a_stored_table_that_cannot_be_fetched_anew_keeps_its_files(
    site, table, live_server, expect_status
):
    table.page.goto(f"{live_server.url}/players/")
    publish(site)
    site.trouble = HTTPStatus.BAD_GATEWAY
    expect_status(HTTPStatus.BAD_GATEWAY)
    table.page.goto(live_server.url)
    installed(table.page)
    site.trouble = None
    can_be_played(without_a_network(table))


@pytest.mark.thorough
def test_files_that_no_stored_page_names_are_deleted(site, table, live_server):
    publish(site)
    table.page.goto(live_server.url)
    installed(table.page)
    names = table.page.evaluate("() => caches.keys()")
    assert sorted(names) == [f"files-{precache.version()}", "pages"]


@pytest.mark.thorough
def test_a_table_that_moves_on_after_a_release_is_stored_with_its_new_files(site, table):
    """Nobody has opened another page, so that the browser has not looked for a new worker."""
    publish(site)
    table.draw().save().saved("Hand 1")
    installed(kept(table).page)
    without_a_network(table).open()
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")
    table.draw().save().waits("1 hand waits")


@pytest.mark.thorough
def test_the_sign_in_of_a_network_is_not_stored_as_the_table(site, table):
    site.trouble = HTTPStatus.OK
    table.page.reload()
    expect(table.page.locator("h1")).to_have_text("Sign in to the network")
    site.trouble = None
    can_be_played(without_a_network(table))


@pytest.mark.thorough
def test_the_sign_in_of_a_network_is_not_stored_as_the_files_of_a_release(site, table):
    publish(site)
    site.trouble = HTTPStatus.OK
    table.page.evaluate(UPDATE)
    names = table.page.evaluate("() => caches.keys()")
    assert f"files-{precache.version()}" not in names
    site.trouble = None
    can_be_played(without_a_network(table))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "status",
    [HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT],
)
def test_a_stored_table_and_the_home_page_open_while_something_answers_for_the_site(
    site, table, live_server, expect_status, status
):
    """As a proxy does while a release starts."""
    expect_status(status)
    table.page.goto(live_server.url)
    expect(table.page.locator("h1")).to_be_visible()
    wait_until(table.page, lambda: table.page.evaluate(IS_STORED), "Home was not stored.")
    site.trouble = status
    table.page.goto(live_server.url)
    expect(table.page.locator("h1")).to_be_visible()
    table.open().draw().save().waits("1 hand waits")
    site.trouble = None
    wait_until(table.page, Hand.objects.exists, "The hand was not sent.")
