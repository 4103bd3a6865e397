"""A passkey is added and signed in with, on a device that Chromium makes up."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "tiles on the table"


@pytest.fixture
def finger(page):
    """A device with a finger that fits."""
    client = page.context.new_cdp_session(page)
    client.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    client.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_member_adds_a_passkey_and_signs_in_with_it(page, live_server, finger):
    base = live_server.url.replace("127.0.0.1", "localhost")
    make_member("ann", password=PASSWORD)
    page.goto(f"{base}/sign-in/?next=/account/mfa/keys/add/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey was used.")
    page.get_by_label("Name or mail address").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    # The page that asks again has a field of the same name as the one that is left.
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    page.goto(f"{base}/account/mfa/keys/")
    expect(page.get_by_role("main")).to_contain_text("signs in without the password")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    page.goto(f"{base}/sign-in/?next=/players/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/players/")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
