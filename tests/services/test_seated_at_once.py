"""Somebody is seated while they leave the club, or while their record is merged into another."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from scoring.models import Seat, WaitingSeat
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game, reopen_game
from scoring.services.leaving import leave_club
from scoring.services.merging import merge_players
from scoring.services.rulesets import install_rulesets
from scoring.services.seating import sit_down
from scoring.services.seats import change_seats
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import (
    make_game,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_table,
)
from tests.support.blocked import until_done_or_blocked

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def after(first, then):
    """How ``then()`` is refused, which began while ``first()`` was under way; None if it is not."""
    begun = Event()

    def run():
        begun.set()
        try:
            then()
        except ValidationError as error:
            return error.messages[0]
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            answer = pool.submit(run)
            assert begun.wait(timeout=30)
            until_done_or_blocked(answer)
            assert not answer.done()
        return answer.result(timeout=30)


@pytest.fixture
def gone():
    install_rulesets()
    player = make_player("Zoe")
    make_member(player=player)
    return player


def seating(player, by):
    """Each way to give ``player`` a seat."""
    three = [make_player() for _place in range(3)]
    game = make_game()
    league, (table, _code) = make_league(), make_table()
    return {
        "game": lambda: open_game(league, [*three, player], by=by),
        "table": lambda: sit_down(table, 0, by=by, player=player),
        "seats": lambda: change_seats(game, [*game.players[:3], player], by=by, reason="Was here"),
    }


WAYS = pytest.mark.parametrize("way", ["game", "table", "seats"])


@WAYS
@pytest.mark.each_case
def test_who_is_merged_meanwhile_is_not_on_the_list(gone, way):
    by, kept = make_organiser(), make_player("Zoë")
    seat = seating(gone, by)[way]
    refusal = after(lambda: merge_players(kept, gone, by=by), seat)
    assert refusal == "This player is not on the list any more."


@WAYS
@pytest.mark.each_case
def test_who_leaves_meanwhile_is_offered_no_seat(gone, way):
    seat = seating(gone, make_organiser())[way]
    refusal = after(lambda: leave_club(anonymous=False, by=gone.user), seat)
    assert refusal == "Zoe no longer plays here: choose an active player."
    assert not Seat.objects.filter(player=gone).exists()


def going_on(way, by):
    """A game that is over, and what lets it go on."""
    game = make_game()
    if way == "reopened":
        finish_game(game, by=by)
        return game, lambda: reopen_game(game, by=by, reason="Too early")
    if way == "restored":
        withdraw_game(game, by=by, reason="A mistake")
        return game, lambda: restore_game(game, by=by, reason="It was none")
    close_evening(game.league, game.evening, by=by)
    return game, lambda: reopen_evening(game.league, game.evening, by=by, reason="Too early")


@pytest.mark.parametrize("way", ["reopened", "restored", "evening opened"])
@pytest.mark.parametrize("seated", ["before", "after"])
@pytest.mark.each_case
def test_of_two_open_tables_of_one_player_the_second_is_asked_about(gone, way, seated):
    """In two leagues, whose locks keep nothing apart."""
    by = make_organiser()
    game, go_on = going_on(way, by)
    league, three = make_league(), [make_player() for _place in range(3)]

    def sit():
        open_game(league, [*three, game.players[0]], by=by)

    refusal = after(sit, go_on) if seated == "before" else after(go_on, sit)
    assert refusal is not None
    assert "at another open table" in refusal


def test_who_is_seated_meanwhile_does_not_leave(gone):
    seat = seating(gone, make_organiser())["game"]
    assert "still sits" in after(seat, lambda: leave_club(anonymous=False, by=gone.user))


def test_who_sits_down_by_their_own_phone_meanwhile_leaves_as_well(gone):
    seat = seating(gone, gone.user)["table"]
    assert after(seat, lambda: leave_club(anonymous=False, by=gone.user)) is None
    assert not WaitingSeat.objects.exists()


def test_who_sits_down_meanwhile_leaves_the_seat_as_well(gone):
    seat = seating(gone, make_organiser())["table"]
    assert after(seat, lambda: leave_club(anonymous=True, by=gone.user)) is None
    assert not WaitingSeat.objects.exists()
