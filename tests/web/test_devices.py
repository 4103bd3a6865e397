"""Where one is signed in, in words that one knows."""

import pytest
from django.test import Client

from scoring.web.account.devices import device_name
from tests.factories import make_member

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
PHONE = f"Mozilla/5.0 (Linux; Android 14; Pixel 8) {WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (PHONE, "Chrome on Android"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64) {WEBKIT} Chrome/131 Edg/131", "Edge on Windows"),
        (f"Mozilla/5.0 (iPhone; CPU OS 17_5) {WEBKIT} Version/17.5 Safari/604", "Safari on iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Firefox/132.0", "Firefox on Linux"),
        ("A phone", "A phone"),
        ("", "an unknown browser"),
    ],
)
def test_a_browser_is_called_as_people_call_it(user_agent, name):
    assert device_name(user_agent) == name


@pytest.mark.django_db
def test_the_page_of_devices_names_each_browser():
    client = Client(headers={"user-agent": PHONE})
    client.force_login(make_member())
    page = client.get("/account/sessions/").content.decode()
    assert "Chrome on Android (this device)" in page
    assert "Mozilla" not in page
