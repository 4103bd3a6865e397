"""Who may call what: one table, role × call."""

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

ROLES = ("visitor", "member", "player", "organiser")

# What each role is answered; "player" sits at the table. "public" and "hidden" are a league of each
# visibility, with a game and a hand.
TABLE = {
    "GET rulesets/": (200, 200, 200, 200),
    "GET rulesets/club/": (200, 200, 200, 200),
    "POST score/": (200, 200, 200, 200),
    "GET players/": (200, 200, 200, 200),
    "GET players/{public.player}/": (200, 200, 200, 200),
    "GET players/{hidden.player}/": (404, 200, 200, 200),
    "POST players/": (401, 403, 403, 201),
    "PATCH players/{public.player}/": (401, 403, 403, 200),
    "PATCH players/{nothing}/": (401, 403, 403, 404),
    "GET leagues/": (200, 200, 200, 200),
    "GET leagues/{public.league}/": (200, 200, 200, 200),
    "GET leagues/{hidden.league}/": (404, 200, 200, 200),
    "GET leagues/{public.league}/standings/": (200, 200, 200, 200),
    "GET leagues/{hidden.league}/standings/": (404, 200, 200, 200),
    "GET games/": (200, 200, 200, 200),
    "POST games/": (401, 201, 201, 201),
    "GET games/{public.game}/": (200, 200, 200, 200),
    "GET games/{hidden.game}/": (404, 200, 200, 200),
    "GET games/{public.game}/hands/": (200, 200, 200, 200),
    "GET games/{hidden.game}/hands/": (404, 200, 200, 200),
    "POST games/{public.game}/hands/": (401, 403, 201, 201),
    "POST games/{hidden.game}/hands/": (401, 403, 201, 201),
    "POST games/{nothing}/hands/": (401, 404, 404, 404),
    "POST games/{public.game}/finish/": (401, 403, 200, 200),
    "POST games/{hidden.game}/finish/": (401, 403, 200, 200),
    "POST games/{nothing}/finish/": (401, 404, 404, 404),
    "GET hands/{public.hand}/": (200, 200, 200, 200),
    "GET hands/{hidden.hand}/": (404, 200, 200, 200),
    "GET hands/{public.hand}/history/": (401, 200, 200, 200),
    "GET hands/{hidden.hand}/history/": (401, 200, 200, 200),
    "GET hands/{nothing}/history/": (401, 404, 404, 404),
}


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

    def body(self, call):
        return {
            "POST score/": {"tiles": "222B 345B 55B 222D GGG", "seat": "S", "prevailing": "E"},
            "POST players/": {"name": "Zoe"},
            "POST games/": {
                "league": self.public.league,
                "players": [make_player().pk for _seat in range(4)],
            },
        }.get(call) or ({"number": 2, "outcome": "draw"} if "hands" in call else {"active": True})


@pytest.fixture
def club():
    player = make_player()
    user = make_member(player=player)
    return Club(
        public=side(League.Visibility.PUBLIC, player, place=0),
        hidden=side(League.Visibility.MEMBERS, player, place=3),
        callers={
            "visitor": caller(),
            "member": caller(make_member()),
            "player": caller(user),
            "organiser": caller(make_organiser()),
        },
    )


def side(visibility, player, place):
    players = [make_player() for _seat in range(3)]
    players.insert(place, player)
    game = make_game(league=make_league(visibility=visibility), players=players)
    hand = make_hand(game, winner=1)
    return Side(game.league.slug, game.pk, hand.pk, game.players[2].pk)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("call", TABLE)
def test_a_call_by_a_role(club, call, role):
    method, address = call.split(" ", 1)
    send = getattr(club.callers[role], method.lower())
    address = "/api/v1/" + address.format(**vars(club))
    response = send(address, club.body(call)) if method != "GET" else send(address)
    assert response.status_code == TABLE[call][ROLES.index(role)]


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


def test_what_is_hidden_answers_like_what_is_not_there(club):
    hidden, nothing = (
        club.callers["visitor"].get(f"/api/v1/games/{pk}/").json()
        for pk in (club.hidden.game, club.nothing)
    )
    assert hidden == nothing
