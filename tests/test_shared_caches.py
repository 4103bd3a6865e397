"""A cache between the site and its readers never hands one person's answer to another."""

import pytest
from django.test import Client
from django.utils.cache import has_vary_header

from tests.factories import make_organiser, make_token
from tests.secret_league import make_secret_league

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.slow]

FORBIDDEN = ("private", "no-store", "no-cache")


class Cache:
    """Keeps all that nothing forbids, as nginx does with ``proxy_cache_valid any 10m``."""

    def __init__(self):
        self._kept = []

    def get(self, path, headers):
        for sent, response in self._kept:
            if sent["path"] == path and all(
                sent.get(name) == headers.get(name) for name in varies(response)
            ):
                return response
        response = Client().get(path, headers=headers)
        control = response.headers.get("Cache-Control", "")
        if not response.cookies and not any(word in control for word in FORBIDDEN):
            self._kept.append(({"path": path, **headers}, response))
        return response


class CarelessCache(Cache):
    """Asks no Vary: with what is one person's alone, that must do no harm either."""

    def get(self, path, headers):
        for sent, response in self._kept:
            if sent["path"] == path:
                return response
        return super().get(path, headers)


def varies(response):
    return [name.strip() for name in response.headers.get("Vary", "").split(",")]


@pytest.fixture
def addresses():
    """Where a members' league called Secret is read."""
    return make_secret_league()


@pytest.fixture(params=["token", "session"])
def member(request):
    """What a member's requests carry."""
    user = make_organiser()
    if request.param == "token":
        return {"Authorization": f"Token {make_token(user)}"}
    client = Client()
    client.force_login(user)
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


# What does no harm in a careless one does none in the other.
@pytest.mark.parametrize("cache", [pytest.param(Cache, marks=pytest.mark.thorough), CarelessCache])
def test_a_stranger_reads_after_a_member_what_a_stranger_reads(cache, addresses, member):
    cache = cache()
    for path in addresses:
        cache.get(path, member)
        cached = cache.get(path, {})
        assert cached.status_code == Client().get(path).status_code, path
        assert b"Secret" not in cached.content, path


def test_a_member_reads_after_a_stranger_what_a_member_reads(addresses, member):
    cache = Cache()
    for path in addresses:
        cache.get(path, {})
        assert cache.get(path, member).status_code == Client().get(path, headers=member).status_code


def test_every_answer_of_the_api_says_by_what_it_differs(client):
    for path in ("/api/v1/leagues/", "/api/v1/leagues/none/", "/api/nothing/", "/api/schema/"):
        response = client.get(path)
        for header in ("Authorization", "Cookie", "Accept-Language"):
            assert has_vary_header(response, header), (path, header)


def test_a_token_is_kept_nowhere(client):
    make_organiser("ann", password="a password")
    sent = {"username": "ann", "password": "a password"}
    response = client.post("/api/v1/token/", sent, content_type="application/json")
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "private, no-store")
