"""The API refuses in the site's own sentences: none of Django's or REST framework's is left, in any language."""

import gettext
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import django
import pytest
import rest_framework
from rest_framework import serializers
from rest_framework.test import APIClient

import scoring.api
from tests.factories import make_organiser

pytestmark = pytest.mark.django_db

CATALOGUES = [
    Path(rest_framework.__file__).parent / "locale",
    Path(django.__file__).parent / "conf" / "locale",
]


def _of_the_frameworks():
    """Their sentences of two words and more: English and Dutch, with any words in the gaps."""
    for folder in CATALOGUES:
        with (folder / "nl" / "LC_MESSAGES" / "django.mo").open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog
        for english, dutch in catalogue.items():
            yield from (english if isinstance(english, tuple) else (english,))[:1]
            yield dutch


GAP = re.compile(r"%\\\(\w+\\\)[sd]|\\\{[\w:.]+\\\}|%[sd]")
THEIRS = re.compile(
    "|".join(
        GAP.sub(".*", re.escape(sentence))
        for sentence in sorted(set(_of_the_frameworks()))
        if " " in sentence and re.search(r"\w{2}.* \w*\w{2}", sentence)
    )
)


def is_theirs(sentence):
    return bool(THEIRS.fullmatch(sentence)) or sentence.startswith("CSRF Failed")


def _serializers():
    for module in walk_packages(scoring.api.__path__, "scoring.api."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, serializers.Serializer):
                yield thing


def _fields(of):
    for field in of.fields.values():
        if not field.read_only:
            yield field
            for inner in ("child", "child_relation"):
                if child := getattr(field, inner, None):
                    yield child


def test_every_field_refuses_in_sentences_of_the_site():
    theirs = {
        (serializer.__name__, field.field_name, str(message))
        for serializer in set(_serializers())
        for field in _fields(serializer())
        for message in field.error_messages.values()
        if is_theirs(str(message))
    }
    assert theirs == set()


def refused(client, method, address, body=None, **how):
    response = getattr(client, method)(f"/api/v1/{address}", body, **how)
    assert response.status_code >= 400, response.content
    document = response.json()
    return [document["detail"], *(error["message"] for error in document["errors"])]


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("get", "players/?page=999", None),
        ("get", "players/?page=abc", None),
        ("get", "players/?active=perhaps", None),
        ("get", "players/?name=%00", None),
        ("get", "leagues/?visibility=perhaps", None),
        ("get", "hands/?outcome=perhaps", None),
        ("get", "games/?player=x", None),
        ("get", "games/?league=%00", None),
        ("get", "ratings/?as_of=abc", None),
        ("get", "ratings/chances/?players=1,2", None),
        ("get", "hall-of-fame/?year=x", None),
        ("post", "people/", {}),
        ("post", "games/", {}),
        ("get", "tokens/", None),
        ("delete", "score/", None),
        ("post", "score/", {"tiles": "GGG", "self_drawn": "maybe", "seat": "E\x00"}),
        ("post", "score/", {"tiles": "GGG", "ruleset": {}, "seat": 5, "prevailing": None}),
        ("post", "score/", {"tiles": "GGG", "bonus": ["\x00", 5], "value": "x", "flags": 3}),
        ("post", "rulesets/preview/", {}),
        ("post", "rulesets/preview/", {"book": "x", "hands": []}),
        ("post", "rulesets/preview/", {"book": "x", "hands": {}}),
        ("post", "token/", {"username": "\x00", "password": ""}),
    ],
    ids=str,
)  # fmt: skip
def test_a_visitor_is_refused_in_sentences_of_the_site(visitor, method, address, body, language):
    sentences = refused(visitor, method, address, body, HTTP_ACCEPT_LANGUAGE=language)
    assert [sentence for sentence in sentences if is_theirs(sentence)] == []


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("players/", {"name": ""}),
        ("players/", {"name": "x" * 5000}),
        ("players/", {"name": ["x"], "active": "perhaps"}),
        ("people/", {"name": "Ann", "email": "no address", "role": "king"}),
        ("people/", {"name": "Ann", "username": "a b c/"}),
        ("invitations/", {"days": "x", "player": 10**40}),
        ("leagues/", {}),
        ("leagues/", {"name": "", "slug": "a b", "visibility": "x", "starts_on": "x"}),
        (
            "leagues/",
            {"name": "A", "slug": "a", "starts_on": "2026-02-02", "ends_on": "2026-01-01"},
        ),
        ("games/", {"league": "nothing", "players": [1]}),
        ("games/", {"league": 5, "players": "x"}),
        ("tokens/", {"name": "", "scopes": "x", "days": -1}),
        ("tokens/", {"name": "x" * 500, "scopes": ["x"], "days": 1.5}),
        ("adjustments/", {"league": "x", "payments": "x", "kind": "x"}),
        ("adjustments/", {"payments": [{"player": "x", "amount": 1e30}], "reason": "\ud7ff\x00"}),
        ("rulesets/", {"book": 5}),
    ],
    ids=str,
)
def test_an_organiser_is_refused_in_sentences_of_the_site(organiser, address, body, language):
    sentences = refused(organiser, "post", address, body, HTTP_ACCEPT_LANGUAGE=language)
    assert [sentence for sentence in sentences if is_theirs(sentence)] == []


@pytest.mark.parametrize("language", ["en", "nl"])
class TestTheRequestAsAWhole:
    def test_headers_that_cannot_be_served(self, visitor, language):
        asked = {"HTTP_ACCEPT_LANGUAGE": language}
        sentences = [
            *refused(visitor, "get", "games/", HTTP_ACCEPT="text/csv", **asked),
            *refused(visitor, "post", "score/", "<a/>", content_type="text/xml", **asked),
        ]
        for header in ("Token", "Token a b", "Token \xff", "Token nonsense"):
            visitor.credentials(HTTP_AUTHORIZATION=header)
            sentences += refused(visitor, "get", "games/", **asked)
        assert [sentence for sentence in sentences if is_theirs(sentence)] == []

    def test_a_member_who_may_not(self, member, language):
        (sentence,) = refused(member, "post", "players/", {}, HTTP_ACCEPT_LANGUAGE=language)
        assert not is_theirs(sentence)

    def test_a_session_without_its_csrf_token(self, language):
        client = APIClient(enforce_csrf_checks=True)
        client.force_login(make_organiser())
        (sentence,) = refused(client, "post", "games/", {}, HTTP_ACCEPT_LANGUAGE=language)
        assert not is_theirs(sentence)

    def test_too_many_calls(self, visitor, language, monkeypatch):
        monkeypatch.setattr(
            "rest_framework.throttling.ScopedRateThrottle.get_rate", lambda _: "1/h"
        )
        monkeypatch.setattr(
            "rest_framework.throttling.SimpleRateThrottle.get_rate", lambda _: "1/h"
        )
        visitor.post("/api/v1/score/", {})
        (sentence,) = refused(visitor, "post", "score/", {}, HTTP_ACCEPT_LANGUAGE=language)
        assert not is_theirs(sentence)
