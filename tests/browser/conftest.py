"""Real browsers for the tests: phones and desktops that fail a test when anything goes wrong in them."""

import os
import shutil
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests.factories import make_member

# Playwright's event loop runs in the thread of the test, where Django would refuse the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT = 5000  # milliseconds
PHONE = 600  # CSS pixels; what is narrower is held in a hand
OFFLINE = 0


def pytest_configure(config):
    config.addinivalue_line("markers", "browser: needs a Chromium")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """The Chromium of this machine: ``$CHROMIUM``, or one that is installed."""
    programs = (os.environ.get("CHROMIUM", ""), *PROGRAMS)
    path = next(filter(None, map(shutil.which, filter(None, programs))), None)
    if path is None:
        absent = "No Chromium here: apt install chromium, or set CHROMIUM to the path of one."
        (pytest.fail if os.environ.get("CI") else pytest.skip)(absent)
    return {**browser_type_launch_args, "executable_path": path, "args": ARGUMENTS}


class Troubles:
    """What went wrong in the browsers of one test, but for the answers that the test asks for."""

    def __init__(self):
        self.expected: set[int] = set()
        self.found: list[str] = []

    def expect(self, status: int) -> None:
        """An HTTP status that the test provokes; 0 for a server that cannot be reached."""
        self.expected.add(status)

    def watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(str(error)))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not self._is_expected(message.text):
            self.found.append(message.text)

    def _is_expected(self, text: str) -> bool:
        offline = OFFLINE in self.expected and ("net::ERR" in text or "htmx:" in text)
        words = ("status of {} ", "Status Error Code {} ")
        return offline or any(
            phrase.format(status) in text for phrase in words for status in self.expected
        )

    def _request(self, request: Request) -> None:
        host = urlsplit(request.url).hostname
        if host not in (None, "localhost", "127.0.0.1"):
            self.found.append(f"asked another host: {request.url}")


@pytest.fixture
def troubles():
    """Fails the test on any console error, script error or request that leaves this machine."""
    troubles = Troubles()
    yield troubles
    assert troubles.found == []


@pytest.fixture
def expect_status(troubles):
    """Call it with an HTTP status that the test provokes on purpose (0: no answer at all)."""
    return troubles.expect


@pytest.fixture
def sign_in(live_server):
    """``sign_in(page, user)``: without the form, which has a test of its own."""

    def sign_in(page: Page, user) -> None:
        client = Client()
        client.force_login(user)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
        )

    return sign_in


@pytest.fixture
def phone(browser: Browser, live_server, sign_in, troubles):
    """``phone(player=…, width=390, theme="light", scripts=True)``: a page of its own browser.

    With a ``player`` it is signed in as the player's account (made if there is none); else it is
    a visitor's. From 600 pixels on it is a desktop.
    """
    contexts = []

    def phone(player=None, width: int = 390, theme: str = "light", scripts: bool = True) -> Page:
        held = width < PHONE
        context = browser.new_context(
            viewport={"width": width, "height": 844 if held else 800},
            color_scheme=theme,
            has_touch=held,
            is_mobile=held,
            java_script_enabled=scripts,
        )
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        troubles.watch(page)
        if player is not None:
            sign_in(page, player.user or make_member(player=player))
        return page

    yield phone
    for context in contexts:
        context.close()
