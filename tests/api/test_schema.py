"""The schema says what the API does: every call, every answer, every problem."""

from io import StringIO

import pytest
from django.core.management import call_command
from drf_spectacular.validation import validate_schema
from rest_framework.test import APIClient

CALLS = {
    "/api/v1/token/": {"post"},
    "/api/v1/score/": {"post"},
    "/api/v1/score/advice/": {"post"},
    "/api/v1/rulesets/": {"get", "post"},
    "/api/v1/rulesets/{slug}/": {"get"},
    "/api/v1/rulesets/preview/": {"post"},
    "/api/v1/players/": {"get", "post"},
    "/api/v1/players/{id}/": {"get", "patch"},
    "/api/v1/people/": {"post"},
    "/api/v1/invitations/": {"get", "post"},
    "/api/v1/invitations/{id}/": {"delete"},
    "/api/v1/leagues/": {"get", "post"},
    "/api/v1/leagues/{slug}/": {"get", "patch"},
    "/api/v1/leagues/{slug}/standings/": {"get"},
    "/api/v1/leagues/{slug}/final/": {"get"},
    "/api/v1/hall-of-fame/": {"get"},
    "/api/v1/hall-of-fame/best/": {"get"},
    "/api/v1/leagues/{slug}/hall-of-fame/best/": {"get"},
    "/api/v1/leagues/{slug}/hall-of-fame/": {"get"},
    "/api/v1/leagues/{slug}/awards/": {"get"},
    "/api/v1/leagues/{slug}/head-to-head/": {"get"},
    "/api/v1/players/{id}/against/": {"get"},
    "/api/v1/players/{player}/ratings/": {"get"},
    "/api/v1/ratings/": {"get"},
    "/api/v1/ratings/chances/": {"get"},
    "/api/v1/leagues/{slug}/seasons/": {"get"},
    "/api/v1/leagues/{slug}/standings/preview/": {"post"},
    "/api/v1/leagues/{slug}/evenings/": {"get"},
    "/api/v1/leagues/{slug}/evenings/{day}/": {"get"},
    "/api/v1/leagues/{slug}/evenings/{day}/close/": {"post"},
    "/api/v1/leagues/{slug}/evenings/{day}/payments/": {"post"},
    "/api/v1/leagues/{slug}/evenings/{day}/payments/{payment}/not-paid/": {"post"},
    "/api/v1/leagues/{slug}/evenings/{day}/reopen/": {"post"},
    "/api/v1/games/": {"get", "post"},
    "/api/v1/games/{id}/": {"get"},
    "/api/v1/games/{id}/finish/": {"post"},
    "/api/v1/games/{id}/reopen/": {"post"},
    "/api/v1/games/{id}/restore/": {"post"},
    "/api/v1/games/{id}/seats/": {"post"},
    "/api/v1/games/{id}/withdraw/": {"post"},
    "/api/v1/games/{game}/hands/": {"get", "post"},
    "/api/v1/hands/{id}/": {"get"},
    "/api/v1/hands/{id}/history/": {"get"},
    "/api/v1/hands/{id}/correct/": {"post"},
    "/api/v1/hands/{id}/correct/preview/": {"post"},
    "/api/v1/hands/{id}/void/": {"post"},
    "/api/v1/hands/{id}/void/preview/": {"post"},
    "/api/v1/hands/{id}/restore/": {"post"},
    "/api/v1/hands/{id}/restore/preview/": {"post"},
    "/api/v1/hands/{id}/undo/": {"post"},
    "/api/v1/hands/{id}/confirm/": {"post"},
    "/api/v1/hands/{id}/dispute/": {"post"},
    "/api/v1/hands/{id}/settle/": {"post"},
    "/api/v1/me/": {"get"},
    "/api/v1/tokens/": {"get", "post"},
    "/api/v1/tokens/{id}/": {"delete"},
    "/api/v1/adjustments/": {"get", "post"},
    "/api/v1/adjustments/{id}/": {"get"},
    "/api/v1/adjustments/{id}/reverse/": {"post"},
}
WRITING = [
    ("/api/v1/games/", "post"),
    ("/api/v1/games/{id}/finish/", "post"),
    ("/api/v1/games/{game}/hands/", "post"),
    *((f"/api/v1/hands/{{id}}/{call}/", "post") for call in ("correct", "void", "restore", "undo")),
    *((f"/api/v1/hands/{{id}}/{call}/", "post") for call in ("confirm", "dispute", "settle")),
    *(
        (f"/api/v1/leagues/{{slug}}/evenings/{{day}}/{call}/", "post")
        for call in ("close", "reopen", "payments")
    ),
    ("/api/v1/adjustments/", "post"),
    ("/api/v1/adjustments/{id}/reverse/", "post"),
    ("/api/v1/players/", "post"),
    ("/api/v1/people/", "post"),
    ("/api/v1/rulesets/", "post"),
    ("/api/v1/leagues/", "post"),
    ("/api/v1/leagues/{slug}/", "patch"),
    ("/api/v1/players/{id}/", "patch"),
]


