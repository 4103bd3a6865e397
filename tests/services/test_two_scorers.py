"""Two phones press Save at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from scoring.models import Game, Hand, Payment, Tally
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening
from scoring.services.games import open_game
from scoring.services.hands.correct import void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.idempotency import StoredResponse, idempotent
from scoring.services.rulesets import install_rulesets
from tests.factories import make_game, make_hand, make_member, make_organiser, make_player
from tests.support.blocked import until_blocked, until_done_or_blocked

pytestmark = pytest.mark.django_db(transaction=True)

SCORERS = 6


@pytest.fixture
def game():
    install_rulesets()
    return make_game()


def at_once(act, times=SCORERS):
    """What each of ``times`` threads gets from ``act(n)``, all let go at the same moment."""
    barrier = Barrier(times)

    def run(n):
        try:
            barrier.wait(timeout=30)
            return act(n)
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))


def test_one_of_two_hands_logged_at_once_stands_and_the_other_scorer_sees_it(game):
    organiser = make_organiser()

    def save(n):
        winner = game.players[n % 4].pk
        entry = HandEntry(number=1, outcome="win", winner=winner, tiles="222B 345B 55B 222D GGG")
        try:
            return record_hand(game, entry, by=organiser, key=f"phone-{n}").hand.pk
        except Conflict as conflict:
            return ("conflict", conflict.hand.pk, conflict.state.number)

    answers = at_once(save)
    hand = Hand.objects.get()
    assert sorted(answers, key=str) == sorted(
        [hand.pk] + [("conflict", hand.pk, 2)] * (SCORERS - 1), key=str
    )
    assert Payment.objects.count() == 4
    assert sum(payment.amount for payment in Payment.objects.all()) == 0
    assert set(Tally.objects.values_list("hands", flat=True)) == {1}


def test_one_key_sent_many_times_stores_one_hand(game):
    organiser = make_organiser()
    entry = HandEntry(number=1, outcome="draw")

    def save(_n):
        def act():
            return StoredResponse(201, record_hand(game, entry, by=organiser, key="k").hand.pk)

        return idempotent(act, by=organiser, key="k", call="log", body="draw")

    answers = at_once(save)
    hand = Hand.objects.get()
    assert {answer.body for answer in answers} == {hand.pk}
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * (SCORERS - 1)


def test_tables_that_share_players_do_not_wait_for_each_other_forever(game):
    organiser = make_organiser()
    players = game.players
    tables = [game, make_game(league=game.league, players=players[::-1])]

    def save(n):
        table = tables[n]
        for number in range(1, 11):
            record_hand(table, HandEntry(number=number, outcome="draw"), by=organiser)
        return "done"

    assert at_once(save, times=2) == ["done", "done"]
    assert set(Tally.objects.values_list("hands", flat=True)) == {20}


def while_the_evening_is_closed(game, act):
    """What ``act()`` returns, that began before an organiser had closed the evening of ``game``."""
    begun = Event()

    def run():
        begun.set()
        try:
            return act()
        finally:
            connection.close()

    organiser = make_organiser()
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            close_evening(game.league, game.evening, by=organiser)
            answer = pool.submit(run)
            assert begun.wait(timeout=30)
            until_done_or_blocked(answer)
            assert not answer.done()
        return answer.result(timeout=30)


def test_a_correction_that_waits_while_the_evening_closes_is_refused(game):
    member = make_member(player=game.players[0])
    hand = make_hand(game)

    def correct():
        with pytest.raises(PermissionDenied, match="ask an organiser"):
            void_hand(hand, by=member, reason="Played twice")

    while_the_evening_is_closed(game, correct)
    assert Hand.objects.get().current


def test_a_new_game_that_waits_while_the_evening_closes_is_refused(game):
    member = make_member()
    players = [make_player() for _place in range(4)]

    def sit_down():
        with pytest.raises(ValidationError, match="The evening is closed"):
            open_game(game.league, players, by=member, anyway=True)

    while_the_evening_is_closed(game, sit_down)
    assert Game.objects.get() == game


@pytest.mark.postgresql
def test_a_hand_won_meanwhile_at_another_table_stays_the_best_hand(game):
    """On SQLite one of the two waits from its beginning."""
    organiser, player = make_organiser(), game.players[0]
    others = [make_player() for _seat in range(3)]
    second = make_game(league=game.league, players=[player, *others], by=organiser)
    small = make_hand(game, winner=0, by=organiser)
    won, voiding = Event(), Event()

    def win():
        with transaction.atomic():
            make_hand(second, winner=0, tiles="222B 333B 444B 555B 66B", by=organiser)
            won.set()
            assert voiding.wait(timeout=30)
            until_blocked()
        connection.close()

    def void():
        assert won.wait(timeout=30)
        voiding.set()
        void_hand(small, reason="Not so", by=organiser)
        connection.close()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(win), pool.submit(void)]:
            done.result(timeout=60)
    assert Tally.objects.get(player=player).best_hand == 500
    assert list(verify()) == []
