"""Declared sets: marked in the text, among the tiles as data, or beside them."""

import pytest

from scoring.evaluator.books.declared import (
    declared_sets,
    laid_out,
    set_as_json,
    too_few_with_melds,
)
from scoring.evaluator.problems import HandError

KEPT = ["3B", "4B", "5B", "5B", "5B", "2D", "2D", "2D", "G", "G", "G"]
MARKED = declared_sets("222B* 345B 55B 222D GGG")


@pytest.mark.parametrize(
    ("tiles", "melds"),
    [
        ("222B 345B 55B 222D GGG", ["222B"]),
        ("222B* 345B 55B 222D GGG", ["222B*"]),
        (KEPT, [["2B", "2B", "2B"]]),
        (["2B", "2B", "2B", *KEPT], [{"tiles": "222B"}]),
        (" ".join(KEPT), [{"tiles": ["2B", "2B", "2B"], "concealed": False, "claimed": False}]),
    ],
)
def test_declared_sets_say_the_same_in_every_spelling(tiles, melds):
    assert declared_sets(tiles, melds) == MARKED


@pytest.mark.parametrize(
    ("tiles", "melds", "number"),
    [
        ("123B 456B 789B 55D", ["123B"], 11),
        (["1B", "2B", "3B", "7B", "8B", "9B", "5D", "5D"], [{"tiles": "123B"}, "789B*"], 8),
        ("222B* 123B 456B 55D", ["222B*", "123B"], 11),
        # All are there, they wait for one more, they lie beside, or something else is wrong.
        ("123B 123B 456B 789B 55D", ["123B"], None),
        ("123B 456B 789B 5D 999C", ["123B"], None),
        ("456B 789B 999C 55D", ["123B"], None),
        ("222B* 123B 456B 789B 55D", ["222B*"], None),
        ("123B 456B 55X", ["123B"], None),
        ("123B 456B 789B 55D", None, None),
    ],
)
def test_melds_that_too_few_tiles_hold_already_may_be_read_in_two_ways(tiles, melds, number):
    assert too_few_with_melds(tiles, melds) == number


@pytest.mark.parametrize(
    "tiles",
    [
        "1" * 32 + "B 34B 222D 55C 666D GGG",
        ["N"] * 32 + ["R", "R"],
        "Wh" * 64,
        "111B* " * 11 + "2B",
    ],
)
def test_more_tiles_than_a_hand_can_have_are_not_counted_as_others(tiles):
    with pytest.raises(HandError, match=r"^\d\d tiles: a winning hand has 14"):
        declared_sets(tiles, None)
    assert too_few_with_melds(tiles, ["222B"]) is None


def test_melds_of_who_did_not_win_are_among_the_tiles():
    counts, melds = declared_sets("2222C 5C RRR", ["2222C#", "RRR"], whole=False)
    assert [meld.kind for meld in melds] == ["kong", "pung"]
    assert counts == declared_sets("5C")[0]
    assert declared_sets("5C", ["RRR"], whole=False)[0] == counts


@pytest.mark.parametrize(
    ("meld", "kept"),
    [
        ("2222B#", {"kind": "kong", "tiles": ["2B"] * 4, "concealed": True}),
        (
            {"tiles": "2222B", "claimed": True},
            {"kind": "kong", "tiles": ["2B"] * 4, "concealed": False, "claimed": True},
        ),
        ("123B", {"kind": "chow", "tiles": ["1B", "2B", "3B"], "concealed": False}),
        ("5B5C5D", {"kind": "knitted", "tiles": ["5B", "5C", "5D"], "concealed": False}),
        ("5B5C", {"kind": "knitted_pair", "tiles": ["5B", "5C"], "concealed": False}),
        ("EE", {"kind": "pair", "tiles": ["E", "E"], "concealed": False}),
    ],
)
def test_a_declared_set_is_kept_as_data(meld, kept):
    [declared] = declared_sets("", [meld], whole=False)[1]
    assert set_as_json(declared) == kept


@pytest.mark.parametrize(
    ("tiles", "melds", "problem"),
    [
        (17, None, ("tiles", "not_tiles")),
        ("222B", "222B", ("melds", "not_melds")),
        ("222B", ["222B"] * 8, ("melds", "not_melds")),
        ("222B", [{"tiles": "222B", "concealed": "yes"}], ("melds", "not_melds")),
        ("222B", [{"tiles": "222B", "claimed": 1}], ("melds", "not_melds")),
        ("222B# 345B", None, ("melds", "no_meld")),
        ("13B*", None, ("melds", "no_meld")),
        ("12B*", None, ("melds", "no_meld")),
        ("E*", None, ("melds", "no_meld")),
        ("5B*", None, ("melds", "no_meld")),
        ("345B 55B 222D GGG RRR", ["222C"], ("melds", "not_in_the_hand")),
    ],
)
def test_what_is_no_declared_set_is_refused(tiles, melds, problem):
    with pytest.raises(HandError) as error:
        declared_sets(tiles, melds)
    assert {(one.field, one.code) for one in error.value.problems} == {problem}


@pytest.mark.parametrize("mark", ["*", "#", "*#"])
def test_a_mark_before_a_set_is_refused(mark):
    with pytest.raises(HandError, match="belongs after its set, as in 222B"):
        laid_out(f"2222B {mark}3333C")
    assert len(laid_out(f"2222B {mark} 3333C")[1]) == 1
