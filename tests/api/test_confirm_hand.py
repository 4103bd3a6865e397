"""``hands/{id}/confirm/``, ``dispute/`` and ``settle/``."""

import hashlib
import json

import pytest

from scoring.models import IdempotencyKey
from scoring.services.pins import MOST_FAILURES, set_pin
from tests.api.callers import caller
from tests.factories import make_hand, make_member, make_player

pytestmark = pytest.mark.django_db

KEY = {"HTTP_IDEMPOTENCY_KEY": "2a6d0f5c-2b0b-4a9e-8d37-5a1f0f4f9b22"}


@pytest.fixture
def other(game):
    """The player of the second seat, signed in."""
    return caller(make_member(player=game.players[1]))


@pytest.fixture
def hand(game, scorer):
    return make_hand(game, winner=1, by=game.players[0].user)


def address(hand, call):
    return f"/api/v1/hands/{hand.pk}/{call}/"


def test_one_call_confirms_a_hand(other, game, hand):
    response = other.post(address(hand, "confirm"))
    answer = response.json()
    assert (response.status_code, answer["status"]) == (200, "live")
    assert answer["answers"]["asked"] == [player.pk for player in game.players[1:]]
    assert answer["answers"]["confirmed"] == [game.players[1].pk]
    assert not answer["answers"]["accepted"]


def test_one_call_disputes_a_hand(other, visitor, game, hand):
    answer = other.post(address(hand, "dispute"), {"reason": "It was a draw"}).json()
    assert (answer["status"], answer["answers"]["disputed"]) == ("disputed", [game.players[1].pk])
    there = visitor.get(f"/api/v1/games/{game.pk}/").json()
    assert [row["status"] for row in there["hands"]] == ["disputed"]
    assert [row["total"] for row in there["tally"]] == [0, 0, 0, 0]
    league = f"/api/v1/leagues/{game.league.slug}/standings/"
    assert visitor.get(league).json()["rows"] == []


def test_the_scorers_phone_is_passed_round_to_guests(scorer, game, hand):
    for player in game.players[1:]:
        answer = scorer.post(address(hand, "confirm"), {"player": player.pk}).json()
    assert answer["answers"]["accepted"]


class TestForSomebodyWithAnAccount:
    def test_no_other_account_answers(self, other, scorer, organiser, game, hand):
        for who in (scorer, organiser):
            for call in ("confirm", "dispute"):
                response = who.post(address(hand, call), {"player": game.players[1].pk})
                assert response.status_code == 403
                assert "has an account" in response.json()["detail"]
        assert not hand.events.exists()

    @pytest.mark.parametrize("call", ["confirm", "dispute"])
    def test_the_pin_of_somebody_with_an_account_confirms_a_hand(
        self, other, scorer, game, hand, call
    ):
        south = game.players[1]
        set_pin(south, "4711", by=south.user)
        response = scorer.post(address(hand, call), {"player": south.pk, "pin": "4711"})
        assert response.status_code == 200
        event = hand.events.get()
        assert (event.player, event.by) == (south, game.players[0].user)

    def test_a_wrong_pin_is_refused_and_counted(self, other, scorer, game, hand):
        south = game.players[1]
        set_pin(south, "4711", by=south.user)
        for _attempt in range(MOST_FAILURES):
            response = scorer.post(address(hand, "confirm"), {"player": south.pk, "pin": "1234"})
            assert response.status_code == 403
            assert "not the PIN" in response.json()["detail"]
        response = scorer.post(address(hand, "confirm"), {"player": south.pk, "pin": "4711"})
        assert (response.status_code, response.has_header("Retry-After")) == (429, True)
        assert not hand.events.exists()

    def test_no_trace_of_the_pin_is_kept(self, other, scorer, game, hand):
        south = game.players[1]
        set_pin(south, "4711", by=south.user)
        body = {"player": south.pk, "pin": "4711"}
        first = scorer.post(address(hand, "confirm"), body, **KEY)
        again = scorer.post(address(hand, "confirm"), body, **KEY)
        assert (first.json(), again["Idempotent-Replay"]) == (again.json(), "true")
        # The fingerprint is that of the body without the PIN: nobody can try PINs on it.
        wrong = scorer.post(address(hand, "confirm"), {**body, "pin": "1234"}, **KEY)
        assert wrong.status_code == 403
        key = IdempotencyKey.objects.get()
        call = f"POST {address(hand, 'confirm')}\n"
        kept = hashlib.sha256((call + json.dumps({"player": south.pk})).encode()).hexdigest()
        assert key.fingerprint == kept
        assert "4711" not in json.dumps(key.answer)

    @pytest.mark.parametrize("pin", [4711, None, [], "x" * 99])
    def test_a_pin_that_is_none_is_refused(self, other, scorer, game, hand, pin):
        response = scorer.post(address(hand, "confirm"), {"player": game.players[1].pk, "pin": pin})
        assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "pin")


