"""Three rows cost as many queries as one, and the number is written down here."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import RuleSet, RuleSetVersion, club_day
from scoring.services.rulesets import install_rulesets
from tests.api.callers import caller
from tests.factories import make_game, make_hand, make_league, make_member

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def queries(client, address):
    with CaptureQueriesContext(connection) as captured:
        response = client.get(address)
    assert response.status_code == 200, response.content
    return len(captured), response.json()


@pytest.mark.parametrize(
    ("address", "make", "expected"),
    [
        # To count, the rows, and what belongs to them: tallies; versions; seats.
        ("/api/v1/players/", lambda: make_hand(make_game(), winner=1), 3),
        ("/api/v1/leagues/", make_league, 2),
        ("/api/v1/games/", lambda: make_hand(make_game(), winner=1), 3),
    ],
)
def test_a_list_costs_the_same_queries_for_1_and_3_rows(visitor, address, make, expected):
    counts = []
    for _row in range(3):
        make()
        number, answer = queries(visitor, address)
        counts.append((number, answer["count"]))
    assert [number for number, _count in counts] == [expected] * 3
    assert counts[0][1] < counts[1][1] < counts[2][1]


def test_the_rule_sets_cost_a_fixed_number_of_queries(visitor):
    install_rulesets()
    for number in (2, 3):
        assert queries(visitor, "/api/v1/rulesets/")[0] == 3
        for ruleset in RuleSet.objects.all():
            RuleSetVersion.objects.create(ruleset=ruleset, number=number, options={})
    assert queries(visitor, "/api/v1/rulesets/")[0] == 3


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        # The game, its seats, its hands, their payments, its adjustments.
        ("/api/v1/games/{game}/", 5),
        # The game, then to count, the hands, their payments.
        ("/api/v1/games/{game}/hands/", 4),
        ("/api/v1/leagues/{league}/standings/", 2),
        ("/api/v1/leagues/{league}/standings/?as_of={today}", 5),
        ("/api/v1/hands/{hand}/", 2),
    ],
)
def test_a_game_costs_the_same_queries_with_1_and_3_hands(visitor, game, address, expected):
    by = make_member(player=game.players[0])
    counts = []
    for hands in (1, 2):
        for _hand in range(hands):
            last = make_hand(game, winner=1, by=by)
        named = address.format(
            game=game.pk, league=game.league.slug, hand=last.pk, today=club_day()
        )
        counts.append(queries(visitor, named)[0])
    assert counts == [expected, expected]


def test_being_signed_in_costs_one_query(visitor, game):
    member = caller(make_member())
    address = f"/api/v1/games/{game.pk}/"
    assert queries(member, address)[0] == queries(visitor, address)[0] + 1
