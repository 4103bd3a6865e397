"""A name that a call does not know may be one that it knows, misspelt: it is refused by name."""

import pytest

from scoring.models import Hand
from scoring.services.hands.correct import void_hand
from tests.factories import BOOK_HAND, make_hand, make_organiser

pytestmark = pytest.mark.django_db


def errors(response):
    assert response.status_code == 400, response.content
    return {
        (error["field"], error["code"]): error["message"] for error in response.json()["errors"]
    }


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("players/", "name, active, league, page, page_size"),
        ("games/", "league, player, finished, withdrawn, page, page_size"),
        ("leagues/{game.league.slug}/standings/", "as_of, table"),
        ("games/{game.pk}/hands/", "outcome, winner, checked, page, page_size"),
        ("leagues/{game.league.slug}/evenings/", "page, page_size"),
    ],
)
def test_an_unknown_parameter_is_refused_by_name(visitor, game, path, known):
    path = "/api/v1/" + path.format(game=game)
    problems = errors(visitor.get(f"{path}?nme=Ann&name_=x"))
    assert set(problems) == {("nme", "unknown_parameter"), ("name_", "unknown_parameter")}
    assert problems["nme", "unknown_parameter"] == (
        f"This parameter is not known here. Known are: {known}."
    )
    assert visitor.get(f"{path}?format=json").status_code == 200


@pytest.mark.parametrize("path", ["games/{game.pk}/", "players/{game.players[0].pk}/"])
def test_a_call_without_parameters_refuses_any(visitor, game, path):
    problems = errors(visitor.get(f"/api/v1/{path.format(game=game)}?page=1"))
    assert problems == {("page", "unknown_parameter"): "This address takes no parameters."}


def test_an_unknown_field_is_named_beside_what_else_is_wrong(visitor):
    hand = {"tiles": BOOK_HAND, "seat": "S", "flowers": ["F1"]}
    problems = errors(visitor.post("/api/v1/score/", hand))
    assert set(problems) == {("flowers", "unknown_field"), ("prevailing", "required")}
    known = "tiles, seat, prevailing, melds, concealed, self_drawn, bonus, winning_tile, won_by, flags, dora_indicators, value, ruleset"
    assert problems["flowers", "unknown_field"].endswith(f"Known are: {known}.")


@pytest.mark.parametrize(
    ("call", "body", "field"),
    [
        ("hands/", {"number": 1, "outcome": "draw", "winer": 5}, "winer"),
        ("withdraw/", {"reason": "Opened twice", "anyway": True}, "anyway"),
    ],
)
def test_an_unknown_field_of_a_hand_is_refused_and_nothing_is_stored(
    scorer, game, call, body, field
):
    problems = errors(scorer.post(f"/api/v1/games/{game.pk}/{call}", body))
    assert list(problems) == [(field, "unknown_field")]
    game.refresh_from_db()
    assert (game.next_number, game.finished, game.withdrawn) == (1, False, False)


@pytest.mark.parametrize(
    "call",
    [
        *("games/{game.pk}/finish/", "hands/{hand}/undo/"),
        "leagues/{game.league.slug}/evenings/{game.evening}/close/",
    ],
)
def test_a_call_that_takes_no_fields_refuses_any_and_changes_nothing(organiser, game, call):
    hand = make_hand(game).pk
    path = "/api/v1/" + call.format(game=game, hand=hand)
    problems = errors(organiser.post(path, {"dry_run": True}))
    assert problems == {("dry_run", "unknown_field"): "This address takes no fields."}
    game.refresh_from_db()
    assert not game.finished
    assert not game.evening_closed
    assert Hand.objects.get(pk=hand).current
    for body in ("null", "[]"):
        assert organiser.post(path, data=body, content_type="application/json").status_code == 400
    assert organiser.post(path).status_code != 400


@pytest.mark.parametrize("call", ["void/preview", "restore/preview"])
def test_a_preview_refuses_what_the_call_does_not_take(organiser, game, call):
    hand = make_hand(game)
    if call == "restore/preview":
        hand = void_hand(hand, by=make_organiser(), reason="Not played").hand
    path = f"/api/v1/hands/{hand.pk}/{call}/"
    problems = errors(organiser.post(path, {"flowers": 1}))
    assert problems == {
        ("flowers", "unknown_field"): "This field is not known here. Known are: reason."
    }
    for body in ("[1]", '"text"'):
        assert organiser.post(path, data=body, content_type="application/json").status_code == 400
    for body in ({}, {"reason": "It was not played"}):
        assert organiser.post(path, body).status_code == 200


def test_each_call_that_changes_something_without_a_body_is_known(visitor):
    """Each refuses fields."""
    calls = {
        call["operationId"].removesuffix("_create")
        for methods in visitor.get("/api/schema/?format=json").json()["paths"].values()
        for method, call in methods.items()
        if method in ("post", "put", "patch") and "requestBody" not in call
    }
    assert calls == {
        *("games_finish", "hands_undo"),
        *("leagues_evenings_close", "leagues_evenings_payments_not_paid"),
    }


def test_an_unknown_field_deep_inside_is_refused(scorer, game):
    east, south, *_others = (player.pk for player in game.players)
    line = {"payer": east, "payee": south, "amount": 5, "amuont": 6}
    problems = errors(
        scorer.post(
            "/api/v1/adjustments/", {"game": game.pk, "reason": "Late", "transfers": [line]}
        )
    )
    assert list(problems) == [("transfers.0.amuont", "unknown_field")]


def test_what_was_answered_as_melds_can_be_sent_again(visitor, scorer, game):
    won = {
        "number": 1,
        "outcome": "win",
        "winner": game.players[1].pk,
        "tiles": "222B* 345B 55B 222D GGG",
    }
    melds = scorer.post(f"/api/v1/games/{game.pk}/hands/", won).json()["melds"]
    assert [meld["kind"] for meld in melds] == ["pung"]
    hand = {"tiles": "345B 55B 222D GGG", "melds": melds, "seat": "S", "prevailing": "E"}
    assert visitor.post("/api/v1/score/", hand).json()["winning"] is True
    hand["melds"] = [{**melds[0], "conceald": False}]
    assert set(errors(visitor.post("/api/v1/score/", hand))) == {("melds.0", "invalid")}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        *((f"page_size={size}", "invalid") for size in ("null", "0", "-1", "9" * 5000)),
        *((f"{name}=", "blank") for name in ("page_size", "page", "name", "active")),
    ],
)
def test_an_invalid_value_is_not_taken_as_the_default(visitor, query, code):
    assert list(errors(visitor.get(f"/api/v1/players/?{query}"))) == [(query.split("=")[0], code)]


@pytest.mark.parametrize("query", ["player=1&player=2", "page_size=5&page_size=5"])
def test_a_parameter_that_is_given_twice_is_refused_by_name(visitor, query):
    problems = errors(visitor.get(f"/api/v1/games/?{query}"))
    assert problems == {
        (query.split("=")[0], "twice"): "This parameter is given twice: give it once."
    }


@pytest.mark.parametrize("query", ["leagues/?running=", "leagues/{slug}/standings/?as_of="])
def test_an_empty_value_is_not_taken_as_the_default(visitor, game, query):
    response = visitor.get("/api/v1/" + query.format(slug=game.league.slug))
    assert [code for _field, code in errors(response)] == ["blank"]
