"""The log: JSON lines with the number of the request, and nothing that people entered."""

import json
import logging
import re

import pytest
from django.db import connection
from django.test import Client

from mahjong_site.logs import JsonLines
from mahjong_site.request_ids import current
from scoring.models import League
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

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

READABLE = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}")


class Listener(logging.Handler):
    """Keeps what the console would have shown."""

    def __init__(self):
        super().__init__()
        self.setFormatter(JsonLines())
        self.text = []

    def emit(self, record):
        self.text.append(self.format(record))

    @property
    def lines(self):
        return [json.loads(line) for line in self.text]


@pytest.fixture
def log():
    listener = Listener()
    logging.getLogger().addHandler(listener)
    yield listener
    logging.getLogger().removeHandler(listener)


class TestTheNumberOfARequest:
    def test_the_number_of_a_request_is_on_the_answer_and_in_the_log(self, client, log):
        number = client.get("/")["X-Request-ID"]
        assert READABLE.fullmatch(number)
        assert [line["request_id"] for line in log.lines] == [number]

    def test_each_request_has_a_number_of_its_own(self, client):
        assert client.get("/")["X-Request-ID"] != client.get("/")["X-Request-ID"]

    @pytest.mark.parametrize("given", ["a1b2c3d4", "0af7651916cd43dd8448eb211c80319c", "A.b_c-42"])
    def test_the_number_of_a_request_is_that_of_the_proxy_where_it_gives_one(self, client, given):
        assert client.get("/", headers={"X-Request-ID": given})["X-Request-ID"] == given

    @pytest.mark.parametrize(
        "given", ["short", "x" * 65, "<script>alert(1)", "a b c d e f", "é" * 9]
    )
    def test_the_number_of_a_request_is_not_taken_where_it_makes_no_sense(self, client, given):
        answered = client.get("/", headers={"X-Request-ID": given})["X-Request-ID"]
        assert READABLE.fullmatch(answered)

    def test_the_number_of_a_request_ends_with_the_request(self, client):
        client.get("/")
        assert current.get() == ""


class TestARequest:
    def test_a_request_is_one_line_of_the_log(self, client, log):
        user = make_member()
        client.force_login(user)
        game = make_game()
        client.get(f"/games/{game.pk}/")
        [line] = log.lines
        assert line.pop("milliseconds") > 0
        assert line.pop("time")
        assert line == {
            "level": "INFO",
            "logger": "mahjong_site.request_log",
            "message": "request",
            "request_id": line["request_id"],
            "method": "GET",
            "route": "games/<int:pk>/",
            "pk": game.pk,
            "status": 200,
            "user": user.pk,
        }

    def test_a_request_by_a_token_says_who_it_was(self, log):
        user = make_member()
        caller(user).get("/api/v1/games/")
        assert log.lines[-1]["user"] == user.pk

    def test_the_log_line_of_a_request_costs_no_query(self, client, django_assert_num_queries):
        client.force_login(make_member())
        with django_assert_num_queries(0):
            answer = client.get("/api/", headers={"Sec-Fetch-Mode": "cors"})
            assert answer.status_code == 302

    def test_a_request_for_health_or_a_static_file_is_no_line_of_the_log(self, client, log):
        client.get("/healthz")
        client.get("/static/scoring/favicon.svg")
        assert log.lines == []

    def test_a_request_that_leads_nowhere_does_not_quote_the_address(self, client, log):
        client.get("/Wilhelmina/222B/")
        assert log.lines[-1]["route"] is None
        assert log.lines[-1]["status"] == 404
        assert "Wilhelmina" not in str(log.text)


@pytest.fixture
def broken(monkeypatch):
    """A home page that fails with words that no log should repeat."""

    def fail(user):
        try:
            raise KeyError("Wilhelmina")
        except KeyError as error:
            raise ValueError("222B of Wilhelmina") from error

    monkeypatch.setattr(home, "dashboard", fail)


