"""Requests made up from the schema: none breaks anything, every answer is a documented one."""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rest_framework.authtoken.models import Token
from rest_framework.throttling import ScopedRateThrottle
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mahjong_site.wsgi import application
from scoring.play.adjustments import book_at_table, penalty
from tests.factories import make_hand, make_organiser

pytestmark = pytest.mark.django_db

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = settings(
    max_examples=20,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(autouse=True)
def _one_connection_and_no_throttle(monkeypatch):
    """The requests run inside the transaction of the test, as many as there are."""
    for scope in ScopedRateThrottle.THROTTLE_RATES:
        monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, scope, None)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def there(game):
    """What addresses may name, so that not every made-up request ends in a 404."""
    hand = make_hand(game, winner=1)
    lines = penalty(game, game.players[0], 10)
    booked = book_at_table(game, lines, by=make_organiser(), reason="Late")
    return {
        "/api/v1/games/": {"id": game.pk, "game": game.pk},
        "/api/v1/hands/": {"id": hand.pk},
        "/api/v1/players/": {"id": game.players[0].pk},
        "/api/v1/leagues/": {"slug": game.league.slug, "day": str(game.evening)},
        "/api/v1/adjustments/": {"id": booked.pk},
        "/api/v1/rulesets/": {"slug": "club"},
    }


@pytest.mark.parametrize("role", ["visitor", "organiser"])
@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
def test_every_call(there, role, mode):
    # What checks the answers reads them as they are.
    headers = {"Accept-Encoding": "identity"}
    if role == "organiser":
        headers["Authorization"] = f"Token {Token.objects.create(user=make_organiser()).key}"
    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", application)
    for found in schema.get_all_operations():
        check(found.ok(), mode, headers, there)


def check(operation, mode, headers, there):
    names = next((ids for path, ids in there.items() if operation.path.startswith(path)), {})

    @EXAMPLES
    @given(case=operation.as_strategy(generation_mode=mode), exists=st.booleans())
    def sent(case, exists):
        if exists:
            case.path_parameters = {
                name: names.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
        case.call_and_validate(headers=headers, checks=CHECKS)

    sent()