@pytest.fixture(scope="module")
def schema(shared):
    return shared(lambda: APIClient().get("/api/schema/?format=json").json())


def operations(schema):
    return [
        (path, method, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]


def test_the_schema_is_made_without_a_warning():
    output = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=output)
    assert "openapi: 3.1" in output.getvalue()


def test_the_schema_names_every_call(schema):
    assert {path: set(methods) for path, methods in schema["paths"].items()} == CALLS
    validate_schema(schema)


def test_the_schema_says_of_melds_that_are_sent_where_they_lie(schema):
    """A program that leaves a set out of the tiles would else have it made up."""
    sent = {
        name: component["properties"]["melds"].get("description", "")
        for name, component in schema["components"]["schemas"].items()
        if name.endswith("Request") and "melds" in component.get("properties", {})
    }
    assert len(sent) >= 4
    assert not [name for name, text in sent.items() if "among" not in text or "beside" not in text]
    assert "So send all tiles of the hand" in sent["ScoreRequest"]
    assert "So send all tiles of the hand" in sent["HandEntryRequest"]
    assert "beside the tiles otherwise" in sent["OtherEntryRequest"]


def test_everybody_may_read_the_schema(visitor):
    response = visitor.get("/api/schema/")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/vnd.oai.openapi")


def test_every_refusal_is_a_problem_document(schema):
    for path, method, operation in operations(schema):
        for status, answer in operation["responses"].items():
            if status == "204":
                assert "content" not in answer
                continue
            media_types = set(answer["content"])
            expected = "application/json" if status < "400" else "application/problem+json"
            assert media_types == {expected}, (path, method, status)


def test_every_call_says_how_it_can_fail(schema):
    refusals = {
        (path, method): {status for status in operation["responses"] if status >= "400"}
        for path, method, operation in operations(schema)
    }
    assert refusals["/api/v1/score/", "post"] >= {"400", "413", "415", "429"}
    assert refusals["/api/v1/games/{game}/hands/", "post"] >= {
        *("400", "401", "403", "404", "409", "415", "422"),
    }
    assert refusals["/api/v1/games/{id}/", "get"] >= {"401", "404", "406"}
    assert refusals["/api/v1/leagues/{slug}/standings/", "get"] >= {"400", "404"}


@pytest.mark.parametrize(("path", "method"), WRITING)
def test_every_writing_call_takes_a_key_and_may_be_a_replay(schema, path, method):
    operation = schema["paths"][path][method]
    headers = {p["name"] for p in operation["parameters"] if p["in"] == "header"}
    assert headers == {"Idempotency-Key"}
    assert "Idempotent-Replay" in operation["responses"]["200"]["headers"]
    assert "422" in operation["responses"]


def test_a_conflict_carries_hand_and_state(schema):
    answer = schema["paths"]["/api/v1/games/{game}/hands/"]["post"]["responses"]["409"]
    name = answer["content"]["application/problem+json"]["schema"]["$ref"].rsplit("/", 1)[1]
    assert {"hand", "state", "detail"} <= set(schema["components"]["schemas"][name]["required"])


def test_the_head_of_the_schema_explains_the_kinds_of_problems(schema):
    for kind in ("invalid", "not-the-next-hand", "finished", "key-reused"):
        assert f"/api/docs/#{kind}" in schema["info"]["description"]


def test_the_schema_says_what_the_server_takes(schema):
    shapes = schema["components"]["schemas"]
    assert all(
        shape["additionalProperties"] is False
        for name, shape in shapes.items()
        if name.endswith("Request")
    )
    players = shapes["NewGameRequest"]["properties"]["players"]
    assert (players["minItems"], players["maxItems"], players["items"]["minimum"]) == (4, 4, 1)
    assert shapes["NewGameRequest"]["properties"]["league"]["pattern"] == "^[-a-zA-Z0-9_]+$"
    assert "/WindOrItsName'" in str(shapes["ScoreRequest"]["properties"]["seat"])
    assert {"E", "East", "N", "North"} < set(shapes["WindOrItsName"]["enum"])
    assert shapes["HandEntryRequest"]["properties"]["winner"]["minimum"] == 1
    sizes = schema["paths"]["/api/v1/games/"]["get"]["parameters"]
    assert {p["schema"]["minimum"] for p in sizes if p["name"].startswith("page")} == {1}
    opened = schema["paths"]["/api/v1/games/"]["post"]["responses"]["201"]
    assert opened["links"]["log"]["operationId"] == "games_hands_create"
