"""The seven limit hands: each true, nearly true, and what it scores."""

import pytest

from scoring.evaluator.hand import Hand
from scoring.evaluator.rules import LIMIT_RULES, RuleSet

NAMES = [rule.id for rule in LIMIT_RULES]


def hand(text, **more) -> Hand:
    return Hand.from_notation(text, "S", "E", **more)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("RRR GGG WhWhWh 234B 55C", {"big_three_dragons"}),
        ("RRRR GGGG WhWhWhWh 234B 55C", {"big_three_dragons"}),
        ("EEE SSS WWW NN 234B", {"little_four_winds"}),
        ("EEEE SSS WWW NN 222B", {"little_four_winds"}),
        ("EEE SSS WWW NNN 55B", {"big_four_winds"}),
        ("EEE SSS RRR GGG WW", {"all_honors"}),
        ("EEE SSS WWW NNN RR", {"all_honors", "big_four_winds"}),
        ("EEE SSS WWW NN RRR", {"all_honors", "little_four_winds"}),
        ("RRR GGG WhWhWh EEE SS", {"all_honors", "big_three_dragons"}),
        ("111B 999B 111C 999D 11D", {"all_terminals"}),
        ("1111B 9999B 1111C 9999D 11D", {"all_terminals"}),
        ("19B 19C 19D ESWNRGWh Wh", {"thirteen_orphans"}),
        ("19B 19C 19D ESWNRGWh 9D", {"thirteen_orphans"}),
        *((f"1112345678999C {rank}C", {"nine_gates"}) for rank in range(1, 10)),
        ("1112345678999B 5B", {"nine_gates"}),
        ("1112345678999D 5D", {"nine_gates"}),
        ("123B# 11456789999B", {"nine_gates"}),
    ],
)
def test_a_limit_hand_is_recognised(text, limits):
    one = hand(text)
    assert {name for name in NAMES if getattr(one, name)()} == limits
    card = one.score_card()
    assert set(card.limits) == limits
    assert card.final == one.final_score() == 500
    assert one.final_score(RuleSet(slug="low", limit=300)) == 300


@pytest.mark.parametrize(
    "text",
    [
        "RRR GGG WhWh 234B 555C",
        "EEE SSS WWW 22B 234B",
        "EEE SSS NN 234B 555B",
        "EEE SSS RRR GGG 11B",
        "111B 999B 111C 999D EE",
        "111B 999B 111C 99D 789D",
        "111B 234B 567B 888B 99B",
    ],
)
def test_a_hand_near_a_limit_hand_is_not_one(text):
    one = hand(text)
    assert one.mahjongg()
    assert {name for name in NAMES if getattr(one, name)()} == set()


@pytest.mark.parametrize(
    "more",
    [{"concealed": False}, {"melds": ["234B"]}],
)
def test_nine_gates_is_concealed(more):
    one = hand("1112345678999B 5B", **more)
    assert one.mahjongg()
    assert not one.nine_gates()


def test_nine_gates_has_no_kong():
    one = hand("1111B 234B 55B 678B 999B")
    assert one.mahjongg()
    assert not one.nine_gates()


def test_thirteen_orphans_has_no_sets_to_report():
    card = hand("19B 19C 19D ESWNRGWh Wh").score_card()
    assert (card.points, card.doubles, card.total, card.final) == (20, 0, 20, 500)
    assert (card.sets, card.interpretations, card.double_report) == ((), [], ())
    assert [line.rule for line in card.point_report] == ["winning"]


def test_a_hand_that_does_not_win_is_no_limit_hand():
    one = hand("19B 19C 19D ESWNRGG 5B")
    assert not any(getattr(one, name)() for name in NAMES)
