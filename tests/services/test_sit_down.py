"""Sitting down one after the other, until four sit and the game begins."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring.models import Game, Player, WaitingSeat
from scoring.models.permissions import PermissionDenied
from scoring.services.errors import TooManyAttempts
from scoring.services.games import finish_game
from scoring.services.pins import MOST_FAILURES, Proof, change_pin, set_pin
from scoring.services.seating import (
    MOST_WRONG_PINS,
    SeatRefused,
    clear_table,
    leave_seat,
    play_again,
    prove_at_table,
    sit_down,
    start_game,
)
from tests.factories import (
    make_game,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_table,
)

pytestmark = pytest.mark.django_db

VISITOR = AnonymousUser()
ASKER = "address:192.0.2.1"


@pytest.fixture
def table():
    return make_table()[0]


@pytest.fixture
def ann():
    return make_player("Ann")


@pytest.fixture
def member(ann):
    return make_member(player=ann)


def four_sit(table, member):
    players = [member.player, *(make_player() for _seat in range(3))]
    for place, player in enumerate(players):
        sit_down(table, place, by=member, player=player)
    return players


def sitting(table):
    return {seat.place: seat.name for seat in table.waiting_seats.waiting()}


def test_a_member_sits_down_and_moves_to_another_seat(table, member, ann):
    sit_down(table, 0, by=member, player=ann)
    sit_down(table, 2, by=member, player=ann)
    assert sitting(table) == {2: "Ann"}


def test_the_second_tap_on_ones_own_seat_changes_nothing(table, member, ann):
    first = sit_down(table, 0, by=member, player=ann)
    assert sit_down(table, 0, by=member, player=ann) == first


def test_who_comes_second_reads_who_was_first(table, member, ann):
    sit_down(table, 0, by=member, player=ann)
    with pytest.raises(SeatRefused, match="Ann was faster"):
        sit_down(table, 0, by=make_member(), player=make_player())


def test_a_seat_at_another_table_is_left(table, member, ann):
    other, _code = make_table()
    sit_down(table, 0, by=member, player=ann)
    sit_down(other, 1, by=member, player=ann)
    assert (sitting(table), sitting(other)) == ({}, {1: "Ann"})


def test_a_seat_of_another_evening_is_free(table, member, ann):
    sit_down(table, 0, by=member, player=make_player())
    WaitingSeat.objects.update(taken_at=timezone.now() - timedelta(days=2))
    assert sitting(table) == {}
    sit_down(table, 0, by=member, player=ann)
    assert sitting(table) == {0: "Ann"}


@pytest.mark.parametrize("place", [-1, 4])
def test_a_table_has_four_seats(table, member, ann, place):
    with pytest.raises(ValidationError):
        sit_down(table, place, by=member, player=ann)


@pytest.mark.each_database
def test_the_database_lets_one_player_have_one_seat(table, ann):
    WaitingSeat.objects.create(table=table, place=0, player=ann)
    for seat in (
        {"place": 1, "player": ann},
        {"place": 0, "player": make_player()},
        {"place": 4, "player": make_player()},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            WaitingSeat.objects.create(table=table, **seat)


def test_a_phone_of_nobody_proves_the_player_by_a_pin(table, ann):
    set_pin(ann, "4711", by=make_organiser())
    with pytest.raises(PermissionDenied):
        sit_down(table, 0, by=VISITOR, player=ann)
    with pytest.raises(PermissionDenied):
        sit_down(table, 0, by=VISITOR, player=ann, proof=Proof(make_player().pk))
    with pytest.raises(PermissionDenied, match="not the PIN"):
        prove_at_table(ann, "4712", table=table, asker=ASKER)
    proof = prove_at_table(ann, "4711", table=table, asker=ASKER)
    seat = sit_down(table, 0, by=VISITOR, player=ann, proof=proof)
    assert (seat.by, seat.player) == (None, ann)


def test_wrong_pins_of_one_player_are_counted(table, ann):
    set_pin(ann, "4711", by=make_organiser())
    for _try in range(MOST_FAILURES):
        with pytest.raises(PermissionDenied):
            prove_at_table(ann, "0000", table=table, asker=ASKER)
    with pytest.raises(TooManyAttempts):
        prove_at_table(ann, "4711", table=table, asker=ASKER)


def test_wrong_pins_of_many_players_are_counted_by_table_and_by_address(table):
    by = make_organiser()
    for _player in range(MOST_WRONG_PINS // MOST_FAILURES):
        guessed = make_player()
        set_pin(guessed, "4711", by=by)
        for _try in range(MOST_FAILURES):
            with pytest.raises(PermissionDenied):
                prove_at_table(guessed, "0000", table=table, asker=ASKER)
    fresh, other = make_player(), make_table()[0]
    set_pin(fresh, "4711", by=by)
    for where in ({"table": table, "asker": "address:elsewhere"}, {"table": other, "asker": ASKER}):
        with pytest.raises(TooManyAttempts):
            prove_at_table(fresh, "4711", **where)
    assert prove_at_table(fresh, "4711", table=other, asker="address:elsewhere")


def test_an_organiser_gives_a_pin_to_who_has_no_account_alone(ann):
    set_pin(ann, "4711", by=make_organiser())
    with pytest.raises(PermissionDenied):
        set_pin(ann, "4712", by=make_member())
    with_account = make_player()
    make_member(player=with_account)
    with pytest.raises(PermissionDenied):
        set_pin(with_account, "4711", by=make_organiser())


def test_who_has_the_pin_changes_the_pin(ann, table):
    set_pin(ann, "4711", by=make_organiser())
    change_pin(ann, "0815", proof=prove_at_table(ann, "4711", table=table, asker=ASKER))
    assert prove_at_table(ann, "0815", table=table, asker=ASKER)
    with pytest.raises(PermissionDenied):
        change_pin(ann, "1234", proof=Proof(make_player().pk))


def test_a_guest_is_added_when_the_game_begins_and_known_the_next_time(table, member):
    for place in range(3):
        sit_down(table, place, by=member, player=make_player())
    sit_down(table, 3, by=VISITOR, guest="  Zoë ")
    assert not Player.objects.filter(name="Zoë").exists()
    game = start_game(table, make_league(), by=member)
    zoe = game.players[3]
    assert (zoe.name, zoe.guest, zoe.user) == ("Zoë", True, None)
    finish_game(game, by=make_organiser())
    assert sit_down(table, 0, by=VISITOR, guest="zoë").player == zoe


def test_a_guest_does_not_take_the_name_of_a_member_nor_of_another_guest(table, ann):
    for name in ("Ann", "", "x" * 81):
        with pytest.raises(ValidationError) as refused:
            sit_down(table, 0, by=VISITOR, guest=name)
        assert list(refused.value.message_dict) == ["guest"]
    sit_down(table, 0, by=VISITOR, guest="Zoë")
    with pytest.raises(ValidationError, match="initial"):
        sit_down(make_table()[0], 0, by=VISITOR, guest="Zoë")


def test_a_guest_of_the_same_name_in_another_spelling_is_asked_for_an_initial(table):
    sit_down(table, 0, by=VISITOR, guest="Zoë Ng")
    for spelling in ("ZOË NG", "Zoe\u0308  Ng", "zoë ng"):
        with pytest.raises(ValidationError, match="sits at this table already"):
            sit_down(table, 1, by=VISITOR, guest=spelling)


def test_a_seat_is_left_by_its_phone_its_account_or_an_organiser(table, member, ann):
    sit_down(table, 0, by=make_member(), player=ann)
    guest = sit_down(table, 1, by=VISITOR, guest="Zoë")
    with pytest.raises(PermissionDenied):
        leave_seat(guest, by=VISITOR)
    with pytest.raises(PermissionDenied):
        leave_seat(guest, by=member)
    leave_seat(guest, by=VISITOR, holds=True)
    leave_seat(table.waiting_seats.get(), by=member)
    sit_down(table, 2, by=member, player=ann)
    with pytest.raises(PermissionDenied):
        clear_table(table, by=member)
    clear_table(table, by=make_organiser())
    assert sitting(table) == {}


def test_the_game_begins_with_the_four_in_their_seats(table, member):
    players, league = four_sit(table, member), make_league()
    game = start_game(table, league, by=member)
    table.refresh_from_db()
    assert (game.players, game.league, game.started_by) == (players, league, member)
    assert (table.game, sitting(table)) == (game, {})
    assert start_game(table, league, by=member) == game


def test_who_has_nothing_to_do_with_the_four_begins_no_game(table, member):
    four_sit(table, member)
    with pytest.raises(PermissionDenied):
        start_game(table, make_league(), by=make_member())
    assert start_game(table, make_league(), by=make_organiser())


def test_three_begin_no_game(table, member, ann):
    sit_down(table, 0, by=member, player=ann)
    with pytest.raises(SeatRefused):
        start_game(table, make_league(), by=member)


def test_nobody_sits_down_where_a_game_is_in_play(table, member):
    four_sit(table, member)
    start_game(table, make_league(), by=member)
    with pytest.raises(SeatRefused, match="in play"):
        sit_down(table, 0, by=member, player=make_player())


def test_who_sits_at_another_open_table_is_asked_about(table, member):
    players = four_sit(table, member)
    left = make_game(players=players, by=make_organiser())
    with pytest.raises(ValidationError) as asked:
        start_game(table, make_league(), by=member)
    assert asked.value.error_dict["players"][0].code == "seated_elsewhere"
    assert len(sitting(table)) == 4
    game = start_game(table, make_league(), by=member, leaving=[left])
    left.refresh_from_db()
    assert left.finished
    assert Game.objects.open().get() == game


@pytest.mark.parametrize(("one_seat_on", "order"), [(False, [0, 1, 2, 3]), (True, [1, 2, 3, 0])])
def test_the_same_four_play_again_at_their_table(table, member, one_seat_on, order):
    players = four_sit(table, member)
    over = start_game(table, make_league(), by=member)
    finish_game(over, by=member)
    game = play_again(over, by=member, one_seat_on=one_seat_on)
    table.refresh_from_db()
    assert game.players == [players[place] for place in order]
    assert table.game == game
    assert play_again(over, by=member) == game


def test_the_same_four_wait_for_who_sat_down_at_their_table_meanwhile(table, member):
    four_sit(table, member)
    over = start_game(table, make_league(), by=member)
    finish_game(over, by=member)
    sit_down(table, 1, by=VISITOR, guest="Zoë")
    with pytest.raises(SeatRefused, match="Zoë"):
        play_again(over, by=member)


def test_a_game_opened_from_the_list_is_played_again(member):
    over = make_game(players=[member.player, *(make_player() for _seat in range(3))])
    finish_game(over, by=member)
    assert play_again(over, by=member).players == over.players


def test_the_same_four_at_a_table_of_another_league_are_asked_about(member):
    """Nobody is led there without a word: what is logged would count in another league."""
    over = make_game(players=[member.player, *(make_player() for _seat in range(3))])
    finish_game(over, by=member)
    elsewhere = make_game(league=make_league("Another one"), players=over.players)
    with pytest.raises(ValidationError) as asked:
        play_again(over, by=member)
    assert asked.value.error_dict["players"][0].code == "seated_elsewhere"
    begun = play_again(over, by=member, anyway=True)
    assert begun != elsewhere
    assert begun.league == over.league
    assert play_again(over, by=member) == begun


@pytest.mark.each_database
def test_a_seat_without_player_and_guest_is_none(table):
    with pytest.raises(IntegrityError), transaction.atomic():
        WaitingSeat.objects.create(table=table, place=2)
