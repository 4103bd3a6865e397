"""Many hands at once score as one by one."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.evaluator.batch import final_scores
from scoring.evaluator.counts import counts_of, size_of
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.evaluator.tiles import TILES, WINDS, Wind
from tests.evaluator.random_hands import random_case


def hands() -> list[Hand]:
    rng = Random(3)
    dealt = []
    for number in range(600):
        tiles = random_case(number).hand.tiles
        kinds = tuple(kind for code in tiles for kind in TILES if kind.code == code)
        dealt.append(Hand(kinds, seat_wind=Wind.SOUTH, prevailing_wind=rng.choice(WINDS)))
    return dealt


@pytest.mark.parametrize("rules", [CLUB, BOOK, RuleSet(slug="exact", rounding=1, limit=2000)])
@pytest.mark.parametrize("prevailing", WINDS)
def test_a_batch_scores_as_one_by_one(rules, prevailing):
    some = [hand for hand in hands() if hand.prevailing_wind is prevailing]
    one_by_one = [hand.final_score(rules) if hand.mahjongg() else 0 for hand in some]
    assert 0 in one_by_one
    together = final_scores(
        [counts_of(hand.tiles) for hand in some],
        seat_wind=Wind.SOUTH,
        prevailing_wind=prevailing,
        rules=rules,
    )
    assert together == one_by_one


def test_thirteen_orphans_and_an_empty_batch_are_scored():
    orphans = [tile for tile in TILES if not tile.simple()]
    counts = counts_of([*orphans, orphans[0]])
    winds = {"seat_wind": Wind.EAST, "prevailing_wind": Wind.EAST}
    assert final_scores([counts], **winds) == [500]
    assert final_scores([], **winds) == []


def counts(text: str) -> int:
    return counts_of(parse_tiles(text))


GOOD = [counts("222B 345B 55B 222D GGG"), counts("222B 345B 55B 222D GG9C")]
SOUTH = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}
FIVE = "hands[2]: Five {}: a wall has four."
SIZE = "hands[2]: {} tiles: a winning hand has 14, and one more for each kong (at most 18)."
NO_COUNTS = "hands[2]: A hand is given by its counts, as one whole number."


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        (counts("22222B 345B 5B 222D GGG"), FIVE.format("2 of Bamboo")),
        (counts("123B 123B 123B 33B EEE"), FIVE.format("3 of Bamboo")),
        (counts("222B 345B 55B 2D GGGGG"), FIVE.format("Green dragon")),
        (counts("222B 345B 55B 222D GG"), SIZE.format(13)),
        (counts("1111B 2222B 3333B 4444B 55B E"), SIZE.format(19)),
        (counts("222B"), SIZE.format(3)),
        (0, SIZE.format(0)),
        (1, "hands[2]: 1 tile: a winning hand has at least 14."),
        (-1, NO_COUNTS),
        (GOOD[0] - (1 << 170), NO_COUNTS),
        (GOOD[0] + (1 << 170), NO_COUNTS),
        (float(GOOD[0]), NO_COUNTS),
        (True, NO_COUNTS),
        (None, NO_COUNTS),
        ("222B 345B 55B 222D GGG", NO_COUNTS),
    ],
)
def test_what_is_no_hand_is_refused_with_its_row(hand, sentence):
    with pytest.raises(HandError) as refused:
        final_scores([*GOOD, hand, *GOOD], **SOUTH)
    assert str(refused.value) == sentence
    assert {problem.field for problem in refused.value.problems} == {"hands[2]"}


def test_a_row_of_several_problems_is_said_once():
    with pytest.raises(HandError) as refused:
        final_scores([counts("11111B")], **SOUTH)
    assert str(refused.value) == "hands[0]: Five 1 of Bamboo: a wall has four. " + SIZE[10:].format(
        5
    )


def test_more_copies_than_can_be_counted_are_refused():
    with pytest.raises(HandError, match=r"^hands\[0\]: 31 1 of Bamboo: a wall has four\."):
        final_scores([31], **SOUTH)


@pytest.mark.parametrize("wind", ["Q", None, 1])
@pytest.mark.parametrize("field", ["seat_wind", "prevailing_wind"])
def test_what_is_no_wind_is_refused_at_its_field(field, wind):
    with pytest.raises(HandError, match="A wind is E, S, W or N") as refused:
        final_scores(GOOD, **{**SOUTH, field: wind})
    assert [problem.field for problem in refused.value.problems] == [field]


def test_winds_are_read_in_any_spelling():
    assert final_scores(GOOD, seat_wind="South", prevailing_wind="e") == [70, 0]


@given(st.lists(st.sampled_from(TILES), max_size=136))
def test_tiles_are_counted_from_their_counts(tiles):
    held = [tile for tile in TILES for _copy in range(min(4, tiles.count(tile)))]
    assert size_of(counts_of(held)) == len(held)


# As one suit only they would score some 600.
@pytest.mark.parametrize("rules", [CLUB, RuleSet(slug="high", limit=2000)])
@pytest.mark.parametrize("one_more", TILES[:9])
def test_nine_gates_are_concealed(one_more, rules):
    gates = [*TILES[:9], TILES[0], TILES[0], TILES[8], TILES[8], one_more]
    winds = {"seat_wind": Wind.EAST, "prevailing_wind": Wind.EAST}
    assert final_scores([counts_of(gates)], **winds, rules=rules) == [rules.limit]
