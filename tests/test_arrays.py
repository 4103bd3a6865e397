"""Millions of hands at once score as one by one."""

from random import Random

import numpy as np
import pytest

from scoring.arrays import AT_ONCE, final_scores
from scoring.evaluator import batch
from scoring.evaluator.counts import counts_of
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.evaluator.tiles import TILES, WINDS, Wind
from tests.bench.hands import short_by_one, winning
from tests.evaluator.random_hands import random_case

EVERYTHING = RuleSet(
    slug="everything",
    rounding=1,
    limit=100_000,
    straights=frozenset(["same_rank_chows", "same_rank_pungs"]),
    all_green=True,
)
SPECIAL = [
    "19B 19C 19D ESWNRGWhE",
    "19B 19C 19D ESWNRGWh5B",
    "1112345678999C 5C",
    "RRR GGG WhWhWh 234B 55C",
    "222B 222C 222D 345B 66B",
    "1111B 1111C 1111D EEEE NN",
    "234B 234B 666B 88B GGG",
    "234C 234C 666C 88C GGG",
    "222B 333B 444B 66B 8888B",
]
TILES_OF_HANDS = [
    *(hand.tiles for hand in winning(300, Random(1)) + short_by_one(100, Random(2))),
    *(parse_tiles(" ".join(random_case(number).hand.tiles)) for number in range(400)),
    *map(parse_tiles, SPECIAL),
]


def array(hands) -> np.ndarray:
    """How many there are of each kind in each hand."""
    return np.array([[hand.count(kind) for kind in TILES] for hand in hands], np.uint8)


@pytest.mark.parametrize("rules", [CLUB, BOOK, EVERYTHING], ids=lambda rules: rules.slug)
@pytest.mark.parametrize("prevailing", WINDS)
def test_arrays_score_like_hands_one_by_one(rules, prevailing):
    winds = {"seat_wind": Wind.SOUTH, "prevailing_wind": prevailing}
    packed = [counts_of(hand) for hand in TILES_OF_HANDS]
    finals = final_scores(array(TILES_OF_HANDS), **winds, rules=rules)
    assert finals.tolist() == batch.final_scores(packed, **winds, rules=rules)
    assert 0 in finals
    assert len(set(finals.tolist())) > 10


def test_more_rows_than_one_chunk_are_scored():
    hands = array(TILES_OF_HANDS[:2])
    many = np.tile(hands, (AT_ONCE // 2 + 3, 1))
    winds = {"seat_wind": Wind.EAST, "prevailing_wind": Wind.EAST}
    assert final_scores(many, **winds).tolist() == final_scores(hands, **winds).tolist() * (
        AT_ONCE // 2 + 3
    )


def test_an_empty_array_has_no_scores():
    none = np.zeros((0, 34), np.uint8)
    assert final_scores(none, seat_wind=Wind.EAST, prevailing_wind=Wind.EAST).tolist() == []


TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
WINDS_OF_SOUTH = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}
GOOD = ["222B 345B 55B 222D GGG", "222B 345B 55B 222D GG9C"]


@pytest.mark.parametrize("whole", TYPES)
def test_arrays_of_any_whole_numbers_are_scored(whole):
    hands = array(map(parse_tiles, GOOD)).astype(whole)
    assert final_scores(hands, **WINDS_OF_SOUTH).tolist() == [70, 0]


@pytest.mark.parametrize("other", [float, bool, object, str, complex])
def test_arrays_of_other_types_are_refused(other):
    hands = array(map(parse_tiles, GOOD)).astype(other)
    with pytest.raises(ValueError, match="an array of whole numbers, not of"):
        final_scores(hands, **WINDS_OF_SOUTH)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("22222B 345B 5B 222D GGG", "5 × 2 of Bamboo: there are 0 to 4 tiles of each kind."),
        ("222B", "3 tiles: a winning hand has 14, and one more for each kong (at most 18)."),
        (
            "1111B 2222B 3333B 4444B 55B E",
            "19 tiles: a winning hand has 14, and one more for each kong (at most 18).",
        ),
    ],
)
@pytest.mark.parametrize("before", [1, AT_ONCE + 1])
def test_a_row_that_is_no_hand_is_named(before, text, sentence):
    good, bad = array([parse_tiles(GOOD[0])]), array([parse_tiles(text)])
    hands = np.concatenate([np.tile(good, (before, 1)), bad, bad])
    with pytest.raises(HandError) as refused:
        final_scores(hands, **WINDS_OF_SOUTH)
    assert str(refused.value) == f"hands[{before}]: {sentence}"


def test_negative_counts_of_a_kind_are_refused_with_their_row():
    hands = array(map(parse_tiles, GOOD)).astype(int)
    hands[1, 0] = -1
    with pytest.raises(HandError, match=r"^hands\[1\]: -1 × 1 of Bamboo: there are 0 to 4"):
        final_scores(hands, **WINDS_OF_SOUTH)


@pytest.mark.parametrize("field", ["seat_wind", "prevailing_wind"])
def test_scores_of_arrays_refuse_a_wind_that_does_not_exist(field):
    with pytest.raises(HandError, match="A wind is E, S, W or N"):
        final_scores(array(map(parse_tiles, GOOD)), **{**WINDS_OF_SOUTH, field: "Q"})


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        (np.zeros(34, int), "shape"),
        (np.zeros((2, 14), int), "shape"),
        (np.full((1, 34), 5), "0 to 4 tiles of each kind"),
        (np.full((1, 34), -1), "0 to 4 tiles of each kind"),
    ],
)
def test_an_array_of_another_shape_is_refused(hands, sentence):
    with pytest.raises(ValueError, match=sentence):
        final_scores(hands, seat_wind=Wind.EAST, prevailing_wind=Wind.EAST)
