"""Many hands at once score as one by one."""

from random import Random

import pytest

from scoring.evaluator.batch import final_scores
from scoring.evaluator.counts import counts_of
from scoring.evaluator.hand import Hand
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.evaluator.tiles import TILES, WINDS, Wind
from tests.evaluator.random_hands import random_case


def hands() -> list[Hand]:
    rng = Random(3)
    found = []
    for number in range(600):
        tiles = random_case(number).hand.tiles
        kinds = tuple(each for code in tiles for each in TILES if each.code == code)
        found.append(Hand(kinds, seat_wind=Wind.SOUTH, prevailing_wind=rng.choice(WINDS)))
    return found


@pytest.mark.parametrize("rules", [CLUB, BOOK, RuleSet(slug="exact", rounding=1, limit=2000)])
@pytest.mark.parametrize("prevailing", WINDS)
def test_they_score_as_one_by_one(rules, prevailing):
    some = [each for each in hands() if each.prevailing_wind is prevailing]
    one_by_one = [each.final_score(rules) if each.mahjongg() else 0 for each in some]
    assert 0 in one_by_one
    together = final_scores(
        [counts_of(each.tiles) for each in some],
        seat_wind=Wind.SOUTH,
        prevailing_wind=prevailing,
        rules=rules,
    )
    assert together == one_by_one


def test_thirteen_orphans_and_no_hands_at_all():
    orphans = [each for each in TILES if not each.simple()]
    counts = counts_of([*orphans, orphans[0]])
    winds = {"seat_wind": Wind.EAST, "prevailing_wind": Wind.EAST}
    assert final_scores([counts], **winds) == [500]
    assert final_scores([], **winds) == []


@pytest.mark.parametrize("one_more", TILES[:9])
def test_nine_gates_are_concealed(one_more):
    gates = [*TILES[:9], TILES[0], TILES[0], TILES[8], TILES[8], one_more]
    # As one suit only it would score some 600.
    rules = RuleSet(slug="high", limit=2000)
    winds = {"seat_wind": Wind.EAST, "prevailing_wind": Wind.EAST}
    assert final_scores([counts_of(gates)], **winds, rules=rules) == [2000]