class TestABug:
    def test_a_bug_shows_its_number(self, broken):
        response = Client(raise_request_exception=False).get("/")
        assert response.status_code == 500
        assert f"<code>{response['X-Request-ID']}</code>" in response.content.decode()

    def test_a_bug_is_logged_by_kind_and_place_without_its_words(self, broken, log):
        number = Client(raise_request_exception=False).get("/")["X-Request-ID"]
        line = next(line for line in log.lines if "error" in line)
        assert line["request_id"] == number
        assert line["error"]["kind"] == "builtins.ValueError"
        assert line["error"]["because_of"]["kind"] == "builtins.KeyError"
        assert re.search(r"tests/test_logs.py:\d+ fail$", line["error"]["at"][-1])
        assert "Wilhelmina" not in str(log.text)
        assert "222B" not in str(log.text)

    @pytest.mark.each_database
    def test_a_bug_of_the_database_keeps_the_row_to_itself(self, client, monkeypatch, log):
        def twice(user):
            make_player("Wilhelmina")
            make_player("wilhelmina")

        monkeypatch.setattr(home, "dashboard", twice)
        client.raise_request_exception = False
        client.get("/")
        connection.set_rollback(False)
        assert "IntegrityError" in str(log.text)
        assert "ilhelmina" not in str(log.text)

    def test_a_bug_that_causes_itself_is_logged_a_few_times(self, log):
        error = ValueError()
        error.__cause__ = error
        logging.getLogger("scoring").error("A loop", exc_info=error)
        assert log.text[-1].count("because_of") == 5


def test_no_names_and_no_tiles_of_a_members_league(client, log):
    """Whatever people do at a table that the public may not see."""
    players = [make_player(f"Wilhelmina {place}") for place in range(4)]
    hidden = make_league("Wilhelmina's", visibility=League.Visibility.MEMBERS)
    game = make_game(league=hidden, players=players)
    hand = make_hand(game, winner=1)
    client.force_login(make_organiser("wilhelmina", player=players[0]))
    entry = {"number": 2, "key": "k", "winner": players[1].pk, "discarder": "self"}
    table = f"/games/{game.pk}/"
    for address in (
        table,
        f"{table}live/",
        f"/hands/{hand.pk}/",
        "/players/?q=Wilhelmina",
        "/players/me/",
    ):
        client.get(address)
    client.get("/calculator/", {"tiles": BOOK_HAND, "seat": "S", "prevailing": "E"})
    for tiles in ("222B 345B", "nonsense", BOOK_HAND):
        client.post(f"{table}preview/", {**entry, "tiles": tiles})
        client.post(f"{table}hands/", {**entry, "tiles": tiles})
    client.post("/sign-in/", {"username": "wilhelmina", "password": "guess"})
    api = caller(make_organiser())
    api.post(f"/api/v1/games/{game.pk}/hands/", {"number": 3, "outcome": "win", "tiles": BOOK_HAND})
    api.post("/api/v1/players/", {"name": "Wilhelmina 1"})
    client.get("/", headers={"Host": "wilhelmina.example"})
    output = str(log.text).lower()
    assert len(log.lines) > 15
    assert "wilhelmina" not in output
    assert "222b" not in output


@pytest.mark.parametrize("page", ["/", "/api/v1/games/"])
def test_a_request_for_another_site_is_refused_in_words(client, page):
    response = client.get(page, headers={"Host": "elsewhere.example"})
    assert response.status_code == 400
    assert "ALLOWED_HOSTS" in response.content.decode()


class TestABodyThatIsTooLarge:
    @pytest.fixture(autouse=True)
    def _small(self, settings):
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000

    def test_a_body_that_is_too_large_is_refused_with_a_page(self, client):
        response = client.post("/sign-in/", {"username": "x" * 2000})
        assert response.status_code == 413
        page = response.content.decode()
        assert "That is too much" in page
        assert "Sign in" not in page, "nobody has asked who sends it"

    def test_a_body_that_is_too_large_is_refused_with_a_problem(self):
        response = caller(make_member()).post("/api/v1/games/", {"league": "x" * 2000})
        assert response.status_code == 413
        assert response["Content-Type"] == "application/problem+json"

    def test_a_file_that_is_too_large_is_refused(self, client, tmp_path):
        (tmp_path / "file").write_bytes(b"x" * 2000)
        with (tmp_path / "file").open("rb") as file:
            assert client.post("/sign-in/", {"file": file}).status_code == 413
