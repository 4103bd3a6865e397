"""What every test stands on; each part says what it gives."""

import pytest
from django.core.cache import cache

pytest_plugins = [
    "pytester",
    "tests.support.skips",
    "tests.support.databases",
    "tests.support.sites",
    "tests.support.browser",
]


@pytest.fixture(autouse=True)
def _nobody_called_before():
    """Rates are counted in the cache."""
    cache.clear()
