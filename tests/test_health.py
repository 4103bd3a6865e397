"""The site's health: whether the database answers and every migration is applied."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from mahjong_site import health

pytestmark = pytest.mark.django_db


def test_all_is_well(client):
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": "ok", "migrations": "applied"}
    assert "no-store" in response["Cache-Control"]


def test_a_database_that_cannot_be_reached(client, monkeypatch):
    elsewhere = connection.copy("elsewhere")
    elsewhere.settings_dict["NAME"] = "/no/such/database"
    monkeypatch.setattr(health, "connection", elsewhere)
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "unavailable",
        "database": "unreachable",
        "migrations": "unknown",
    }


def test_a_migration_that_is_not_applied(client):
    last = MigrationRecorder.Migration.objects.filter(app="scoring").latest("name")
    last.delete()
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
def test_it_is_only_read(client, method):
    assert getattr(client, method)("/healthz").status_code == 405


def test_who_asks_without_https_is_not_sent_away(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 301


def test_it_costs_one_query_and_no_session(client, django_assert_max_num_queries):
    client.get("/healthz")
    # SQLite asks whether the table is there besides.
    with django_assert_max_num_queries(2):
        response = client.get("/healthz")
    assert not response.cookies
