"""The scorecard, figure for figure in the shape that the API promises."""

import json

from scoring.evaluator import readings
from scoring.evaluator.rules import BOOK
from scoring.evaluator.scorecard import score

HAND = "222B* 345B 55B 222D GGG"


def test_a_winning_hand_in_the_shape_of_the_contract():
    card = score(HAND, "South", "East").as_dict()
    sets = [
        {"kind": "pung", "tiles": ["2B", "2B", "2B"], "concealed": False, "points": 4},
        {"kind": "chow", "tiles": ["3B", "4B", "5B"], "concealed": True, "points": 0},
        {"kind": "pair", "tiles": ["5B", "5B"], "concealed": True, "points": 0},
        {"kind": "pung", "tiles": ["2D", "2D", "2D"], "concealed": True, "points": 4},
        {"kind": "pung", "tiles": ["G", "G", "G"], "concealed": True, "points": 8},
    ]
    figures = {"points": 36, "doubles": 1, "total": 72, "final": 70}
    assert card == {
        "winning": True,
        **figures,
        "limits": [],
        "ruleset": "club",
        "version": 1,
        "sets": sets,
        "point_report": [
            {"rule": "winning", "label": "Winning", "tiles": [], "points": 20},
            line("pung", "Pung: 2 of Bamboo", "2B 2B 2B", 4),
            line("chow", "Chow: 3B 4B 5B", "3B 4B 5B", 0),
            line("pair", "Pair: 5 of Bamboo", "5B 5B", 0),
            line("pung", "Pung: 2 of Dots", "2D 2D 2D", 4),
            line("pung", "Pung: Green dragon", "G G G", 8),
        ],
        "double_report": [{"rule": "lucky_sets", "label": "Lucky sets", "doubles": 1, "group": ""}],
        "interpretations": [{"sets": sets, **figures, "chosen": True}],
        "why": None,
    }
    assert json.loads(json.dumps(card)) == card


def line(rule, label, tiles, points):
    return {"rule": rule, "label": label, "tiles": tiles.split(), "points": points}


def test_a_hand_that_does_not_win_has_no_figures_but_a_reason():
    card = score("222B 345B 55B 222D GG9C", "S", "E", rules=BOOK)
    assert not card.winning
    assert card.why.startswith("This hand does not win.")
    assert card.as_dict() == {
        "winning": False,
        "points": None,
        "doubles": None,
        "total": None,
        "final": None,
        "limits": [],
        "ruleset": "book",
        "version": 1,
        "sets": [],
        "point_report": [],
        "double_report": [],
        "interpretations": [],
        "why": card.why,
    }
    assert (card.points, card.doubles, card.total, card.final) == (None,) * 4
    assert (card.limits, card.sets, card.point_report, card.double_report) == ((),) * 4


def test_pairs_are_named_by_what_they_are():
    rules = {
        pair: score(f"123B 456B 789C 234D {pair}", seat, "E").point_report[-1][:2]
        for pair, seat in [("RR", "S"), ("SS", "S"), ("EE", "S"), ("EE", "E"), ("WW", "S")]
    }
    assert {pair: rule for pair, (rule, _label) in rules.items()} == {
        "RR": "pair_dragons",
        "SS": "pair_own_wind",
        "EE": "pair_double_wind",
        "WW": "pair",
    }
    assert score("123B 456B 789C 234D EE", "S", "E").point_report[-1].rule == (
        "pair_prevailing_wind"
    )


def test_changing_a_card_changes_no_other():
    card = score(HAND, "S", "E").as_dict()
    card["sets"][0]["tiles"].append("X")
    card["point_report"][1]["tiles"].clear()
    card["limits"].append("all_honors")
    assert score(HAND, "S", "E").as_dict()["sets"][0]["tiles"] == ["2B", "2B", "2B"]
    assert score(HAND, "S", "E").as_dict()["limits"] == []


def test_the_cache_of_scorecards_can_be_cleared():
    before = score(HAND, "S", "E").as_dict()
    assert readings.parts_with.cache_info().currsize
    readings.forget()
    assert not readings.parts_with.cache_info().currsize
    assert score(HAND, "S", "E").as_dict() == before


def test_a_scorecard_names_its_rule_set():
    card = score(HAND, "S", "E", rules=BOOK)
    assert (card.ruleset, card.version) == ("book", 1)
