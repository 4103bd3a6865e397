"""``POST token/``: a token for a name and a password."""

import pytest
from rest_framework.throttling import ScopedRateThrottle

from scoring.models import ApiToken
from scoring.services.sign_in import Device
from tests.factories import make_member, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

URL = "/api/v1/token/"


@pytest.fixture
def ann():
    return make_member("ann", password="three green dragons", player=make_player("Ann"))


def test_the_right_password_gets_a_token_that_works(visitor, ann, game):
    answer = visitor.post(URL, {"username": "ann", "password": "three green dragons"}).json()
    assert answer["player"] == ann.player.pk
    visitor.credentials(HTTP_AUTHORIZATION=f"Token {answer['token']}")
    assert visitor.get("/api/v1/players/").json()["count"] == 5


def test_each_program_gets_a_token_of_its_own(visitor, ann):
    body = {"username": "ann", "password": "three green dragons", "name": "Score board"}
    tokens = [visitor.post(URL, body).json() for _time in range(2)]
    assert len({token["token"] for token in tokens}) == 2
    for token in tokens:
        assert (token["name"], token["scopes"]) == ("Score board", ["log", "read"])
        visitor.credentials(HTTP_AUTHORIZATION=f"Token {token['token']}")
        assert visitor.get("/api/v1/me/").json()["account"] == "ann"


def test_a_password_keeps_its_spaces(visitor):
    make_member("ben", password=" spaced ")
    assert visitor.post(URL, {"username": "ben", "password": "spaced"}).status_code == 400
    assert visitor.post(URL, {"username": "ben", "password": " spaced "}).status_code == 200


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_wrong_password_and_an_unknown_name_are_told_apart_by_nobody(visitor, ann, name):
    response = visitor.post(URL, {"username": name, "password": "wrong"})
    assert response.status_code == 400
    (error,) = response.json()["errors"]
    assert (error["field"], error["code"]) == (None, "sign_in")
    assert error["message"].startswith("Name and password do not match")
    assert not ApiToken.objects.exists()


def test_a_closed_account_gets_no_token_and_keeps_none(visitor, ann):
    body = {"username": "ann", "password": "three green dragons"}
    token = visitor.post(URL, body).json()["token"]
    ann.is_active = False
    ann.save()
    assert visitor.post(URL, body).status_code == 400
    visitor.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    assert visitor.get("/api/v1/players/").status_code == 401


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "username"),
        ({"username": "ann"}, "password"),
        ({"username": 5, "password": "x"}, "username"),
        ({"username": "ann", "password": ["x"]}, "password"),
        ({"username": "a\u0000", "password": "x"}, "username"),
        ({"username": "ann", "password": "x\u0000"}, "password"),
        ({"username": "x" * 5000, "password": "x"}, "username"),
        ({"username": "ann", "password": "x" * 5000}, "password"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_invalid_sign_in_is_refused_at_its_field(visitor, body, field):
    response = visitor.post(URL, body)
    assert response.status_code == 400
    assert field in [error["field"] for error in response.json()["errors"]]


def test_half_of_a_character_is_refused_on_a_device_that_is_known(visitor, ann):
    """There the name that is typed is looked up before anything else."""
    visitor.cookies["device"] = Device("key", (ann.pk,)).written()
    body = rb'{"username": "\ud800", "password": "x"}'
    assert visitor.post(URL, body, content_type="application/json").status_code == 400


def test_guessing_passwords_is_slow(visitor, ann, monkeypatch):
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "token", "3/min")
    guess = {"username": "ann", "password": "wrong"}
    # Another name for where one comes from buys no further guess.
    statuses = [
        visitor.post(URL, guess, HTTP_X_FORWARDED_FOR=f"10.0.0.{time}").status_code
        for time in range(5)
    ]
    assert statuses == [400, 400, 400, 429, 429]
