"""Tokens of an account: what each is for, when it ends, and who may make which."""

from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest
from django.utils import timezone

from scoring.models import ApiToken, AuditEntry
from scoring.models.permissions import (
    NO_TOKEN,
    SCOPE_OF,
    Permission,
    PermissionDenied,
    Scope,
    can,
    check_permission,
    limit_to,
)
from scoring.services.games import finish_game
from scoring.services.hands.entry import HandEntry
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.leaving import leave_club
from scoring.services.seats import change_seats
from tests.api.callers import caller
from tests.factories import (
    make_game,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_token,
)

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

URL = "/api/v1/tokens/"
PASSWORD = "three green dragons"
READ, LOG, ORGANISE = Scope.READ, Scope.LOG, Scope.ORGANISE
OWN = {
    Permission.SET_A_PIN,
    Permission.HEAR_OF_THINGS,
    Permission.CHANGE_OWN_ACCOUNT,
    Permission.LEAVE,
    Permission.TAKE_OVER_A_GUEST,
}
OWNERS = {
    Permission.MAKE_ANONYMOUS,
    Permission.TAKE_ROLES,
    Permission.MAKE_OWNERS,
    Permission.CHANGE_THE_CLUB,
    Permission.READ_THE_TRAIL,
}
DRAW = {"number": 1, "outcome": "draw"}


@pytest.fixture
def ann():
    return make_member("ann", password=PASSWORD, player=make_player("Ann"))


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
        assert refused.json()["type"] == "/api/docs/#scope"
        assert not table.hands.exists()

    def test_a_token_for_logging_logs(self, ann, table):
        assert log(caller(ann, READ, LOG), table).status_code == 201

    def test_a_token_that_does_not_read_sees_what_visitors_see(self, ann, table):
        table.league.visibility = "members"
        table.league.save()
        assert caller(ann, LOG).get(f"/api/v1/games/{table.pk}/").status_code == 404
        assert caller(ann, READ).get(f"/api/v1/games/{table.pk}/").status_code == 200

    def test_a_token_for_logging_names_the_players_of_a_game_that_it_opens(self, ann):
        others = [make_player() for _seat in range(3)]
        league = make_league(visibility="public")
        client = caller(ann, LOG)
        assert client.get("/api/v1/players/").json()["count"] == 4
        ids = [player.pk for player in (ann.player, *others)]
        opened = client.post("/api/v1/games/", {"league": league.slug, "players": ids})
        assert opened.status_code == 201, opened.json()

    def test_a_token_for_organising_alone_sees_no_more_people_than_visitors(self):
        make_player()
        assert caller(make_organiser(), ORGANISE).get("/api/v1/players/").json()["count"] == 0

    def test_an_organiser_with_a_token_for_logging_is_a_member_to_the_site(self, table):
        client = caller(make_organiser(), READ, LOG)
        refused = client.post("/api/v1/players/", {"name": "Zoe"})
        assert refused.status_code == 403
        assert refused.json()["detail"].startswith("This token is not for that")
        # Nor does it log at a table where its member does not sit.
        assert log(client, table).status_code == 403
        assert client.get("/api/v1/me/").json()["roles"] == ["visitor", "member"]

    def test_no_token_is_for_the_account_itself(self, ann):
        limit_to(ann, frozenset(Scope))
        for permission in OWN:
            assert not can(ann, permission)
            with pytest.raises(PermissionDenied, match="No token is for that"):
                check_permission(ann, permission)
        with pytest.raises(PermissionDenied):
            leave_club(anonymous=True, by=ann)
        assert can(type(ann).objects.get(pk=ann.pk), Permission.LEAVE)

    def test_each_permission_is_for_a_scope_or_is_ones_own_or_an_owners(self):
        no_token = {one for one, scopes in SCOPE_OF.items() if scopes == NO_TOKEN}
        assert no_token == OWN | OWNERS
        assert set(SCOPE_OF) == set(Permission)

    def test_an_organiser_organises_with_a_token_that_is_for_it(self):
        client = caller(make_organiser(), READ, ORGANISE)
        assert client.post("/api/v1/players/", {"name": "Zoe"}).status_code == 201

    def test_who_was_replaced_asks_for_no_late_hand_with_a_token_for_reading(self, ann, table):
        others = [player for player in table.players if player != ann.player]
        change_seats(table, [make_player(), *others], by=make_organiser(), reason="She left.")
        finish_game(table, by=make_organiser())
        entry = HandEntry(number=1, outcome="draw")
        limit_to(ann, frozenset({READ}))
        with pytest.raises(PermissionDenied, match="This token is not for that"):
            ask_for_late_hand(table, entry, by=ann, key="late")
        limit_to(ann, frozenset({LOG}))
        ask_for_late_hand(table, entry, by=ann, key="late")
        assert table.late_hands.get().by == ann


