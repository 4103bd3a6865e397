"""``hands/{id}/confirm/``, ``dispute/`` and ``settle/``."""

import pytest

from tests.api.callers import caller
from tests.factories import make_hand, make_league, make_member, make_player

pytestmark = pytest.mark.django_db

KEY = {"HTTP_IDEMPOTENCY_KEY": "2a6d0f5c-2b0b-4a9e-8d37-5a1f0f4f9b22"}


@pytest.fixture
def other(game):
    """The player of the second seat, signed in."""
    return caller(make_member(player=game.players[1]))


@pytest.fixture
def hand(game, scorer):
    return make_hand(game, winner=1, by=game.players[0].user)


def address(hand, call):
    return f"/api/v1/hands/{hand.pk}/{call}/"


def test_one_call_confirms(other, game, hand):
    response = other.post(address(hand, "confirm"))
    said = response.json()
    assert (response.status_code, said["status"]) == (200, "live")
    assert said["answers"]["asked"] == [player.pk for player in game.players[1:]]
    assert said["answers"]["confirmed"] == [game.players[1].pk]
    assert not said["answers"]["accepted"]


def test_one_call_disputes(other, visitor, game, hand):
    said = other.post(address(hand, "dispute"), {"reason": "It was a draw"}).json()
    assert (said["status"], said["answers"]["disputed"]) == ("disputed", [game.players[1].pk])
    there = visitor.get(f"/api/v1/games/{game.pk}/").json()
    assert [row["status"] for row in there["hands"]] == ["disputed"]
    assert [row["total"] for row in there["tally"]] == [0, 0, 0, 0]
    league = f"/api/v1/leagues/{game.league.slug}/standings/"
    assert visitor.get(league).json()["rows"] == []


def test_the_scorers_phone_is_passed_round(scorer, game, hand):
    for player in game.players[1:]:
        said = scorer.post(address(hand, "confirm"), {"player": player.pk}).json()
    assert said["answers"]["accepted"]


def test_an_organiser_settles(other, organiser, game, hand):
    other.post(address(hand, "dispute"))
    response = organiser.post(address(hand, "settle"), {"reason": "We counted again"})
    assert (response.status_code, response.json()["status"]) == (200, "live")


@pytest.mark.parametrize(
    ("call", "body", "status"),
    [
        ("confirm", {}, 403),
        ("dispute", {}, 403),
        ("settle", {"reason": "Mine"}, 403),
    ],
)
def test_the_scorer_has_said_it_already(scorer, hand, call, body, status):
    assert scorer.post(address(hand, call), body).status_code == status


def test_somebody_who_sits_elsewhere_has_no_answer(scorer, hand):
    response = scorer.post(address(hand, "confirm"), {"player": make_player().pk})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "player")


def test_a_league_that_asks_nobody_says_so(game, other):
    league = make_league(hours_to_answer=None)
    game.league = league
    game.save()
    hand = make_hand(game, winner=1)
    response = other.post(address(hand, "dispute"))
    assert (response.status_code, response.json()["type"]) == (409, "/api/docs/#nobody-is-asked")


def test_the_same_key_disputes_once(other, hand):
    first, second = (other.post(address(hand, "dispute"), **KEY) for _time in range(2))
    assert (first.json(), second["Idempotent-Replay"]) == (second.json(), "true")
    assert hand.events.count() == 1
