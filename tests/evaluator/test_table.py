"""Deal, winds and rounds."""

import pytest

from scoring.evaluator.rules import CLUB, RuleSet
from scoring.evaluator.table import TableState, replay
from scoring.evaluator.tiles import WINDS, Wind

MOVES_ON = RuleSet(slug="on", dealer_stays_on_win=False, dealer_stays_on_draw=False)


def test_a_game_begins_with_east_dealing_in_the_east_round():
    start = TableState.start()
    assert (start.round, start.dealer, start.number, start.finished) == (Wind.EAST, 0, 1, False)
    assert start.prevailing_wind is Wind.EAST
    assert [start.seat_wind(place) for place in range(4)] == list(WINDS)


@pytest.mark.parametrize(
    ("winner", "rules", "dealer"),
    [
        (0, CLUB, 0),
        (None, CLUB, 0),
        (1, CLUB, 1),
        (3, CLUB, 1),
        (0, MOVES_ON, 1),
        (None, MOVES_ON, 1),
        (0, RuleSet(slug="w", dealer_stays_on_win=False), 1),
        (None, RuleSet(slug="w", dealer_stays_on_win=False), 0),
        (0, RuleSet(slug="d", dealer_stays_on_draw=False), 0),
        (None, RuleSet(slug="d", dealer_stays_on_draw=False), 1),
    ],
)
def test_the_next_dealer_follows_from_the_winner(winner, rules, dealer):
    after = TableState.start().after(winner, rules)
    assert (after.dealer, after.number, after.round) == (dealer, 2, Wind.EAST)


def test_seat_winds_pass_with_the_deal():
    after = TableState.start().after(2, CLUB)
    assert [after.seat_wind(place) for place in range(4)] == [
        Wind.NORTH,
        Wind.EAST,
        Wind.SOUTH,
        Wind.WEST,
    ]


def test_sixteen_deals_make_four_rounds_and_then_it_is_over():
    states = replay([None] * 16, MOVES_ON)
    assert [state.round for state in states[:16:4]] == list(WINDS)
    assert [state.dealer for state in states[:8]] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert [state.finished for state in states] == [False] * 16 + [True]
    assert states[-1].round is Wind.NORTH
    assert states[-1].number == 17


def test_a_dealer_who_stays_prolongs_the_round():
    assert replay([0] * 20, CLUB)[-1] == TableState(Wind.EAST, 0, 21)


def test_a_finished_game_stays_finished():
    over = replay([None] * 16, MOVES_ON)[-1]
    assert over.after(0, CLUB).finished
    assert over.after(1, CLUB).finished


@pytest.mark.parametrize("prevailing", [Wind.EAST, Wind.NORTH])
@pytest.mark.parametrize("dealer", [1, 3])
@pytest.mark.parametrize("winner", [None, 0, 1, 3])
def test_a_game_that_is_over_stays_over(prevailing, dealer, winner):
    over = TableState(prevailing, dealer, 40, finished=True)
    assert over.after(winner, CLUB).finished
