"""The site's health: whether the database answers and every migration is applied."""

import time
from threading import Event, current_thread

import pytest
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from mahjong_site import health

pytestmark = pytest.mark.django_db
AT_A_CLUB = health.PATIENCE


@pytest.fixture(autouse=True)
def _a_busy_machine_is_waited_for(monkeypatch):
    monkeypatch.setattr(health, "PATIENCE", 60)


def test_a_healthy_site_answers_200(client):
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": "ok", "migrations": "applied"}
    assert "no-store" in response["Cache-Control"]


UNREACHABLE = {"status": "unavailable", "database": "unreachable", "migrations": "unknown"}


def test_an_unreachable_database_is_reported(client, monkeypatch):
    monkeypatch.setitem(connections.settings["default"], "NAME", "/no/such/database")
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == UNREACHABLE


@pytest.fixture
def asked(monkeypatch):
    """Who asks a database that answers nobody until the test is over; no later test meets them."""
    asked, over = [], Event()

    def hangs(_recorder):
        asked.append(current_thread())
        over.wait(timeout=60)
        return {}

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", hangs)
    yield asked
    over.set()
    for check in asked:
        check.join(timeout=60)


def test_a_database_that_does_not_answer_is_waited_for_by_one_and_not_for_long(
    client, monkeypatch, asked
):
    monkeypatch.setattr(health, "PATIENCE", AT_A_CLUB)
    began = time.monotonic()
    assert client.get("/healthz").json() == UNREACHABLE
    assert time.monotonic() - began < 2
    assert client.get("/healthz").json() == UNREACHABLE
    assert len(asked) == 1


@pytest.fixture
def pending():
    last = MigrationRecorder.Migration.objects.filter(app="scoring").latest("name")
    last.delete()
    yield
    last.save(force_insert=True)


@pytest.mark.django_db(transaction=True)
def test_a_missing_migration_is_reported(client, pending):
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "unavailable",
        "database": "ok",
        "migrations": "pending",
    }


def test_a_migration_of_a_newer_release_is_no_harm(client):
    MigrationRecorder.Migration.objects.create(app="scoring", name="9999_of_tomorrow")
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_health_can_only_be_read(client, method):
    assert getattr(client, method)("/healthz").status_code == 405


def test_health_is_answered_without_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 301


def test_health_costs_the_request_no_query_and_no_session(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert not response.cookies
