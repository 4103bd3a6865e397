"""Every answer about a demo club is what the schema says, with no field beside.

A club of 200 hands in `make test`, of 2,000 in `make thorough`: more hands of the same kinds.
"""

import pytest
from jsonschema_rs import Draft202012Validator

from scoring.demo.fill import fill
from scoring.demo.size import Size
from scoring.models import Game, Hand
from tests.api.callers import caller
from tests.factories import make_hand, make_organiser
from tests.support.effort import tries

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.slow]

SIZE = Size(hands=tries(200, 2000), players=24, leagues=2)


class Api:
    """Calls by an organiser whose answers are held against the schema."""

    def __init__(self, schema, client):
        self._client, self._schema, self._validators = client, closed(schema), {}

    def get(self, path, call, **parameters):
        response = self._client.get("/api/v1" + path, parameters)
        return self._valid("get", call, response)

    def post(self, path, call, body=None):
        return self._valid("post", call, self._client.post("/api/v1" + path, body or {}))

    def pages(self, path):
        """All rows of a list."""
        number = 1
        while number:
            page = self.get(path, path, page=number, page_size=200)
            yield from page["results"]
            number = number + 1 if page["next"] else 0

    def _valid(self, method, call, response):
        key = method, call, str(response.status_code)
        if key not in self._validators:
            answer = self._schema["paths"]["/api/v1" + call][method]["responses"][key[2]]
            shape = answer["content"]["application/json"]["schema"]
            whole = {**shape, "components": self._schema["components"]}
            self._validators[key] = Draft202012Validator(whole)
        body = response.json()
        problems = next(self._validators[key].iter_errors(body), None)
        assert problems is None, f"{call}: {problems.instance_path} {problems.message}"
        return body


def closed(schema):
    """``schema`` with no room for a field that it does not name."""
    for shape in schema["components"]["schemas"].values():
        if "properties" in shape:
            shape.setdefault("additionalProperties", False)
    return schema


@pytest.fixture
def api(db, visitor):
    organiser = make_organiser()
    fill(SIZE)
    game = Game.objects.open().first()
    make_hand(game, winner=0, by=organiser, tiles="222B* 5555C# 345B 66D GGG")
    make_hand(game, winner=1, by=organiser, tiles="", claimed_final=120)
    make_hand(game, winner=2, by=organiser, tiles="", claimed_limit="nine_gates")
    make_hand(game, by=organiser)
    schema = visitor.get("/api/schema/?format=json").json()
    return Api(schema, caller(organiser))


def test_every_answer_of_a_demo_club_fits_the_schema(api):
    changed(api, Game.objects.open().first())
    for path in ("/rulesets/", "/players/", "/leagues/", "/games/", "/adjustments/"):
        for row in api.pages(path):
            name = "slug" if "slug" in row else "id"
            api.get(f"{path}{row[name]}/", f"{path}{{{name}}}/")
    for league in api.pages("/leagues/"):
        own = f"/leagues/{league['slug']}/"
        api.get(f"{own}standings/", "/leagues/{slug}/standings/")
        api.get(f"{own}standings/", "/leagues/{slug}/standings/", as_of=league["starts_on"])
        api.get(f"{own}evenings/", "/leagues/{slug}/evenings/")
    # Each game told of the hands that stand; these were superseded, declared void or disputed.
    telling = Hand.objects.exclude(status=Hand.Status.COUNTED).values_list("pk", flat=True)
    assert len(telling) >= 3
    for pk in telling:
        api.get(f"/hands/{pk}/", "/hands/{id}/")
        api.get(f"/hands/{pk}/history/", "/hands/{id}/history/")


def changed(api, game):
    """All that can become of a hand and a game, each answer looked at."""
    marked, claimed, limit, drawn = game.hands.current().order_by("-number")[:4][::-1]
    other = {"payer": game.players[0].pk, "payee": game.players[1].pk, "amount": 5}
    for hand, calls in {
        drawn: {
            "void/preview/": {},
            "void/": {"reason": "Never dealt"},
            "restore/preview/": {},
            "restore/": {"reason": "It was dealt"},
        },
        marked: {"correct/preview/": {"self_drawn": True}, "confirm/": {}},
        claimed: {"dispute/": {"about": "score", "reason": "It was 90"}},
        limit: {"correct/": {"outcome": "draw", "reason": "Nobody won"}},
    }.items():
        for call, body in calls.items():
            sent = (
                {**body, "player": marked.winner_id} if call in ("confirm/", "dispute/") else body
            )
            api.post(f"/hands/{hand.pk}/{call}", f"/hands/{{id}}/{call}", sent)
    number = Game.objects.get(pk=game.pk).next_number
    logged = {"number": number, "outcome": "win", "winner": game.players[1].pk}
    logged |= {"tiles": "345B 55B 222D GGG", "melds": ["222B*"]}
    api.post(f"/games/{game.pk}/hands/", "/games/{game}/hands/", logged)
    api.get(f"/games/{game.pk}/hands/", "/games/{game}/hands/")
    booked = {"game": game.pk, "reason": "Late", "transfers": [other]}
    pk = api.post("/adjustments/", "/adjustments/", booked)["id"]
    api.post(f"/adjustments/{pk}/reverse/", "/adjustments/{id}/reverse/", {"reason": "Was not"})
    seats = [player.pk for player in game.players][::-1]
    swapped = {"players": seats, "preview": True}
    api.post(f"/games/{game.pk}/seats/", "/games/{id}/seats/", swapped)
    for call in ("withdraw/", "restore/", "finish/", "reopen/"):
        body = {} if call == "finish/" else {"reason": "To see"}
        body |= {"anyway": True} if call in ("restore/", "reopen/") else {}
        api.post(f"/games/{game.pk}/{call}", f"/games/{{id}}/{call}", body)
