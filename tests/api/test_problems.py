"""Whatever is refused is refused with a problem document (RFC 9457), never with a page or a 500."""

import json
import re

import pytest
from django.core.exceptions import SuspiciousOperation, ValidationError
from rest_framework.exceptions import ValidationError as ShapeError
from rest_framework.test import APIClient

from scoring.api.refusals import problem_of
from scoring.api.score import views as scores
from tests.factories import make_hand, make_organiser

pytestmark = pytest.mark.django_db

SCORE = "/api/v1/score/"
MEMBERS = ("type", "title", "status", "detail", "errors")


def problem(response, status):
    """The document of ``response``, if it is one."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document = response.json()
    assert all(member in document for member in MEMBERS)
    assert document["status"] == status
    assert document["detail"]
    return document


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options", "head"])
def test_an_unknown_address_is_a_problem_document(visitor, method):
    response = getattr(visitor, method)("/api/v1/nothing/")
    assert response.status_code == 404
    if method != "head":
        assert "/api/docs/" in problem(response, 404)["detail"]


@pytest.mark.parametrize(
    "address",
    [
        "/api/nothing",
        "/api/v2/games/",
        "/api/v1/games/x/",
        "/api/v1/games/-1/",
        "/api/v1/games/1.5/",
        f"/api/v1/games/{10**30}/",
        f"/api/v1/games/{10**30}/hands/",
        "/api/v1/games/" + "9" * 5000 + "/",
        "/api/v1/games/999999/",
        "/api/v1/games/999999/hands/",
        "/api/v1/hands/999999/",
        "/api/v1/players/999999/",
        "/api/v1/leagues/nothing/",
        "/api/v1/leagues/nothing/standings/",
        "/api/v1/leagues/%00/",
        "/api/v1/rulesets/nothing/",
        "/api/v1/games/?page=zzz",
        "/api/v1/games/?page=-1",
        "/api/v1/games/?page=last",
        f"/api/v1/games/?page={10**30}",
        "/api/v1/games/?format=xml",
    ],
    ids=lambda address: address[:50],
)
def test_a_missing_row_is_a_problem_document(visitor, address):
    problem(visitor.get(address), 404)


def test_an_address_without_its_slash_says_that_the_slash_is_missing(visitor):
    assert "/api/v1/games/" in problem(visitor.get("/api/v1/games"), 404)["detail"]


def test_a_wrong_method_is_a_problem_document(visitor, organiser):
    response = organiser.delete("/api/v1/players/")
    problem(response, 405)
    assert response["Allow"] == "GET, POST, HEAD, OPTIONS"
    problem(visitor.get(SCORE), 405)


def test_asking_for_another_format_is_a_problem_document(visitor):
    problem(visitor.get("/api/v1/games/", HTTP_ACCEPT="text/csv"), 406)
    problem(visitor.get("/api/schema/", HTTP_ACCEPT="text/csv"), 406)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_body_of_another_type_is_a_problem_document(visitor, content_type):
    problem(visitor.post(SCORE, "tiles=222B", content_type=content_type), 415)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"nonsense",
        b'{"tiles": NaN}',
        b'{"tiles": "\xff"}',
        b"\x00",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 10_000,
        b'"\\ud800"',
        b'{"tiles": "\\ud800", "seat": "E", "prevailing": "E"}',
        b'{"tiles": ["\\u0000"], "seat": "E", "prevailing": "E"}',
        b'{"tiles": 1e400, "seat": "E", "prevailing": "E"}',
        b"null",
        b'{"tiles": 1, "tiles": 1}',
        b'{"\\ud800": 1, "\\ud800": 1}',
    ],
    ids=lambda body: repr(body[:30]),
)
def test_an_unreadable_body_is_a_problem_document(visitor, body):
    document = problem(visitor.post(SCORE, body, content_type="application/json"), 400)
    assert not re.search("codec|parse error|compliant|Unexpected", document["detail"])


@pytest.mark.parametrize(
    "call",
    [
        *("score/", "games/", "games/{game.pk}/hands/", "games/{game.pk}/withdraw/"),
        *("hands/{hand}/void/", "hands/{hand}/restore/", "hands/{hand}/correct/"),
        *("hands/{hand}/dispute/", "players/", "leagues/", "people/", "invitations/", "token/"),
    ],
)
def test_a_body_that_is_no_object_is_asked_for_in_plain_words(organiser, game, call):
    hand = make_hand(game, by=make_organiser()).pk
    path = "/api/v1/" + call.format(game=game, hand=hand)
    sentence = "Send a JSON object: the names of the fields with their values, in {}."
    for body in ("[]", "null", "7", '"hand"', "true", '[{"number": 1}]'):
        response = organiser.post(path, data=body, content_type="application/json")
        document = problem(response, 400)
        assert document["detail"] == sentence
        assert [error["field"] for error in document["errors"]] == [None]


def test_a_number_with_too_many_digits_is_refused_in_plain_words(visitor):
    body = '{"number": %s}' % ("9" * 5000)
    response = visitor.post(SCORE, data=body, content_type="application/json")
    assert problem(response, 400)["detail"] == "A number in the JSON has too many digits."


@pytest.mark.parametrize("body", ['{"seat": "E", "seat": "S"}', '{"win": {"seat": 1, "seat": 1}}'])
def test_a_field_that_is_sent_twice_is_refused_by_name(visitor, body):
    response = visitor.post(SCORE, data=body, content_type="application/json")
    assert problem(response, 400)["detail"] == "The JSON says “seat” twice: send it once."


def test_a_body_that_is_too_large_is_a_problem_document(visitor, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    body = b'{"tiles": "' + b"2B " * 500 + b'"}'
    problem(visitor.post(SCORE, body, content_type="application/json"), 413)


class TestWhoIsNotSignedIn:
    def test_who_is_not_signed_in_is_told_how_to_sign_in(self, visitor):
        response = visitor.post("/api/v1/games/", {})
        problem(response, 401)
        assert response["WWW-Authenticate"] == "Token"

    @pytest.mark.parametrize("header", ["Token nonsense", "Token", "Token a b", "Token \xff"])
    def test_a_call_with_a_token_that_is_none_is_answered_401(self, visitor, header):
        visitor.credentials(HTTP_AUTHORIZATION=header)
        problem(visitor.get("/api/v1/games/"), 401)

    def test_a_call_by_a_session_without_its_csrf_token_is_answered_403(self, game):
        client = APIClient(enforce_csrf_checks=True)
        client.force_login(make_organiser())
        address = f"/api/v1/games/{game.pk}/finish/"
        assert "CSRF" in problem(client.post(address), 403)["detail"]


def test_a_session_writes_with_its_csrf_token(game):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(make_organiser())
    client.get("/api/docs/?script=")
    token = client.cookies["csrftoken"].value
    address = f"/api/v1/games/{game.pk}/finish/"
    assert client.post(address, HTTP_X_CSRFTOKEN=token).status_code == 200


class TestAFilter:
    @pytest.mark.parametrize(
        ("address", "field"),
        [
            ("games/?league=nothing", "league"),
            ("games/?league=%00", "league"),
            ("games/?player=x", "player"),
            ("games/?player=999999", "player"),
            (f"games/?player={10**30}", "player"),
            ("games/?player=%00", "player"),
            ("games/?finished=perhaps", "finished"),
            ("players/?active=perhaps", "active"),
            ("players/?league=nothing", "league"),
            ("players/?name=%00", "name"),
            ("leagues/?running=perhaps", "running"),
            ("leagues/?visibility=perhaps", "visibility"),
        ],
    )
    def test_a_filter_that_makes_no_sense_is_refused(self, visitor, address, field):
        document = problem(visitor.get(f"/api/v1/{address}"), 400)
        assert [error["field"] for error in document["errors"]] == [field]


def test_a_bug_is_answered_by_a_problem_and_is_reported(visitor, monkeypatch, caplog):
    def bug(name, **how):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(scores, "score_by", bug)
    asked = {"tiles": "222B", "seat": "E", "prevailing": "E"}
    with pytest.raises(ZeroDivisionError):
        visitor.post(SCORE, asked)
    visitor.raise_request_exception = False
    response = visitor.post(SCORE, asked)
    assert "secret" not in problem(response, 500)["detail"]
    assert "ZeroDivisionError" in caplog.text


class TestErrors:
    def test_errors_of_deeper_fields_say_where(self):
        problem = problem_of(ShapeError({"melds": {1: ["No."]}, "players": [{"name": ["Empty."]}]}))
        assert [error["field"] for error in _errors(problem)] == ["melds.1", "players.0.name"]

    def test_errors_of_the_whole_have_no_field(self):
        problem = problem_of(ShapeError({"non_field_errors": ["No."]}))
        assert _errors(problem) == [{"field": None, "code": "invalid", "message": "No."}]

    def test_errors_of_models_keep_field_code_and_sentence(self):
        refusal = ValidationError("%(n)s is odd.", code="odd", params={"n": 3})
        problem = problem_of(ValidationError({"number": refusal, "__all__": "Both."}))
        assert _errors(problem) == [
            {"field": "number", "code": "odd", "message": "3 is odd."},
            {"field": None, "code": "invalid", "message": "Both."},
        ]
        assert _errors(problem_of(refusal))[0]["field"] is None

    def test_errors_are_sentences_in_the_detail(self):
        problem = problem_of(ShapeError({"a": ["One."], "b": ["Two.", "One."]}))
        assert _document(problem)["detail"] == "One. Two."

    def test_errors_of_a_suspicious_request_tell_nothing(self):
        assert _document(problem_of(SuspiciousOperation("secret")))["detail"] != "secret"


def _document(response):
    return json.loads(response.content)


def _errors(response):
    return _document(response)["errors"]
