"""Who cannot be paid: places that are none, and a winner who discarded the winning tile."""

import numpy as np
import pytest

from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import CLUB, RuleSet

PLACES = {"winner": 1, "dealer": 0, "discarder": None}
RULES = [CLUB, *(RuleSet(slug="any", discarder=who) for who in ("double", "pays_for_all", "split"))]


def refused(rules, **places):
    with pytest.raises(HandError) as error:
        settle(80, **{**PLACES, **places}, rules=rules)
    return [(problem.field, problem.code) for problem in error.value.problems]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.discarder)
@pytest.mark.parametrize("place", range(4))
def test_a_winner_is_not_the_discarder(rules, place):
    problems = refused(rules, winner=place, discarder=place)
    assert problems == [("discarder", "discarder_is_winner")]


@pytest.mark.parametrize("final", [None, True, 80.5, 80.0, "80", [80]])
def test_a_final_score_is_a_whole_number(final):
    with pytest.raises(HandError) as error:
        settle(final, **PLACES, rules=CLUB)
    assert [(one.field, one.code) for one in error.value.problems] == [("final", "no_score")]


@pytest.mark.parametrize("place", [-1, 4, "1", 1.0, True, [1]])
@pytest.mark.parametrize("field", PLACES)
def test_a_place_is_one_of_four(field, place):
    assert refused(CLUB, **{field: place}) == [(field, "no_place")]


@pytest.mark.parametrize("field", ["winner", "dealer"])
def test_a_missing_winner_or_dealer_is_refused(field):
    assert refused(CLUB, **{field: None}) == [(field, "no_place")]


def test_nobody_discards_a_tile_that_was_drawn():
    assert settle(80, **PLACES, rules=CLUB) == (-160, 320, -80, -80)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.int64])
def test_a_score_in_a_small_number_of_numpy_is_paid_in_full(kind):
    amounts = settle(kind(120), **PLACES, rules=CLUB)
    assert amounts == (-240, 480, -120, -120)
    assert {type(amount) for amount in amounts} == {int}