class TestTheEnd:
    def test_a_token_ends_by_its_date(self, ann):
        client = caller(ann)
        ApiToken.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
        assert client.get("/api/v1/me/").status_code == 401

    def test_a_token_ends_with_another_password(self, ann):
        client = caller(ann)
        ann.set_password("four winds and a wall")
        ann.save()
        refused = client.get("/api/v1/me/")
        assert refused.status_code == 401
        assert "ended when the password changed" in refused.json()["detail"]

    def test_a_token_does_not_end_with_a_newer_digest_of_the_same_password(self, ann, settings):
        client = caller(ann)
        settings.PASSWORD_HASHERS = [
            "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher",
            *settings.PASSWORD_HASHERS,
        ]
        before = ann.password
        assert authenticate(HttpRequest(), username="ann", password=PASSWORD) == ann
        ann.refresh_from_db()
        assert ann.password != before
        assert client.get("/api/v1/me/").status_code == 200

    def test_a_token_ends_when_its_member_ends_it(self, ann):
        text = make_token(ann)
        other = caller(ann)
        token = ApiToken.objects.earliest("pk")
        assert other.delete(f"{URL}{token.pk}/").status_code == 204
        other.credentials(HTTP_AUTHORIZATION=f"Token {text}")
        assert other.get("/api/v1/me/").status_code == 401
        assert AuditEntry.objects.filter(action="end_token", subject_id=token.pk).exists()

    def test_a_token_is_not_ended_by_a_token_that_may_do_less(self, ann):
        make_token(ann, READ, LOG)
        token = ApiToken.objects.get()
        assert caller(ann, READ).delete(f"{URL}{token.pk}/").status_code == 403
        assert caller(ann, READ, LOG).delete(f"{URL}{token.pk}/").status_code == 204

    def test_a_token_is_not_ended_by_others(self, ann):
        make_token(ann)
        client = caller(make_organiser())
        assert client.delete(f"{URL}{ApiToken.objects.earliest('pk').pk}/").status_code == 404
        assert ApiToken.objects.filter(user=ann).exists()


class TestMaking:
    def test_making_a_token_tells_its_text_once(self, ann):
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
            ({"name": "Board", "scopes": ["read"], "password": "wrong"}, "password"),
        ],
    )
    def test_making_a_wrong_token_is_refused_at_the_field(self, ann, visitor, body, field):
        visitor.force_login(ann)
        refused = visitor.post(URL, {"password": PASSWORD, **body})
        assert refused.status_code == 400
        assert [error["field"] for error in refused.json()["errors"]] == [field]
        assert not ApiToken.objects.exists()

    def test_a_session_needs_the_password_again_to_make_a_token(self, ann, visitor):
        visitor.force_login(ann)
        body = {"name": "Board", "scopes": ["read"]}
        refused = visitor.post(URL, body)
        assert refused.status_code == 400
        assert [error["field"] for error in refused.json()["errors"]] == ["password"]
        assert visitor.post(URL, {**body, "password": PASSWORD}).status_code == 201

    def test_a_token_makes_none_that_ends_later(self, ann):
        client = caller(ann)
        end = timezone.now() + timedelta(days=3)
        ApiToken.objects.update(ends_at=end)
        assert client.post(URL, {"name": "Board", "scopes": ["read"]}).status_code == 201
        assert {token.ends_at for token in ApiToken.objects.all()} == {end}

    def test_a_token_makes_none_that_may_do_more(self, ann):
        body = {"name": "Board", "scopes": ["read", "log"]}
        assert caller(ann, READ).post(URL, body).status_code == 403
        assert caller(ann, READ, LOG).post(URL, body).status_code == 201

    def test_making_tokens_ends_at_fifty(self, ann, monkeypatch):
        monkeypatch.setattr("scoring.services.tokens.MOST_TOKENS", 2)
        client = caller(ann)
        body = {"name": "Board", "scopes": ["read"]}
        assert [client.post(URL, body).status_code for _time in range(2)] == [201, 400]

    def test_ended_tokens_make_room(self, ann, monkeypatch):
        monkeypatch.setattr("scoring.services.tokens.MOST_TOKENS", 3)
        make_token(ann)
        ApiToken.objects.update(ends_at=timezone.now())
        make_token(ann)
        ApiToken.objects.filter(ends_at__gt=timezone.now()).update(password_changed=True)
        body = {"name": "Board", "scopes": ["read"]}
        assert caller(ann).post(URL, body).status_code == 201
        assert [token.name for token in ApiToken.objects.all()] == ["Board", "A program"]

    def test_signing_in_again_and_again_ends_the_one_not_used_for_longest(
        self, ann, visitor, monkeypatch
    ):
        monkeypatch.setattr("scoring.services.tokens.MOST_TOKENS", 3)
        sign_in = {"username": "ann", "password": PASSWORD}
        first, _second, third = (
            visitor.post("/api/v1/token/", sign_in).json()["id"] for _time in range(3)
        )
        ApiToken.objects.filter(pk=first).update(last_used_on=timezone.localdate() + timedelta(1))
        fourth = visitor.post("/api/v1/token/", sign_in).json()["id"]
        assert set(ApiToken.objects.values_list("pk", flat=True)) == {first, third, fourth}


class TestUse:
    def test_the_use_of_a_token_is_noted_by_the_day(self, ann):
        client = caller(ann)
        ApiToken.objects.update(last_used_on=None)
        client.get("/api/v1/me/")
        assert ApiToken.objects.get().last_used_on == timezone.localdate()

    def test_the_use_of_a_token_costs_one_query(self, ann, django_assert_num_queries):
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


@pytest.mark.thorough
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
