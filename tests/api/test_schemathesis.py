"""Requests made up from the schema, by everybody: none breaks anything, every answer is documented.

``EXAMPLES`` in the environment says how many requests each call gets from each role, and makes up
others each time.
"""

import os

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rest_framework.throttling import ScopedRateThrottle
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mahjong_site.wsgi import application
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand
from tests.factories import BOOK_HAND, make_game, make_hand, make_member, make_organiser, make_token
from tests.support.effort import tries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOSTLY = st.sampled_from([True, True, False])
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = settings(
    max_examples=int(os.environ.get("EXAMPLES", tries(2, 6))),
    deadline=None,
    database=None,
    derandomize="EXAMPLES" not in os.environ,
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


class Club:
    """What requests may name, so that not each one that is made up ends in a 404 or a 400."""

    def __init__(self):
        self.game = make_game()
        self.player = make_member(player=self.game.players[0])
        self.organiser = make_organiser()
        make_hand(self.game, winner=2, by=self.organiser)
        self.disputed = make_hand(self.game, winner=1, by=self.organiser)
        dispute_hand(self.disputed, by=self.player)
        self.hand = make_hand(self.game, winner=1, by=self.player)
        lines = penalty(self.game, self.game.players[0], 10)
        self.booked = book_at_table(self.game, lines, by=self.organiser, reason="Late")

    def user(self, role):
        match role:
            case "member":
                return make_member()
            case "player":
                return self.player
            case "organiser":
                return self.organiser
            case "admin":
                user = make_member()
                user.is_superuser = user.is_staff = True
                user.save()
                return user
        return None

    def address(self, path):
        """What the parts of an address can be."""
        hand = self.disputed if path.endswith("/settle/") else self.hand
        named = {
            "/api/v1/games/": {"id": self.game.pk, "game": self.game.pk},
            "/api/v1/hands/": {"id": hand.pk},
            "/api/v1/players/": {"id": self.game.players[0].pk},
            "/api/v1/leagues/": {"slug": self.game.league.slug, "day": str(self.game.evening)},
            "/api/v1/adjustments/": {"id": self.booked.pk},
            "/api/v1/rulesets/": {"slug": "club"},
        }
        return next((parts for start, parts in named.items() if path.startswith(start)), {})

    def body(self, path):
        """What the fields of a body can be, so that the call is carried out."""
        east, south, west, north = (player.pk for player in self.game.players)
        win = {"outcome": "win", "winner": west, "discarder": None, "self_drawn": None}
        win |= {"tiles": BOOK_HAND, "melds": None, "concealed": None, "claimed_final": None}
        winds = {"seat": "S", "prevailing": "E", "ruleset": "book"}
        named = {
            "/api/v1/games/": {
                "league": self.game.league.slug,
                "players": [north, west, south, east],
            },
            "/api/v1/games/{game}/hands/": {"number": 4, **win},
            "/api/v1/hands/{id}/correct/": {"number": 3, **win},
            "/api/v1/hands/{id}/correct/preview/": {"number": 3, **win},
            "/api/v1/hands/{id}/confirm/": {"player": west},
            "/api/v1/hands/{id}/dispute/": {"player": west},
            "/api/v1/adjustments/": {
                "game": self.game.pk,
                "league": None,
                "transfers": [{"payer": east, "payee": south, "amount": 10}],
            },
            "/api/v1/score/": {"tiles": BOOK_HAND, "melds": None, "concealed": None, **winds},
        }
        return named.get(path, {})


# What the database might refuse it refuses whoever asks, so the other asks one who may do everything.
EVERYWHERE = [pytest.mark.sqlite, pytest.mark.postgresql]


@pytest.mark.thorough("postgresql")
@pytest.mark.parametrize(
    "role",
    [
        "visitor",
        "player",
        pytest.param("organiser", marks=EVERYWHERE),
        # Between those two is the player, and beyond an organiser the API has nothing more.
        pytest.param("member", marks=pytest.mark.thorough),
        pytest.param("admin", marks=pytest.mark.thorough),
    ],
)
def test_every_call_keeps_to_the_schema(role):
    club = Club()
    # What checks the answers reads them as they are.
    headers = {"Accept-Encoding": "identity"}
    if user := club.user(role):
        headers["Authorization"] = f"Token {make_token(user)}"
    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", application)
    for result in schema.get_all_operations():
        operation = result.ok()
        with transaction.atomic():
            check(operation, headers, club.address(operation.path), club.body(operation.path))
            transaction.set_rollback(True)


def check(operation, headers, address, body):
    """Send requests to ``operation``: of every kind, and now and then what can be carried out."""
    cases = st.one_of(
        [operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode]
    )

    @EXAMPLES
    @given(case=cases, exists=MOSTLY, fits=MOSTLY)
    def sent(case, exists, fits):
        if exists and case.path_parameters:
            case.path_parameters = {**case.path_parameters, **address}
        if fits and isinstance(case.body, dict):
            case.body = {**case.body, **body}
        case.call_and_validate(headers=headers, checks=CHECKS)

    sent()
