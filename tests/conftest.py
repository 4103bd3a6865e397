"""What every test stands on; each part says what it gives."""

import pytest
from django.core.cache import cache
from django.utils import translation
from hypothesis import HealthCheck, settings

from scoring.models import Club, club, first_run, hidden_names
from scoring.models.permissions import Role
from scoring.operations.verify import verify
from scoring.queries import leading
from tests.factories import make_game, make_organiser

pytest_plugins = [
    "pytester",
    "tests.support.garbage",
    "tests.support.skips",
    "tests.support.databases",
    "tests.support.sites",
    "tests.support.browser",
]

# A machine that is busy with other things is slow: that fails no test.
settings.register_profile(
    "busy", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("busy")


@pytest.fixture(autouse=True)
def _nothing_is_left_of_the_last_test():
    """Nobody called before, in no language, and the club set nothing.

    Rates are counted in the cache. The last request of a test leaves its language in the thread, and the next
    may ask without one. What the club set is remembered for seconds: here for the whole test.
    """
    cache.clear()
    translation.deactivate()
    club.remember(Club(), seconds=3600)
    hidden_names.remember(hidden_names.Hiding(), seconds=3600)
    first_run.remember_open()
    leading.remember({Role.ORGANISER: frozenset(), Role.OWNER: frozenset()}, seconds=3600)


@pytest.fixture
def organiser():
    return make_organiser()


@pytest.fixture
def game():
    """An open game of four, before its first hand."""
    return make_game()


@pytest.fixture
def all_adds_up():
    """After the test, ``verify`` finds nothing wrong."""
    yield
    assert list(verify()) == []
