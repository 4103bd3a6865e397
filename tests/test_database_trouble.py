"""The database cannot answer: 503 and when to come back, in a page or a problem; nothing is stored."""

import re
import sqlite3
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client
from django.urls import reverse

from scoring.api.leagues.views import LeagueViewSet
from scoring.models import Game, Hand, RuleSet, RuleSetVersion, StoryChange, StorySum
from scoring.models.permissions import check_permission
from scoring.operations.database_trouble import is_database_trouble
from scoring.queries.story import player_story
from scoring.services import games, leagues, rulesets
from scoring.services.audit import log_audit
from scoring.story.evenings import VERSION
from scoring.story.store import sums_of
from scoring.web.dashboard import views as home
from tests.api.callers import caller
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db(transaction=True)

SQLITE = connection.vendor == "sqlite"


def say(*statements):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@contextmanager
def elsewhere():
    """Another connection to the same database."""
    other = connection.copy("elsewhere")
    try:
        yield other.cursor()
    finally:
        other.close()


@contextmanager
def held_lock():
    """Somebody else is writing to every game, and does not come to an end."""
    with elsewhere() as other:
        other.execute("BEGIN IMMEDIATE" if SQLITE else "BEGIN")
        other.execute("UPDATE scoring_game SET next_number = next_number")
        say("PRAGMA busy_timeout = 20" if SQLITE else "SET lock_timeout = 20")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@contextmanager
def full_disk():
    """Not one page more."""
    say("PRAGMA max_page_count = 1", "PRAGMA wal_checkpoint")
    for size in (400, 1):
        with pytest.raises(OperationalError, match="full"):
            fill(size)
    yield
    say("PRAGMA max_page_count = 1073741823")


def fill(size):
    row = f"(CURRENT_TIMESTAMP, 'fill', 'test', 1, '\"{'x' * size}\"')"
    columns = "(at, action, subject, subject_id, details)"
    for _row in range(2000):
        say(f"INSERT INTO scoring_auditentry {columns} VALUES {row}")


@contextmanager
def read_only():
    if SQLITE:
        say("PRAGMA query_only = ON")
    else:
        say("SET default_transaction_read_only = on")
    yield


