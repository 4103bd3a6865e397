"""What a phone fetches to open a table for the first time, from the production server."""

import re

import pytest

from tests.load.club import serving

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

# Bytes on the wire, tiles included. Django pads what it compresses with up to a hundred random ones an answer.
BUDGET = 116_000


@pytest.mark.thorough
def test_a_table_opens_with_little(site, new_context):
    others = ("admin", "drf_spectacular_sidecar", "rest_framework")  # no table asks for these
    site.must("collectstatic", "--noinput", "--verbosity", "0", *(f"-i={name}" for name in others))
    name, password = re.findall(
        r"(demo-(?!organiser)\S+)\s+(\S+)", site.must("demo", "--sign-ins")
    )[0]
    ((table,),) = site.ask("SELECT id FROM scoring_game WHERE finished_at IS NULL LIMIT 1")
    with serving(site) as server:
        base = f"http://127.0.0.1:{server.port}"
        before = new_context()
        page = before.new_page()
        page.goto(f"{base}/sign-in/")
        page.locator("#id_username").fill(name)
        page.locator("#id_password").fill(password)
        page.locator("#id_password").press("Enter")
        page.wait_for_url(f"{base}/")

        # Nothing is in this phone's store yet but that it is signed in.
        phone = new_context(
            storage_state=before.storage_state(), service_workers="block"
        ).new_page()
        wire = phone.context.new_cdp_session(phone)
        wire.send("Network.enable")
        fetched: list[float] = []
        wire.on("Network.loadingFinished", lambda event: fetched.append(event["encodedDataLength"]))
        phone.goto(f"{base}/games/{table}/", wait_until="networkidle")
        assert phone.locator(".tile").count() > 34
    assert len(fetched) > 10
    assert sum(fetched) <= BUDGET, f"{sum(fetched) / 1000:.1f} KB"
