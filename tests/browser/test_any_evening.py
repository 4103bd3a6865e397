"""Whatever happens to a phone on an evening: what its page called saved is on the site once, in order.

``EVENINGS`` in the environment says how many evenings are tried, ``FIRST`` the seed of the first one.
``make thorough`` tries them against the production server, too, which is killed meanwhile.
"""

import os

import pytest
from django.conf import settings
from django.db import connection

from tests.browser.any_evening import Evening
from tests.load.club import serving
from tests.support.sites import site_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENINGS = int(os.environ.get("EVENINGS", "1"))
FIRST = int(os.environ.get("FIRST", "1"))
# What a site, or something between it and a phone, may answer; 0 is no answer.
MAY_BE = (0, 401, 403, 404, 409, 422, 429, 500, 503)


class Launch:
    """Starts the browser of one phone, again with all that it kept."""

    def __init__(self, browser_type, arguments, profile, watch):
        self.browser_type, self.arguments = browser_type, arguments
        self.profile, self.watch, self.context = profile, watch, None

    def __call__(self):
        self.context = self.browser_type.launch_persistent_context(
            self.profile,
            **self.arguments,
            viewport={"width": 360, "height": 740},
            has_touch=True,
            is_mobile=True,
        )
        self.watch.over(self.context)
        return self.context


@pytest.fixture
def launch(browser_type, browser_type_launch_args, tmp_path, watch, expect_status):
    for status in MAY_BE:
        expect_status(status)
    launch = Launch(browser_type, browser_type_launch_args, tmp_path / "phone", watch)
    yield launch
    if launch.context:
        launch.context.close()


@pytest.fixture
def evening_of(launch, watch, phone):
    """``evening_of(seed, base)`` lives that evening."""

    def live(seed, base, server=None):
        evening = Evening(seed, launch=launch, base=base, watch=watch, phone=phone, server=server)
        try:
            evening.live()
            assert watch.trouble() == []
        except BaseException as error:
            error.add_note(f"evening {seed}:\n" + "\n".join(evening.history))
            raise

    return live


@pytest.fixture
def production_server(transactional_db, tmp_path):
    """The production server with the database of the test; it takes the sessions that the test makes."""
    site = site_of(connection.settings_dict["NAME"], tmp_path)
    site.must("collectstatic", "--noinput", "--verbosity", "0")
    own = {
        "SECRET_KEY": settings.SECRET_KEY,
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "DAY_TURNS_AT": "00:00",
    }
    with serving(site, own) as server:
        yield server


@pytest.mark.each_case
@pytest.mark.parametrize("seed", range(FIRST, FIRST + EVENINGS))
def test_what_a_page_called_saved_is_on_the_site_once_or_on_the_page(seed, evening_of, live_server):
    evening_of(seed, live_server.url)


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.postgresql
@pytest.mark.each_case
@pytest.mark.parametrize("seed", range(FIRST, FIRST + EVENINGS))
def test_a_production_server_that_is_killed_loses_nothing_called_saved(
    seed, evening_of, production_server
):
    evening_of(seed, f"http://localhost:{production_server.port}", production_server)
