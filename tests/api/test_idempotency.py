"""A writing call that is sent twice is carried out once, and answered alike."""

import pytest

from scoring.models import Game, Hand, IdempotencyKey, Player
from tests.api.callers import caller
from tests.factories import BOOK_HAND, make_league, make_member, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

KEY = {"HTTP_IDEMPOTENCY_KEY": "5d1f6c0e-7a52-4c0f-9c1c-0f2f6f6a7f11"}


def new_game():
    league, players = make_league(), [make_player() for _seat in range(4)]
    return "/api/v1/games/", {"league": league.slug, "players": [one.pk for one in players]}


def hand_of(game):
    body = {"number": 1, "outcome": "win", "winner": game.players[1].pk, "tiles": BOOK_HAND}
    return f"/api/v1/games/{game.pk}/hands/", body


@pytest.fixture
def calls(game):
    """Every writing call: method, address, body, first status, and what it makes."""
    ann = make_player("Ann")
    return {
        "open a game": ("post", *new_game(), 201, Game),
        "log a hand": ("post", *hand_of(game), 201, Hand),
        "finish a game": ("post", f"/api/v1/games/{game.pk}/finish/", {}, 200, Game),
        "add a player": ("post", "/api/v1/players/", {"name": "Zoe"}, 201, Player),
        "change a player": ("patch", f"/api/v1/players/{ann.pk}/", {"name": "Anna"}, 200, Player),
    }


@pytest.mark.parametrize(
    "name",
    ["open a game", "log a hand", "finish a game", "add a player", "change a player"],
)
class TestTheSameKeyAgain:
    def test_the_same_key_with_the_same_body_repeats_the_answer(self, organiser, calls, name):
        method, address, body, status, model = calls[name]
        send = getattr(organiser, method)
        first = send(address, body, **KEY)
        there = model.objects.count()
        second = send(address, body, **KEY)
        assert (first.status_code, second.status_code) == (status, 200)
        assert second.json() == first.json()
        assert "Idempotent-Replay" not in first
        assert second["Idempotent-Replay"] == "true"
        assert model.objects.count() == there

    def test_the_same_key_again_with_another_body_is_refused(self, organiser, calls, name):
        method, address, body, _status, model = calls[name]
        send = getattr(organiser, method)
        send(address, body, **KEY)
        there = model.objects.count()
        response = send(address, body | {"note": "another"}, **KEY)
        assert response.status_code == 422
        assert response["Content-Type"] == "application/problem+json"
        assert response.json()["type"] == "/api/docs/#key-reused"
        assert model.objects.count() == there


def test_a_body_is_the_same_whatever_its_spaces_and_order(organiser, game):
    address, body = hand_of(game)
    organiser.post(address, body, **KEY)
    spaced = (
        f'{{"tiles":  "{BOOK_HAND}", "winner": {body["winner"]},\n "outcome":"win", "number": 1}}'
    )
    again = organiser.post(address, spaced, content_type="application/json", **KEY)
    assert (again.status_code, again["Idempotent-Replay"]) == (200, "true")


def test_a_replay_outlives_what_has_happened_since(organiser, game):
    address, body = hand_of(game)
    first = organiser.post(address, body, **KEY).json()
    organiser.post(address, {"number": 2, "outcome": "draw"})
    organiser.post(f"/api/v1/games/{game.pk}/finish/")
    assert organiser.post(address, body, **KEY).json() == first


def test_a_refused_call_may_be_sent_again_corrected(organiser, game):
    address, body = hand_of(game)
    assert organiser.post(address, body | {"tiles": "222B"}, **KEY).status_code == 400
    assert not IdempotencyKey.objects.exists()
    assert organiser.post(address, body, **KEY).status_code == 201


def test_the_key_of_another_is_another_key(game):
    players = [make_player() for _seat in range(4)]
    body = {"league": game.league.slug, "players": [one.pk for one in players], "anyway": True}
    for user in (make_member(), make_organiser()):
        assert caller(user).post("/api/v1/games/", body, **KEY).status_code == 201


def test_two_scorers_of_a_table_may_use_the_same_key(game):
    for number in (1, 2):
        scorer = caller(make_member(player=game.players[number]))
        address, body = hand_of(game)
        assert scorer.post(address, body | {"number": number}, **KEY).status_code == 201
    assert [hand.entry_key for hand in game.hands.all()] == 2 * [KEY["HTTP_IDEMPOTENCY_KEY"]]


@pytest.mark.parametrize("call", ["log", "correct"])
def test_a_key_that_was_forgotten_is_still_that_of_its_hand(organiser, game, call):
    address, body = hand_of(game)
    hand = organiser.post(address, body, **KEY).json()["id"]
    IdempotencyKey.objects.all().delete()
    other = {**body, "number": 2} if call == "log" else {"claimed_final": 50, "reason": "A slip"}
    address = address if call == "log" else f"/api/v1/hands/{hand}/correct/"
    response = organiser.post(address, other, **KEY)
    assert response.status_code == 422
    assert response.json()["type"].endswith("#key-reused")
    assert Hand.objects.count() == 1


def test_a_hand_that_is_sent_twice_without_a_key_is_a_conflict(organiser, game):
    address, body = hand_of(game)
    assert organiser.post(address, body).status_code == 201
    assert organiser.post(address, body).status_code == 409


def test_the_key_is_kept_with_the_hand(organiser, game):
    address, body = hand_of(game)
    organiser.post(address, body, **KEY)
    assert Hand.objects.get().entry_key == KEY["HTTP_IDEMPOTENCY_KEY"]


@pytest.mark.parametrize("key", ["k" * 201, "käse", "a\tb"])
def test_a_key_that_cannot_be_kept_is_refused(organiser, game, key):
    address, body = hand_of(game)
    response = organiser.post(address, body, HTTP_IDEMPOTENCY_KEY=key)
    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == ["Idempotency-Key"]
    assert not Hand.objects.exists()


def test_a_key_that_the_server_could_not_read_is_refused(organiser):
    """Servers hand on a header with other letters empty: who sends it counts on being answered twice alike."""
    address, body = new_game()
    response = organiser.post(address, body, HTTP_IDEMPOTENCY_KEY="")
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "Idempotency-Key"
    assert not Game.objects.exists()
