"""Two people at the same moment, in the order that is worst: the second begins before the first is done."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from scoring.models import Game, Hand, Tally
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game
from scoring.services.hands.correct import void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import lock_game, record_hand
from scoring.services.hands.restore import restore_hand
from scoring.services.seats import change_seats, move_game
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_game, make_hand, make_league, make_player
from tests.support.blocked import until_done_or_blocked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("all_adds_up")]

WHY = "Opened twice"


@pytest.fixture
def game(organiser):
    return make_game(by=organiser)


@contextmanager
def meanwhile(act):
    """The block runs after ``act`` has begun on a connection of its own; then ``act`` may end."""

    def run():
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        begun = []

        def begin():
            begun.append(pool.submit(run))
            until_done_or_blocked(begun[0])

        with transaction.atomic():
            yield begin
        [acting] = begun
        acting.result(timeout=60)


def draw(game, by):
    return record_hand(game, HandEntry(number=1, outcome="draw"), by=by)


def tallied(game):
    return Tally.objects.filter(league=game.league_id, player__in=game.players).count()


def test_a_game_that_is_opened_keeps_the_tallies_that_a_withdrawal_would_close(game, organiser):
    with meanwhile(lambda: withdraw_game(game, by=organiser, reason=WHY)) as begin:
        other = open_game(game.league, game.players, by=organiser, anyway=True)
        begin()
    assert tallied(other) == 4
    draw(other, organiser)
    finish_game(other, by=organiser)


def test_a_game_that_is_opened_keeps_the_tallies_that_a_change_of_seats_would_close(
    game, organiser
):
    others = [make_player() for _seat in range(4)]
    players = [*game.players[:3], make_player()]

    def reseat():
        change_seats(game, players, by=organiser, reason=WHY)

    with meanwhile(reseat) as begin:
        other = open_game(game.league, [game.players[3], *others[:3]], by=organiser, anyway=True)
        begin()
    assert tallied(other) == 4
    draw(other, organiser)


def test_a_game_that_is_restored_while_its_evening_closes_is_over(game, organiser):
    make_game(league=game.league, by=organiser)
    draw(game, organiser)
    withdraw_game(game, by=organiser, reason=WHY)
    with meanwhile(lambda: restore_game(game, by=organiser, reason=WHY)) as begin:
        close_evening(game.league, game.evening, by=organiser)
        begin()
    assert not Game.objects.open().exists()


def test_a_hand_that_waits_for_a_game_to_be_moved_is_saved_at_it(game, organiser):
    league = make_league()
    with meanwhile(lambda: draw(game, organiser)) as begin:
        move_game(game, league=league, day=game.evening, by=organiser, reason=WHY)
        begin()
    assert Hand.objects.get().game.league == league
    assert {tally.hands for tally in Tally.objects.filter(league=league)} == {1}


def test_a_new_game_that_ends_two_tables_and_a_hand_at_one_of_them_do_not_deadlock(game, organiser):
    second = make_game(league=game.league, players=game.players[::-1], by=organiser)
    draw(game, organiser)

    def sit_down():
        open_game(game.league, game.players, by=organiser, leaving=[game, second])

    with meanwhile(sit_down) as begin:
        lock_game(second)
        begin()
        draw(second, organiser)
    assert Game.objects.open().count() == 1


def test_an_evening_that_is_opened_again_and_a_correction_at_it_do_not_deadlock(game, organiser):
    second = make_game(league=game.league, players=game.players[::-1], by=organiser)
    draw(game, organiser)
    hand = make_hand(second, winner=1, by=organiser)
    close_evening(game.league, game.evening, by=organiser)

    def reopen():
        reopen_evening(game.league, game.evening, by=organiser, reason=WHY, anyway=True)

    with meanwhile(reopen) as begin:
        lock_game(second)
        begin()
        void_hand(hand, by=organiser, reason="A slip")
    assert Game.objects.open().count() == 2


def test_of_two_who_restore_a_hand_at_once_the_second_is_told(game, organiser):
    gone = void_hand(make_hand(game, winner=1, by=organiser), by=organiser, reason="A slip").hand

    def restore():
        with pytest.raises(Conflict) as refused:
            restore_hand(gone, by=organiser, reason=WHY)
        assert refused.value.code == "no_longer_stands"

    with meanwhile(restore) as begin:
        lock_game(game)
        begin()
        restore_hand(gone, by=organiser, reason=WHY)
    assert Hand.objects.current().get().version == 2


@pytest.mark.each_case
@pytest.mark.parametrize("logs_first", [True, False])
def test_a_hand_that_is_restored_and_one_that_is_logged_at_once_do_not_share_a_number(
    game, organiser, logs_first
):
    gone = void_hand(make_hand(game, winner=1, by=organiser), by=organiser, reason="A slip").hand

    def log():
        draw(game, organiser)

    def restore():
        restore_hand(gone, by=organiser, reason=WHY)

    first, second = (log, restore) if logs_first else (restore, log)

    def too_late():
        with pytest.raises(Conflict):
            second()

    with meanwhile(too_late) as begin:
        lock_game(game)
        begin()
        first()
    assert Hand.objects.current().get().is_win != logs_first
