"""The book's procedure, watched: it ends where the search ends, and says where the book stops short."""

import pytest

from scoring.evaluator.hand import Hand
from scoring.evaluator.problems import HandError
from scoring.evaluator.sets import FourSet
from scoring.evaluator.trace import Action, SetStack, found_by_the_book, trace
from tests.evaluator.random_hands import random_case


def hand(text) -> Hand:
    return Hand.from_notation(text, "S", "E")


def test_a_trace_sorts_begins_takes_falls_back_and_wins():
    steps = list(trace(hand("GGG 222D 55B 345B 222B")))
    assert [step.action for step in steps[:6]] == [
        "sort",
        "begin",
        "add",
        "add",
        "add",
        "fall_back",
    ]
    assert steps[0].stack == "22234555B 222D GGG"
    assert steps[5].sentence == ("The four cannot take 3B. Its tiles go back; a three is tried.")
    assert (steps[5].sets, steps[5].stack) == (("2B",), "2234555B 222D GGG")
    assert steps[-1].action is Action.WIN
    assert steps[-1].stack == ""


NOT_FIVE = "The sets are not five with one pair. Its tiles go back; a {} is tried."
CANNOT = "The {} cannot take {}. Its tiles go back; a {} is tried."


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "222B* 333B* 444B* 345C 55D",
            [
                ("sort", "The tiles are sorted; they are the stack.", "345C 55D"),
                ("begin", "A first set begins: a four.", "345C 55D"),
                ("add", "The four takes 3C.", "45C 55D"),
                ("fall_back", CANNOT.format("four", "4C", "three"), "45C 55D"),
                ("fall_back", CANNOT.format("three", "4C", "sequence"), "45C 55D"),
                ("add", "The sequence takes 4C.", "5C 55D"),
                ("add", "The sequence takes 5C.", "55D"),
                ("begin", "The set is full. Another begins: a four.", "55D"),
                ("add", "The four takes 5D.", "5D"),
                ("add", "The four takes 5D.", ""),
                ("fall_back", NOT_FIVE.format("three"), "5D"),
                ("add", "The three takes 5D.", ""),
                ("fall_back", NOT_FIVE.format("sequence"), "5D"),
                ("fall_back", CANNOT.format("sequence", "5D", "pair"), "5D"),
                ("add", "The pair takes 5D.", ""),
                ("win", "Five full sets, exactly one a pair: it wins.", ""),
            ],
        ),
        (
            "222B* 333B* 444B* GGG* 5D 6D",
            [
                ("sort", "The tiles are sorted; they are the stack.", "56D"),
                ("begin", "A first set begins: a four.", "56D"),
                ("add", "The four takes 5D.", "6D"),
                ("fall_back", CANNOT.format("four", "6D", "three"), "6D"),
                ("fall_back", CANNOT.format("three", "6D", "sequence"), "6D"),
                ("add", "The sequence takes 6D.", ""),
                ("fall_back", NOT_FIVE.format("pair"), "6D"),
                (
                    "give_up",
                    "The pair cannot take 6D. A pair has no kind after it: its tiles go back.",
                    "56D",
                ),
                ("fail", "No set is left to fall back: it does not win.", "56D"),
            ],
        ),
    ],
)
def test_every_step_of_a_trace_has_a_sentence(text, steps):
    assert [(step.action, step.sentence, step.stack) for step in trace(hand(text))] == steps


def test_a_pair_that_does_not_help_changes_the_set_below():
    sentences = {step.sentence for step in trace(hand("22B 345B 666B 777B 88B 9C"))}
    assert {
        "The sets are not five with one pair. A pair has no kind after it: its tiles go back.",
        "The set below has to change. A pair has no kind after it: its tiles go back.",
    } <= sentences


@pytest.mark.parametrize(
    "text", ["22B 345B 666B 777B 88B 9C", "222B 345B 55B 222D GGG", "223344B 55B 222D GGG"]
)
def test_no_sentence_has_a_gap(text):
    assert [step.sentence for step in trace(hand(text)) if "{" in step.sentence] == []


