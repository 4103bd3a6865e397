"""Many phones at the same moment: one hand, and everybody is answered.

A few phones in the suite; as many as the club will ever see with ``CROWD=full`` in the environment.
"""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from scoring.models import EveningClosure, Hand, HandEvent, IdempotencyKey, Rating
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.rulesets import install_rulesets
from tests.api.callers import caller
from tests.factories import BOOK_HAND, make_game, make_hand, make_member, make_organiser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("all_adds_up")]

FULL = os.environ.get("CROWD") == "full"
EQUAL, SCORERS = (200, 50) if FULL else (12, 8)


@pytest.fixture
def game():
    install_rulesets()
    return make_game()


@pytest.fixture
def user(game):
    return make_member(player=game.players[0])


def at_once(send, times):
    """What ``send(client, n)`` is answered on each of ``times`` phones, all let go together."""
    barrier = Barrier(times)

    def run(phone):
        number, client = phone
        try:
            barrier.wait(timeout=120)
            return send(client, number)
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, enumerate(client_of_each(times))))


def client_of_each(times):
    user = make_organiser()
    return [caller(user) for _phone in range(times)]


def statuses(answers):
    return Counter(answer.status_code for answer in answers)


def test_equal_posts_with_one_key_are_one_hand(game):
    body = {"number": 1, "outcome": "win", "winner": game.players[1].pk, "tiles": BOOK_HAND}

    def send(client, _number):
        address = f"/api/v1/games/{game.pk}/hands/"
        return client.post(address, body, HTTP_IDEMPOTENCY_KEY="the same")

    answers = at_once(send, EQUAL)
    assert statuses(answers) == {201: 1, 200: EQUAL - 1}
    assert {answer.json()["id"] for answer in answers} == {Hand.objects.get().pk}
    assert IdempotencyKey.objects.count() == 1


def test_scorers_with_keys_of_their_own_fill_one_position_once(game):
    def send(client, number):
        body = {"number": 1, "outcome": "win", "winner": game.players[number % 4].pk}
        address = f"/api/v1/games/{game.pk}/hands/"
        return client.post(
            address, {**body, "tiles": BOOK_HAND}, HTTP_IDEMPOTENCY_KEY=f"phone {number}"
        )

    answers = at_once(send, SCORERS)
    hand = Hand.objects.get()
    assert statuses(answers) == {201: 1, 409: SCORERS - 1}
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {problem["hand"]["id"] for problem in refused} == {hand.pk}
    assert {problem["state"]["next_number"] for problem in refused} == {2}


def test_corrections_of_one_hand_leave_one_that_stands(game, user):
    hand = make_hand(game, winner=1, by=user)
    make_hand(game, winner=2, by=user)

    def send(client, number):
        address = f"/api/v1/hands/{hand.pk}/correct/"
        return client.post(address, {"claimed_final": 100 + 10 * (number % 9), "reason": "Mine"})

    answers = at_once(send, SCORERS)
    standing = Hand.objects.current().get(number=1)
    assert statuses(answers) == {200: 1, 409: SCORERS - 1}
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {problem["hand"]["id"] for problem in refused} == {standing.pk}
    assert standing.version == 2


def test_disputes_at_once_are_one_dispute(game, user):
    hand = make_hand(game, winner=1, by=user)

    def send(client, _number):
        address = f"/api/v1/hands/{hand.pk}/dispute/"
        return client.post(address, {"player": game.players[2].pk})

    assert statuses(at_once(send, SCORERS)) == {200: SCORERS}
    assert HandEvent.objects.count() == 1


def test_an_evening_is_closed_once(game, user):
    make_hand(game, winner=1, by=user)
    address = f"/api/v1/leagues/{game.league.slug}/evenings/{game.evening}/"

    def send(client, _number):
        return client.post(f"{address}close/")

    answers = at_once(send, SCORERS)
    assert statuses(answers) == {200: 1, 400: SCORERS - 1}
    assert EveningClosure.objects.count() == 1


@pytest.mark.parametrize("call", ["void", "reverse", "add"])
def test_a_call_that_many_send_at_once_is_done_once(game, user, call):
    """Declaring a hand void, taking a booking back, adding a player of that name."""
    hand = make_hand(game, winner=1, by=user)
    booked = book_at_table(game, penalty(game, game.players[0], 10), by=user, reason="Late")
    address, body, done = {
        "void": (f"hands/{hand.pk}/void/", {"reason": "A slip"}, 200),
        "reverse": (f"adjustments/{booked.pk}/reverse/", {"reason": "A slip"}, 201),
        "add": ("players/", {"name": "Zoe"}, 201),
    }[call]

    def send(client, _number):
        return client.post(f"/api/v1/{address}", body)

    answers = statuses(at_once(send, SCORERS))
    assert answers.pop(done) == 1
    assert set(answers) <= {400, 409}


def test_tables_that_share_players_never_wait_for_each_other_in_a_circle(game, user):
    """Corrections that move ratings far and wide, beside hands that are being logged."""
    league, players = game.league, game.players
    finished = make_game(league=league, players=players[::-1], by=user)
    hand = make_hand(finished, winner=1, by=user)
    boss = caller(make_organiser())
    boss.post(f"/api/v1/games/{finished.pk}/finish/")
    tables = [make_game(league=league, players=players[n:] + players[:n]) for n in range(4)]

    def send(client, number):
        if number % 2:
            standing = Hand.objects.current().get(game=finished)
            address = f"/api/v1/hands/{standing.pk}/correct/"
            body = {"winner": players[number % 4].pk, "claimed_final": 50, "reason": "Again"}
            return client.post(address, body)
        address = f"/api/v1/games/{tables[number // 2 % 4].pk}/hands/"
        return client.post(address, {"number": 1, "outcome": "draw"})

    answers = at_once(send, SCORERS)
    assert hand.pk
    assert set(statuses(answers)) <= {200, 201, 400, 409}


def test_games_that_end_at_once_are_rated_in_one_order(game, user):
    """Some by their last hand, some because the table gets up; players sit at several."""
    league, players = game.league, game.players
    tables = [make_game(league=league, players=players[n:] + players[:n]) for n in range(4)]
    for table in tables:
        for number in range(15):
            make_hand(table, winner=(number + 1) % 4, by=user)

    def send(client, number):
        table = tables[number % 4]
        address = f"/api/v1/games/{table.pk}/"
        if number % 2:
            return client.post(f"{address}finish/")
        last = {"number": 16, "outcome": "win", "winner": table.players[0].pk, "tiles": BOOK_HAND}
        return client.post(f"{address}hands/", last)

    answers = at_once(send, SCORERS)
    ended = Counter({200: 2, 201: 2, 409: SCORERS - 4})
    assert statuses(answers) == ended
    assert Rating.objects.count() == 16
