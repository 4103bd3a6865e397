"""How a hand was won, in either way of saying it; what rules are not told is refused by name."""

import pytest

from scoring.evaluator.books.circumstances import (
    check_asked,
    how_won,
    known_to_rules,
    refuse_contradiction,
)
from scoring.evaluator.books.loader import load
from scoring.evaluator.problems import HandError
from scoring.evaluator.rulesets import CLUB
from scoring.evaluator.win import Win


def fields(error):
    return {problem.field for problem in error.value.problems}


@pytest.mark.parametrize(
    ("won_by", "self_drawn", "how"),
    [
        (None, None, "discard"),
        (None, False, "discard"),
        (None, True, "self_drawn"),
        ("", None, ""),
        ("self_drawn", True, "self_drawn"),
        ("robbing_kong", False, "robbing_kong"),
    ],
)
def test_self_drawn_and_its_way_of_winning_are_one(won_by, self_drawn, how):
    assert how_won(won_by, self_drawn) == how


@pytest.mark.parametrize(("won_by", "self_drawn"), [("discard", True), ("self_drawn", False)])
def test_a_contradiction_is_refused(won_by, self_drawn):
    with pytest.raises(HandError) as error:
        how_won(won_by, self_drawn)
    assert fields(error) == {"self_drawn"}


def test_a_book_is_not_told_what_it_does_not_ask():
    check_asked(load("dmjl"), concealed=None, value=0, won_by="")
    check_asked(load("card"), concealed=None, value=25, won_by="discard")
    with pytest.raises(HandError) as error:
        check_asked(load("hk"), concealed=True, value=25, won_by="")
    assert fields(error) == {"concealed", "value", "won_by"}
    assert "does not ask for the value of a line: leave it out." in str(error.value)


def test_the_clubs_rules_take_what_they_know():
    how = {"melds": [], "concealed": None, "bonus": [], "winning_tile": "", "won_by": "self_drawn"}
    assert known_to_rules(CLUB, how) == {"melds": [], "concealed": None, "self_drawn": True}
    assert known_to_rules(CLUB, {"self_drawn": True}) == {"self_drawn": True}
    assert known_to_rules(CLUB, {"self_drawn": None}) == {}


def test_the_clubs_rules_score_the_winner_only():
    with pytest.raises(HandError, match=r"^By Club only the winner’s hand scores"):
        known_to_rules(CLUB, {"won_by": ""})


def test_the_clubs_rules_name_what_they_do_not_know():
    with pytest.raises(HandError) as error:
        known_to_rules(CLUB, {"bonus": ["F1"], "winning_tile": "5B", "won_by": "robbing_kong"})
    assert fields(error) == {"bonus", "winning_tile", "won_by"}
    assert "Club does not know “F1”." in str(error.value)
    assert "Club does not ask for the winning tile: leave it out." in str(error.value)


def test_two_answers_to_how_it_was_won_are_refused():
    refuse_contradiction(Win(won_by="robbing_kong"))
    with pytest.raises(HandError, match="leave it out"):
        refuse_contradiction(Win(won_by="robbing_kong", self_drawn=True))
