"""What no page of the site may do, and that a test of a page would notice."""

import pytest

from tests.browser.accessibility import violations, violations_at
from tests.support.browser import Watch

pytestmark = pytest.mark.browser


@pytest.fixture
def watch():
    # Without what ``watch`` asserts elsewhere at the end: here there is to be trouble.
    return Watch()


@pytest.fixture
def page(browser, watch):
    """A page on this machine; whatever else it asks there gets no answer."""
    with browser.new_context() as context:
        watch.over(context)
        context.route("http://localhost/**", lambda route: route.abort())
        context.route(
            "http://localhost/",
            lambda route: route.fulfill(
                body="<link rel=icon href=data:>", content_type="text/html"
            ),
        )
        page = context.new_page()
        page.goto("http://localhost/")
        yield page


def test_the_watch_says_nothing_of_a_quiet_page(page, watch):
    page.evaluate("console.log('hello'), console.warn('well')")
    assert watch.trouble() == []


def test_the_watch_reports_an_error_on_the_console(page, watch):
    with page.expect_console_message():
        page.evaluate("console.error('no such tile')")
    assert "no such tile" in watch.trouble()[0]


def test_the_watch_reports_an_error_in_a_script(page, watch):
    with page.context.expect_event("weberror"):
        page.evaluate("setTimeout(() => { throw new Error('no such wind') })")
    assert "no such wind" in watch.trouble()[0]


@pytest.mark.parametrize("host", ["fonts.example", "192.0.2.1", "[2001:db8::1]"])
@pytest.mark.parametrize("way", ["fetch(address).catch(() => 0)", "new Image().src = address"])
def test_the_watch_reports_a_request_that_leaves_this_machine(page, watch, way, host):
    watch.expected.add(0)
    address = f"https://{host}/font.woff2"
    with page.expect_event("requestfailed") as failed:
        page.evaluate(f"(address) => void ({way})", address)
    assert failed.value.failure == "net::ERR_NAME_NOT_RESOLVED"
    assert watch.trouble() == [f"left this machine: {address}"]


def test_the_watch_reports_a_refusal_unless_it_is_expected(page, watch):
    page.context.route("http://localhost/hands/", lambda route: route.fulfill(status=409))
    with page.expect_console_message():
        page.evaluate("fetch('/hands/')")
    assert "status of 409" in watch.trouble()[0]
    watch.expected.add(422)
    assert watch.trouble() != []
    watch.expected.add(409)
    assert watch.trouble() == []


def test_the_watch_reports_a_missing_answer_unless_it_is_expected(page, watch):
    with page.expect_console_message():
        page.evaluate("fetch('/hands/').catch(() => 0)")
    assert "net::ERR" in watch.trouble()[0]
    watch.expected.add(0)
    assert watch.trouble() == []


def test_what_cannot_be_read_is_found_in_light_and_in_the_dark(page):
    page.set_content("""
        <!doctype html><html lang=en><title>Tiles</title><main><h1>Tiles</h1><p>Pung</p></main>
        <style>
          body { background: white } h1 { color: #ddd } p { color: #333 }
          @media (prefers-color-scheme: dark) { body { background: black } }
        </style>
    """)
    assert violations(page) == [
        ("color-contrast", [["h1"]]),
        ("color-contrast in the dark", [["p"]]),
    ]


def test_what_only_a_wide_screen_shows_is_found_there(page):
    page.set_viewport_size({"width": 360, "height": 800})
    page.set_content("""
        <!doctype html><html lang=en><title>Tiles</title><main>
          <h1>Tiles</h1><p>Pung</p><p id=pale>Kong</p><img src="data:," class=wide></main>
        <style>
          .wide { display: none }
          @media (min-width: 1000px) { .wide { display: block } #pale { color: #ddd } }
        </style>
    """)
    assert violations(page) == []
    assert violations_at(page, 1280) == [
        ("color-contrast", [["#pale"]]),
        ("image-alt", [["img"]]),
        ("color-contrast in the dark", [["#pale"]]),
    ]
