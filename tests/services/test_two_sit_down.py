"""Two phones take one seat, or begin one game, at the same moment."""

import pytest

from scoring.models import ClubTable, Game, WaitingSeat
from scoring.services.rulesets import install_rulesets
from scoring.services.seating import SeatRefused, sit_down, start_game
from tests.factories import make_league, make_member, make_player, make_table
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    install_rulesets()
    return make_table()[0]


def test_one_of_many_gets_the_seat_and_the_rest_read_who(table):
    members = [make_member(player=make_player(f"Player {n}")) for n in range(4)]

    def sit(n):
        try:
            return sit_down(table, 2, by=members[n], player=members[n].player).name
        except SeatRefused as refusal:
            return str(refusal)

    answers = at_once(sit, times=4)
    name = WaitingSeat.objects.get().name
    assert sorted(answers) == sorted([name] + [f"{name} was faster: choose another seat."] * 3)


def test_four_phones_begin_one_game(table):
    league, members = make_league(), [make_member(player=make_player()) for _seat in range(4)]
    for place, member in enumerate(members):
        sit_down(table, place, by=member, player=member.player)
    begun = at_once(lambda n: start_game(table, league, by=members[n]).pk, times=4)
    assert begun == [Game.objects.get().pk] * 4
    assert ClubTable.objects.get().game_id == begun[0]