def test_a_pair_has_no_kind_after_it():
    steps = list(trace(hand("22B 345B 666B 777B 88B 9C")))
    assert steps[-1].action is Action.FAIL
    assert steps[-1].sets == ()
    assert Action.GIVE_UP in {step.action for step in steps}
    assert "nothing" not in steps[-1].sentence


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("222B 345B 55B 222D GGG", True),
        ("223344B 55B 222D GGG", False),
        ("233445B 55D 222D GGG", False),
        ("34445B 66D 222D GGG 7C", False),
        ("234B 555B 66D 222D GGG", True),
        ("19B 19C 19D ESWNRGWh E", True),
    ],
)
def test_the_book_finds_or_misses_a_hand_as_listed(text, is_found):
    assert found_by_the_book(hand(text)) is is_found


def test_thirteen_orphans_are_found_at_once():
    [step] = trace(hand("19B 19C 19D ESWNRGWh E"))
    assert step == (
        Action.WIN,
        "Thirteen orphans: the book looks for them before anything else. It wins.",
        (),
        "19B 19C 19D EE S W N R G Wh",
    )


def test_thirteen_orphans_win_on_the_stack_of_sets_too():
    for look_ahead in (True, False):
        assert SetStack(hand("19B 19C 19D ESWNRGWh E"), look_ahead=look_ahead).mahjongg()


@pytest.mark.parametrize(
    "text",
    ["222B 345B 55B 222D GGG", "22B 345B 666B 777B 88B 9C", "19B 19C 19D ESWNRGWh E",
     "222B* 345B 55B 222D GGG"],
)  # fmt: skip
def test_a_stack_that_is_asked_again_answers_the_same(text):
    stack = SetStack(hand(text))
    answer, steps = stack.mahjongg(), list(stack.steps)
    assert answer is hand(text).mahjongg()
    assert (stack.mahjongg(), stack.steps) == (answer, steps)


def test_a_stack_that_falls_back_after_a_win_finds_the_next_one():
    stack = SetStack(hand("111222333B 55C GGG"))
    found = []
    while len(found) < 3 and stack.mahjongg():
        found.append(" ".join(map(str, stack.sets)))
        stack.retry()
    assert found == [
        "1B 1B 1B 2B 2B 2B 3B 3B 3B 5C 5C G G G",
        "1B 2B 3B 1B 2B 3B 1B 2B 3B 5C 5C G G G",
    ]


def test_a_stack_of_sets_that_was_begun_goes_on():
    stack = SetStack(hand("222B 345B 55B 222D GGG"))
    stack.sets.append(FourSet())
    stack.examine()
    assert stack.mahjongg()
    assert stack.sets == list(hand("222B 345B 55B 222D GGG").readings[0].sets)


def test_the_trace_marks_where_the_book_stops_short():
    marked = [step for step in trace(hand("223344B 55B 222D GGG")) if step.beyond_the_book]
    assert "but 3B lies further on" in marked[0].sentence
    assert not any(
        step.beyond_the_book for step in trace(hand("223344B 55B 222D GGG"), look_ahead=False)
    )


def test_declared_sets_are_not_taken_apart():
    steps = list(trace(hand("234B* 234B 55D 222D GGG")))
    assert all(step.sets[0] == "2B 3B 4B" for step in steps)
    assert steps[-1].action is Action.WIN


def test_a_trace_finds_what_the_search_finds_first():
    compared = 0
    for number in range(600):
        case = random_case(number)
        try:
            one = Hand.from_notation(
                case.typed_tiles, case.hand.seat, case.hand.prevailing, case.typed_melds
            )
        except HandError:
            continue
        last = list(trace(one))[-1]
        assert (last.action is Action.WIN) == one.mahjongg()
        if one.mahjongg():
            assert sorted(last.sets) == sorted(map(str, one.readings[0].sets))
            compared += 1
    assert compared > 200