@contextmanager
def restarted():
    """The server ends every connection, and takes new ones."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (mine,) = cursor.fetchone()
    with elsewhere() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [mine])
        yield


TROUBLES = [
    held_lock,
    read_only,
    pytest.param(full_disk, marks=pytest.mark.sqlite),
    pytest.param(restarted, marks=pytest.mark.postgresql),
]


@pytest.fixture
def member(game):
    return make_member(player=game.players[0])


@pytest.fixture(autouse=True)
def _a_new_connection_afterwards():
    yield
    connection.close()


@pytest.fixture
def connected(monkeypatch):
    """The request keeps the connection of the test, with what was said on it."""
    monkeypatch.setattr("django.db.close_old_connections", lambda **_kwargs: None)
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    monkeypatch.setattr(connection, "close_if_health_check_failed", lambda: None)


@pytest.mark.parametrize("trouble", TROUBLES)
class TestTrouble:
    @pytest.fixture(autouse=True)
    def _connected(self, connected):
        pass

    def test_trouble_with_the_database_in_the_api_is_a_problem_with_a_time_to_come_back(
        self, trouble, game, member
    ):
        api = caller(member)
        api.raise_request_exception = False
        body = {"number": 1, "outcome": "win", "winner": game.players[1].pk, "tiles": BOOK_HAND}
        address = f"/api/v1/games/{game.pk}/hands/"
        with trouble():
            answer = api.post(address, body, HTTP_IDEMPOTENCY_KEY="a key")
        assert answer.status_code == 503
        assert int(answer["Retry-After"]) > 0
        assert answer["Content-Type"] == "application/problem+json"
        problem = answer.json()
        assert problem["status"] == 503
        assert problem["request_id"] == answer["X-Request-ID"]
        assert "may not be saved" in problem["detail"]
        connection.close()
        assert not Hand.objects.exists()
        assert api.post(address, body, HTTP_IDEMPOTENCY_KEY="a key").status_code == 201

    def test_trouble_with_the_database_on_a_page_says_that_the_phone_keeps_the_hand(
        self, trouble, game, member
    ):
        phone = Client(raise_request_exception=False)
        phone.force_login(member)
        sent = {"number": 1, "key": "a key", "winner": "draw"}
        with trouble():
            answer = phone.post(f"/games/{game.pk}/hands/", sent)
        assert answer.status_code == 503
        assert int(answer["Retry-After"]) > 0
        assert "kept on this phone" in answer.content.decode()
        assert answer["X-Request-ID"] in answer.content.decode()
        connection.close()
        assert not Hand.objects.exists()


@pytest.fixture
def played(game):
    """Evenings in two leagues: one that is worked out, one of a month before that is not, and a later hand."""
    by = make_organiser()
    other = make_game(league=make_league("Winter"), players=game.players, by=by)
    for one in (game, other):
        make_hand(one, winner=1, by=by)
    earlier = make_game(league=game.league, players=game.players, by=by)
    Game.objects.filter(pk=earlier.pk).update(evening=game.evening - timedelta(days=40))
    sums_of([game.league, other.league])
    make_hand(earlier, winner=2, by=by)
    make_hand(game, winner=3, by=by)
    return game


def story_of(game):
    """What pages and API tell visitors of the league of ``game`` and of a player."""
    league, player = game.league, game.players[1]
    named = ("league_hall", "awards", "head_to_head", "league_statistics")
    pages = [reverse(name, args=[league.slug]) for name in named]
    pages += [f"/players/{player.pk}/{part}" for part in ("", "story/", "against/")]
    asked = [
        f"leagues/{league.slug}/{part}/" for part in ("awards", "head-to-head", "hall-of-fame")
    ]
    asked += [f"players/{player.pk}/against/"]
    answers = [Client(raise_request_exception=False).get(page) for page in pages]
    answers += [caller().get(f"/api/v1/{path}") for path in asked]
    assert {answer.status_code for answer in answers} == {200}
    return [main_of(answer) for answer in answers], player_story(player, AnonymousUser())


def main_of(answer):
    """What a page says between its head and its foot, or the whole answer of the API."""
    page = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)
    return page[0] if page else answer.json()


@pytest.mark.parametrize("trouble", [read_only, pytest.param(full_disk, marks=pytest.mark.sqlite)])
@pytest.mark.parametrize("version", [VERSION, VERSION - 1])
def test_the_story_is_read_where_nothing_can_be_written(connected, played, trouble, version):
    StorySum.objects.update(version=version)
    with trouble():
        read = story_of(played)
    connection.close()
    assert StoryChange.objects.exists()
    assert read == story_of(played)
    assert not StoryChange.objects.exists()


@pytest.mark.sqlite
@pytest.mark.parametrize("path", ["/", "/players/me/", "/api/v1/leagues/"])
def test_a_file_that_was_moved_away_is_trouble(client, member, tmp_path, monkeypatch, path):
    """SQLite makes an empty one in its place, where nothing is found."""
    client.force_login(member)
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "moved.sqlite3"))
    client.raise_request_exception = False
    answer = client.get(path)
    connection.close()
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


@pytest.mark.sqlite
@pytest.mark.parametrize("path", ["/", "/players/me/", "/api/v1/leagues/"])
@pytest.mark.parametrize("damage", [b"no database " * 99, b"SQLite format 3\0" + b"\7" * 4080])
def test_a_damaged_file_is_trouble_and_the_log_says_so(
    client, member, tmp_path, monkeypatch, caplog, path, damage
):
    client.force_login(member)
    connection.close()
    file = tmp_path / "damaged.sqlite3"
    file.write_bytes(damage)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    client.raise_request_exception = False
    answer = client.get(path)
    connection.close()
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "The database file is damaged: restore a backup" in caplog.text


def test_a_page_that_cannot_be_read_leads_to_itself(client, monkeypatch):
    def away(_user):
        raise OperationalError("gone")

    monkeypatch.setattr(home, "dashboard", away)
    client.raise_request_exception = False
    answer = client.get("/?of=<today>")
    assert answer.status_code == 503
    assert 'href="/?of=%3Ctoday%3E"' in answer.content.decode()
    assert answer["Refresh"] == "20"  # a page that comes sends what waits on the phone


@pytest.mark.postgresql
@pytest.mark.parametrize("path", ["/", "/api/v1/leagues/"])
def test_a_query_that_takes_too_long_is_told_to_the_log_with_its_view(
    client, connected, monkeypatch, caplog, path
):
    def slow(*_args, **_named):
        say("SET statement_timeout = 20", "SELECT pg_sleep(60)")

    monkeypatch.setattr(home, "dashboard", slow)
    monkeypatch.setattr(LeagueViewSet, "list", slow)
    client.raise_request_exception = False
    assert client.get(path).status_code == 503
    [line] = [one for one in caplog.records if "stopped at the time limit" in one.message]
    assert line.fields["view"] == {"/": "home"}.get(path, "api_league-list")


def caused(error, cause, **fields):
    for name, value in fields.items():
        setattr(cause, name, value)
    error.__cause__ = cause
    return error


def postgresql_says(state, words=""):
    return caused(OperationalError(words), Exception(words), sqlstate=state)


class TestWhatIsTrouble:
    def test_no_answer_of_the_database_is_trouble(self):
        assert is_database_trouble(OperationalError("no route"))

    def test_a_connection_that_is_closed_is_and_another_use_of_one_is_not(self):
        connection.ensure_connection()
        assert not is_database_trouble(InterfaceError("the cursor is closed"))
        connection.close()
        assert is_database_trouble(InterfaceError("connection already closed"))

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        ("state", "words", "passes"),
        [
            ("55P03", "could not obtain lock", True),
            ("55006", "database is being accessed by other users", True),
            ("55000", "database “club” is not currently accepting connections", True),
            ("55000", "currval of sequence is not yet defined in this session", False),
            ("57014", "canceling statement due to statement timeout", True),
            ("53100", "disk full", True),
            ("42501", "permission denied for table scoring_hand", True),
            ("42P01", "relation does not exist", False),
            ("XX000", "cache lookup failed", False),
            ("XX001", "invalid page in block 0", False),
        ],
    )
    def test_an_error_of_postgresql_that_passes_is_trouble(self, state, words, passes):
        assert is_database_trouble(postgresql_says(state, words)) is passes

    @pytest.mark.parametrize(
        ("code", "passes"),
        [
            (sqlite3.SQLITE_BUSY, True),
            (sqlite3.SQLITE_CORRUPT, True),
            (sqlite3.SQLITE_CORRUPT | 1 << 8, True),
            (sqlite3.SQLITE_NOTADB, True),
            (sqlite3.SQLITE_MISMATCH, False),
        ],
    )
    def test_an_error_of_sqlite_that_passes_is_trouble(self, code, passes):
        error = caused(OperationalError(), sqlite3.OperationalError(), sqlite_errorcode=code)
        assert is_database_trouble(error) is passes

    @pytest.mark.parametrize("error", [ProgrammingError("x"), ValueError("locked"), None])
    def test_an_error_of_another_kind_is_no_trouble_with_the_database(self, error):
        assert not is_database_trouble(error)

    @pytest.mark.parametrize("query", ["SELECT nothing FROM nowhere", "SELEKT 1"])
    def test_a_question_that_makes_no_sense_is_not(self, query):
        with pytest.raises((OperationalError, ProgrammingError)) as raised:
            say(query)
        assert not is_database_trouble(raised.value)


class TestWhatIsGone:
    """An account goes while a request of its own names it: nothing is stored, and a sentence says so."""

    @pytest.fixture(autouse=True)
    def _leaves_meanwhile(self, monkeypatch):
        def log_and_leave(action, subject, *, by, **details):
            log_audit(action, subject, by=by, **details)
            # Not by Django, which would delete what names it as well.
            say(f"DELETE FROM auth_user WHERE id = {by.pk}")

        monkeypatch.setattr(games, "log_audit", log_and_leave)

    @pytest.mark.parametrize("path", ["/api/v1/games/", "/games/new/"])
    def test_what_is_gone_is_refused_in_a_sentence(self, path, client):
        account, league = make_member(), make_league()
        client.force_login(account)
        client.raise_request_exception = False
        players = [make_player().pk for _seat in range(4)]
        if path.startswith("/api/"):
            sent = {"league": league.slug, "players": players}
            answer = client.post(path, sent, content_type="application/json")
        else:
            seats = dict(zip(("east", "south", "west", "north"), players, strict=True))
            answer = client.post(path, {"league": league.pk, **seats})
        assert answer.status_code == 409
        assert "Nothing" in answer.content.decode()
        assert not Game.objects.exists()
        assert type(account).objects.filter(pk=account.pk).exists()


class TestALeagueOrRulesThatAreGone:
    """Somebody deletes them after the page has found them, and before the service locks them."""

    @pytest.fixture
    def gone(self, monkeypatch):
        """``gone(service, *rows)``: they go when the service asks who may do this."""

        def let_go(service, *rows):
            def delete_and_check(*asked):
                for row in rows:
                    type(row).objects.filter(pk=row.pk).delete()
                return check_permission(*asked)

            monkeypatch.setattr(service, "check_permission", delete_and_check)

        return let_go

    @pytest.fixture
    def browser(self, client):
        client.force_login(make_organiser())
        client.raise_request_exception = False
        return client

    @pytest.mark.parametrize("by", ["page", "program"])
    def test_a_league_that_is_deleted_meanwhile_is_refused_in_a_sentence(self, browser, gone, by):
        league = make_league()
        gone(leagues, league)
        if by == "page":
            answer = browser.post(f"/leagues/{league.slug}/delete/", {"sure": "on"})
        else:
            name = {"name": "Another"}
            call = f"/api/v1/leagues/{league.slug}/"
            answer = browser.patch(call, name, content_type="application/json")
        assert answer.status_code == 409
        assert "removed" in answer.content.decode()

    def test_no_game_is_opened_in_a_league_that_is_deleted_meanwhile(self, browser, gone):
        league = make_league()
        gone(games, league)
        sent = {"league": league.slug, "players": [make_player().pk for _seat in range(4)]}
        answer = browser.post("/api/v1/games/", sent, content_type="application/json")
        assert answer.status_code == 409
        assert not Game.objects.exists()

    def test_rules_that_are_deleted_meanwhile_are_refused_in_a_sentence(self, browser, gone):
        rules = RuleSet.objects.create(slug="ours", name="Ours")
        gone(rulesets, RuleSetVersion.objects.create(ruleset=rules, number=1), rules)
        answer = browser.post("/rules/ours/change/", {"name": "Theirs", "description": ""})
        assert answer.status_code == 409
        assert "rules that somebody else has just removed" in answer.content.decode()
