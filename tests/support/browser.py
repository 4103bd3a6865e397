"""Phones and desktops in Chromium, which see what a person would and forgive nothing.

- ``phone(...)`` is a page of its own context: any width, theme, signed in or not, without scripts.
- A console error, an error in a script or a request that leaves this machine fails the test;
  ``expect_status(422)`` says which refusals belong to the story, 0 a network that is away.
- ``sign_in(page, user)`` signs in behind a page's back, ``live_server`` is where the site is.
"""

import os
import re
import shutil
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.test.testcases import QuietWSGIRequestHandler
from playwright.sync_api import expect

from tests.support.skips import cannot_run

# The first is Chromium without its windows: a page of its own costs it a tenth of the work.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Whatever leaves this machine gets no answer, which the watch hears of.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
HEIGHTS = {360: 740, 390: 844, 1280: 800}
WIDEST_PHONE = 600
PATIENCE = 30_000  # milliseconds for anything to appear, on cores that have much else to do

# What Chromium and htmx write about an answer, and about none.
STATUS = re.compile(r"status of (\d+)|Response Status Error Code (\d+)")
NO_ANSWER = re.compile(
    r"net::ERR_|htmx:sendError|Failed to fetch|unknown error occurred when fetching the script"
)
# A preview that newer tiles have overtaken is called back: that is no error, htmx only says so. Before
# this, and before every true failure, it says "afterRequest" besides.
CALLED_BACK = re.compile(r"^htmx:(sendAbort|afterRequest),")


def pytest_configure(config):
    config.addinivalue_line("markers", "browser: in a real Chromium")
    expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium, or what ``CHROMIUM`` names: Playwright's own is not had everywhere."""
    executable = chromium()
    if not executable:
        cannot_run("No Chromium was found. On Debian: apt install chromium")
    return browser_type_launch_args | {"executable_path": executable, "args": ARGUMENTS}


def chromium() -> str | None:
    """The program of a browser: what ``CHROMIUM`` names, or the first that is installed."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="session")
def live_server(django_db_setup, live_server):
    """The site on a port of this machine, its thread with a database connection of its own.

    Started before the test database has its name, it would take it for one in memory, and share
    the test's connection with its own thread: SQLite then takes the whole process down.
    """
    httpd = live_server.thread.httpd
    httpd.RequestHandlerClass = PromptHandler
    httpd.set_app(StaticFilesFromMemory(httpd.get_app()))
    return live_server


class PromptHandler(QuietWSGIRequestHandler):
    """Sends a body at once: else it waits for what the browser says to the headers, 40 milliseconds."""

    disable_nagle_algorithm = True


class StaticFilesFromMemory:
    """Finds each static file once: each test in a browser asks for all forty of the table's page."""

    def __init__(self, app):
        self.app, self.known = app, {}

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        is_file = environ["REQUEST_METHOD"] == "GET" and path.startswith(settings.STATIC_URL)
        if not is_file or "HTTP_IF_MODIFIED_SINCE" in environ:
            return self.app(environ, start_response)
        if path not in self.known:
            self.known[path] = self.found(environ)
        status, headers, body = self.known[path]
        start_response(status, list(headers))
        return [body]

    def found(self, environ):
        started = []
        answer = self.app(environ, lambda *start: started.append(start))
        body = b"".join(answer)
        answer.close()
        [(status, headers)] = started
        return status, headers, body


@pytest.fixture(autouse=True)
def _what_was_asked_is_answered(request):
    """A page that closes leaves requests behind, which would meet the emptying of the database."""
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")  # what empties it comes after this
    yield
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline and any(map(is_answering, threading.enumerate())):
        time.sleep(0.01)


def is_answering(thread):
    return "process_request_thread" in thread.name


@dataclass
class Watch:
    """What went wrong in a page, less what was expected."""

    expected: set[int] = field(default_factory=set)
    seen: list[str] = field(default_factory=list)

    def over(self, context):
        context.on("console", self.on_console)
        context.on("weberror", lambda error: self.seen.append(f"in a script: {error.error}"))
        # Of requests that succeed there are fifty a page, too many to hear of each.
        context.on("requestfailed", self.on_request_failed)

    def on_console(self, message):
        if message.type == "error" and not CALLED_BACK.match(message.text):
            self.seen.append(f"{message.text} ({message.location.get('url', '')})")

    def on_request_failed(self, request):
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname != "localhost":
            self.seen.append(f"left this machine: {request.url}")

    def trouble(self):
        return [text for text in self.seen if not self.is_expected(text)]

    def is_expected(self, text):
        if status := STATUS.search(text):
            return int(status[1] or status[2]) in self.expected
        return 0 in self.expected and bool(NO_ANSWER.search(text))


@pytest.fixture
def watch():
    """The watch over every ``phone`` of the test."""
    watch = Watch()
    yield watch
    assert watch.trouble() == []


@pytest.fixture
def expect_status(watch):
    """``expect_status(409)``: such answers are part of the story; 0 stands for no answer at all."""
    return watch.expected.add


@pytest.fixture
def sign_in(live_server):
    """``sign_in(page, user)``: from now on the page's requests are those of ``user``."""

    def sign_in(page, user):
        client = Client()
        client.force_login(user)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}
        page.context.add_cookies([cookie])

    return sign_in


@pytest.fixture
def phone(new_context, watch, sign_in):
    """A factory of pages, each on a device of its own.

    ``player`` or ``user`` signs in (a player without a user gets one); ``width`` below 600 is a
    phone with touch; ``theme`` is "light" or "dark"; ``scripts=False`` runs none. Further
    arguments go to Playwright's ``new_context``: ``service_workers="allow"`` for a page that is to
    be kept for later, which elsewhere would only be fetched twice.
    """

    def phone(*, player=None, user=None, width=390, theme="light", scripts=True, **context_args):
        touch = width < WIDEST_PHONE
        context_args.setdefault("service_workers", "block")
        context = new_context(
            viewport={"width": width, "height": HEIGHTS.get(width, 800)},
            has_touch=touch,
            is_mobile=touch,
            color_scheme=theme,
            java_script_enabled=scripts,
            **context_args,
        )
        context.set_default_timeout(PATIENCE)
        watch.over(context)
        page = context.new_page()
        if user or player:
            sign_in(page, user or user_of(player))
        return page

    return phone


def wait_until(page, holds, what):
    """Wait until ``holds()``, for what ``expect`` cannot ask; ``what`` says what was waited for."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < deadline, what
        page.wait_for_timeout(50)


def user_of(player):
    from tests.factories import make_member  # the models are not there when plugins are loaded

    return player.user or make_member(player=player)
