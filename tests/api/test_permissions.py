"""What lists and filters leave out; who may do what is ``tests/test_permissions.py``."""

from dataclasses import dataclass
from typing import Any

import pytest

from scoring.models import League
from tests.api.callers import caller
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db


@dataclass
class Side:
    """A league with a game of which one hand is played."""

    league: str
    game: int
    hand: int
    player: int


@dataclass
class Club:
    public: Side
    hidden: Side
    callers: dict[str, Any]
    nothing: int = 999_999


@pytest.fixture
def club():
    player = make_player()
    return Club(
        public=side(League.Visibility.PUBLIC, player, place=0),
        hidden=side(League.Visibility.MEMBERS, player, place=3),
        callers={
            "visitor": caller(),
            "member": caller(make_member()),
            "organiser": caller(make_organiser()),
        },
    )


def side(visibility, player, place):
    players = [make_player() for _seat in range(3)]
    players.insert(place, player)
    game = make_game(league=make_league(visibility=visibility), players=players)
    hand = make_hand(game, winner=1)
    return Side(game.league.slug, game.pk, hand.pk, game.players[2].pk)


def test_what_is_not_there_is_said_to_who_might_change_it_only(club):
    answers = {
        role: caller.patch(f"/api/v1/players/{club.nothing}/", {"active": True}).status_code
        for role, caller in club.callers.items()
    }
    assert answers == {"visitor": 401, "member": 403, "organiser": 404}


@pytest.mark.parametrize("what", ["games", "leagues", "players"])
def test_lists_leave_out_what_a_visitor_may_not_see(club, what):
    seen = {
        role: club.callers[role].get(f"/api/v1/{what}/").json()["count"]
        for role in ("visitor", "member")
    }
    assert (
        seen
        == {
            "games": {"visitor": 1, "member": 2},
            "leagues": {"visitor": 1, "member": 2},
            "players": {"visitor": 4, "member": 7},
        }[what]
    )


def test_a_visitor_does_not_see_what_a_player_has_won_in_hidden_leagues(club):
    seen = {
        role: {
            tally["league"]
            for row in club.callers[role].get("/api/v1/players/").json()["results"]
            for tally in row["tallies"]
        }
        for role in ("visitor", "member")
    }
    assert seen["visitor"] == {club.public.league}
    assert seen["member"] == {club.public.league, club.hidden.league}


def test_a_visitor_cannot_filter_by_what_is_hidden(club):
    visitor = club.callers["visitor"]
    for query in (f"league={club.hidden.league}", f"player={club.hidden.player}"):
        assert visitor.get(f"/api/v1/games/?{query}").status_code == 400