class TestADispute:
    def test_the_history_tells_what_a_dispute_is_about(self, other, member, game, hand):
        body = {"about": "discarder", "reason": "It was West"}
        assert other.post(address(hand, "dispute"), body).status_code == 200
        [answer] = member.get(f"/api/v1/hands/{hand.pk}/history/").json()["said"]
        assert (answer["about"], answer["why"]) == ("discarder", "It was West")

    def test_a_dispute_about_something_else_names_the_field(self, other, hand):
        response = other.post(address(hand, "dispute"), {"about": "weather"})
        assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "about")


def test_what_an_organiser_settled_only_organisers_change(other, scorer, organiser, hand):
    other.post(address(hand, "dispute"))
    organiser.post(address(hand, "settle"), {"reason": "We counted again"})
    body = {"outcome": "draw", "reason": "Nobody won"}
    for call in ("correct", "void", "correct/preview", "void/preview"):
        sent = body if "correct" in call else {"reason": body["reason"]}
        response = scorer.post(address(hand, call), sent)
        assert response.status_code == 403
        assert "only organisers can change it" in response.json()["detail"]
    assert organiser.post(address(hand, "correct"), body).status_code == 200


def test_a_draw_is_not_corrected_into_a_self_drawn_one(organiser, hand):
    for field in ("self_drawn", "concealed"):
        body = {"outcome": "draw", "reason": "Nobody won", field: True}
        response = organiser.post(address(hand, "correct"), body)
        assert (response.status_code, response.json()["errors"][0]["field"]) == (400, field)


def test_an_organiser_settles_a_dispute(other, organiser, game, hand):
    other.post(address(hand, "dispute"))
    response = organiser.post(address(hand, "settle"), {"reason": "We counted again"})
    assert (response.status_code, response.json()["status"]) == (200, "live")


@pytest.mark.parametrize(
    ("call", "body", "status"),
    [
        ("confirm", {}, 403),
        ("dispute", {}, 403),
        ("settle", {"reason": "Mine"}, 403),
    ],
)
def test_the_scorer_of_a_hand_neither_confirms_disputes_nor_settles_it(
    scorer, hand, call, body, status
):
    assert scorer.post(address(hand, call), body).status_code == status


def test_no_answer_is_taken_for_a_player_of_another_table(scorer, hand):
    response = scorer.post(address(hand, "confirm"), {"player": make_player().pk})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "player")


def test_a_league_that_asks_nobody_refuses_disputes(game, other):
    game.league.hours_to_answer = None
    game.league.save()
    hand = make_hand(game, winner=1)
    response = other.post(address(hand, "dispute"))
    assert (response.status_code, response.json()["type"]) == (409, "/api/docs/#nobody-is-asked")


def test_the_same_key_disputes_a_hand_once(other, hand):
    first, second = (other.post(address(hand, "dispute"), **KEY) for _time in range(2))
    assert (first.json(), second["Idempotent-Replay"]) == (second.json(), "true")
    assert hand.events.count() == 1
