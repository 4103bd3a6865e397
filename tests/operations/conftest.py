"""What every test of exports and imports stands on."""

import pytest
from django.contrib.auth.models import Group
from django.db import connection

from scoring.operations.dump.keys import go_on_after


@pytest.fixture
def groups_go_on(db):
    """PostgreSQL takes no sequence back: after an import, the next group would get a key that is used."""
    yield
    if connection.vendor == "postgresql":
        go_on_after(Group, 1000)
