"""Tokens of an account: what each is for, when it ends, and who may make which."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from scoring.models import ApiToken, AuditEntry
from scoring.models.permissions import Scope
from tests.api.callers import caller
from tests.factories import make_game, make_member, make_organiser, make_player, make_token

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

URL = "/api/v1/tokens/"
READ, LOG, ORGANISE = Scope.READ, Scope.LOG, Scope.ORGANISE
DRAW = {"number": 1, "outcome": "draw"}


@pytest.fixture
def ann():
    return make_member("ann", password="three green dragons", player=make_player("Ann"))


@pytest.fixture
def table(ann):
    return make_game(players=[ann.player, *(make_player() for _seat in range(3))])


def log(client, game):
    return client.post(f"/api/v1/games/{game.pk}/hands/", DRAW)


class TestScopes:
    def test_a_token_for_reading_logs_nothing(self, ann, table):
        client = caller(ann, READ)
        assert client.get(f"/api/v1/games/{table.pk}/").status_code == 200
        refused = log(client, table)
        assert refused.status_code == 403
        assert refused.json()["detail"].startswith("This token is not for that")
        assert not table.hands.exists()

    def test_a_token_for_logging_logs(self, ann, table):
        assert log(caller(ann, READ, LOG), table).status_code == 201

    def test_a_token_that_does_not_read_sees_what_visitors_see(self, ann, table):
        table.league.visibility = "members"
        table.league.save()
        assert caller(ann, LOG).get(f"/api/v1/games/{table.pk}/").status_code == 404
        assert caller(ann, READ).get(f"/api/v1/games/{table.pk}/").status_code == 200

    def test_an_organiser_with_a_token_for_logging_is_a_member_to_the_site(self, table):
        client = caller(make_organiser(), READ, LOG)
        assert client.post("/api/v1/players/", {"name": "Zoe"}).status_code == 403
        # Nor does it log at a table where its member does not sit.
        assert log(client, table).status_code == 403
        assert client.get("/api/v1/me/").json()["roles"] == ["visitor", "member"]

    def test_an_organiser_organises_with_a_token_that_is_for_it(self):
        client = caller(make_organiser(), READ, ORGANISE)
        assert client.post("/api/v1/players/", {"name": "Zoe"}).status_code == 201


class TestTheEnd:
    def test_comes_by_its_date(self, ann):
        client = caller(ann)
        ApiToken.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
        assert client.get("/api/v1/me/").status_code == 401

    def test_comes_with_another_password(self, ann):
        client = caller(ann)
        ann.set_password("four winds and a wall")
        ann.save()
        refused = client.get("/api/v1/me/")
        assert refused.status_code == 401
        assert "ended when the password changed" in refused.json()["detail"]

    def test_comes_when_its_member_ends_it(self, ann):
        text = make_token(ann)
        other = caller(ann)
        token = ApiToken.objects.earliest("pk")
        assert other.delete(f"{URL}{token.pk}/").status_code == 204
        other.credentials(HTTP_AUTHORIZATION=f"Token {text}")
        assert other.get("/api/v1/me/").status_code == 401
        assert AuditEntry.objects.filter(action="end_token", subject_id=token.pk).exists()

    def test_is_not_for_others_to_make(self, ann):
        make_token(ann)
        client = caller(make_organiser())
        assert client.delete(f"{URL}{ApiToken.objects.earliest('pk').pk}/").status_code == 404
        assert ApiToken.objects.filter(user=ann).exists()


class TestMaking:
    def test_tells_the_text_once(self, ann):
        client = caller(ann)
        made = client.post(URL, {"name": "Board", "scopes": ["read"], "days": 30})
        assert made.status_code == 201
        text = made.json()["token"]
        assert [row["name"] for row in client.get(URL).json()["results"]] == ["Board", "A program"]
        assert text not in client.get(URL).content.decode()
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM scoring_apitoken")
            assert text not in str(cursor.fetchall())
        client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
        assert client.get("/api/v1/me/").json()["scopes"] == ["read"]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"scopes": ["read"]}, "name"),
            ({"name": "  ", "scopes": ["read"]}, "name"),
            ({"name": "Board"}, "scopes"),
            ({"name": "Board", "scopes": []}, "scopes"),
            ({"name": "Board", "scopes": ["admin"]}, "scopes"),
            ({"name": "Board", "scopes": ["organise"]}, "scopes"),
            ({"name": "Board", "scopes": ["read"], "days": 0}, "days"),
            ({"name": "Board", "scopes": ["read"], "days": 367}, "days"),
            ({"name": "Board", "scopes": ["read"], "user": 1}, "user"),
        ],
    )
    def test_is_refused_at_the_field(self, ann, visitor, body, field):
        visitor.force_login(ann)
        refused = visitor.post(URL, body)
        assert refused.status_code == 400
        assert [error["field"] for error in refused.json()["errors"]] == [field]
        assert not ApiToken.objects.exists()

    def test_a_token_makes_none_that_may_do_more(self, ann):
        body = {"name": "Board", "scopes": ["read", "log"]}
        assert caller(ann, READ).post(URL, body).status_code == 403
        assert caller(ann, READ, LOG).post(URL, body).status_code == 201

    def test_ends_at_fifty(self, ann, monkeypatch):
        monkeypatch.setattr("scoring.services.tokens.MOST_TOKENS", 2)
        client = caller(ann)
        body = {"name": "Board", "scopes": ["read"]}
        assert [client.post(URL, body).status_code for _time in range(2)] == [201, 400]


class TestUse:
    def test_is_noted_by_the_day(self, ann):
        client = caller(ann)
        ApiToken.objects.update(last_used_on=None)
        client.get("/api/v1/me/")
        assert ApiToken.objects.get().last_used_on == timezone.localdate()

    def test_costs_one_query(self, ann, django_assert_num_queries):
        client = caller(ann)
        with django_assert_num_queries(2):  # the token, the player
            client.get("/api/v1/me/")


def test_who_calls_is_told(ann, visitor):
    nobody = {"account": None, "player": None, "roles": ["visitor"], "scopes": None}
    assert visitor.get("/api/v1/me/").json() == nobody
    visitor.force_login(ann)
    assert visitor.get("/api/v1/me/").json() == {
        "account": "ann",
        "player": {"id": ann.player.pk, "name": "Ann"},
        "roles": ["visitor", "member"],
        "scopes": None,
    }


@pytest.mark.django_db(transaction=True)
def test_tokens_of_before_end_with_the_migration(ann, visitor):
    try:
        call_command("migrate", "scoring", "0015_evening_closure", verbosity=0)
        old = MigrationExecutor(connection).loader.project_state().apps
        key = old.get_model("authtoken", "Token").objects.create(user_id=ann.pk, key="a" * 40).key
    finally:
        call_command("migrate", verbosity=0)
    visitor.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    refused = visitor.get("/api/v1/me/")
    assert refused.status_code == 401
    assert "get a new one" in refused.json()["detail"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM authtoken_token")
        assert cursor.fetchone() == (0,)
