"""Hands of a riichi league by the API: who declared riichi, who was calling, what lies on the table."""

import pytest

from scoring.services.rulesets import shipped_version
from tests.factories import make_game, make_league, make_organiser

pytest.importorskip("mahjong")
pytestmark = pytest.mark.django_db


def test_a_hand_tells_who_staked_and_what_lies_there(client):
    by = make_organiser()
    client.force_login(by)
    game = make_game(league=make_league(ruleset_version=shipped_version("riichi", by=by)), by=by)
    east, south, *_rest = [player.pk for player in game.players]
    url, as_json = f"/api/v1/games/{game.pk}/hands/", {"content_type": "application/json"}
    drawn = {"number": 1, "outcome": "draw", "staked": [south], "calling": [east]}
    answer = client.post(url, drawn, **as_json).json()
    assert (answer["staked"], answer["calling"], answer["abortive"]) == (
        [south],
        [east, south],
        False,
    )
    assert (answer["counters"], answer["sticks"], answer["on_table"]) == (0, 0, 1000)
    assert (answer["state"]["counters"], answer["state"]["sticks"]) == (1, 1)
    assert sum(payment["amount"] for payment in answer["payments"]) == -1000
    refused = client.post(url, {"number": 2, "outcome": "draw", "staked": [0]}, **as_json)
    assert (refused.status_code, "staked" in refused.content.decode()) == (400, True)
    change = {"calling": [], "reason": "East was not"}
    corrected = client.post(f"/api/v1/hands/{answer['id']}/correct/", change, **as_json).json()
    assert (corrected["staked"], corrected["calling"]) == ([south], [south])
