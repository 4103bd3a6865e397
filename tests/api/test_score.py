"""``POST score/``: what a hand scores, for anybody."""

import json
from pathlib import Path

import pytest
from rest_framework.throttling import ScopedRateThrottle

from scoring.evaluator.notation import parse_wind
from scoring.evaluator.scorecard import score
from scoring.models import Hand, RuleSet, RuleSetVersion
from scoring.services.rulesets import install_rulesets
from scoring.translation import card_in_words
from tests.factories import BOOK_CODES, BOOK_HAND

pytestmark = pytest.mark.django_db

URL = "/api/v1/score/"
BOOK = {"tiles": BOOK_HAND, "seat": "S", "prevailing": "E"}
CASES = json.loads((Path(__file__).parents[1] / "evaluator/cases/hands.json").read_text())
NO_HANDS = [case for case in CASES if "problems" in case["expect"]]
HANDS = [case for case in CASES if case not in NO_HANDS]


@pytest.fixture(autouse=True)
def _rulesets():
    install_rulesets()


def test_the_first_hand_of_the_book_scores_as_in_the_book(visitor):
    card = visitor.post(URL, BOOK).json()
    assert (card["winning"], card["points"], card["doubles"]) == (True, 36, 1)
    assert (card["total"], card["final"], card["limits"]) == (72, 70, [])
    assert (card["ruleset"], card["version"], card["why"]) == ("club", 1, None)
    assert sum(line["points"] for line in card["point_report"]) == 36
    assert [line["rule"] for line in card["double_report"]] == ["lucky_sets"]
    assert sorted(s["kind"] for s in card["sets"]) == ["chow", "pair", "pung", "pung", "pung"]
    assert sum(one["chosen"] for one in card["interpretations"]) == 1
    assert not Hand.objects.exists()


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case["id"])
def test_every_worked_example_scores_as_worked_out(visitor, case):
    fields = ("tiles", "seat", "prevailing", "self_drawn", "concealed")
    asked = {name: case[name] for name in fields if name in case}
    card = visitor.post(URL, asked).json()
    expected = case["expect"]
    assert card == card_in_words(score(**asked).as_dict())
    assert card["winning"] is expected["winning"]
    assert card["final"] == expected.get("final")
    assert len(card["interpretations"]) == expected["interpretations"]
    if "total" in expected:
        doubles = sum(expected["doubles"].values())
        figures = (card["points"], card["doubles"], card["total"])
        assert figures == (expected["points"], doubles, expected["total"])


@pytest.mark.parametrize("case", NO_HANDS, ids=lambda case: case["id"])
def test_every_worked_example_that_is_no_hand_is_refused(visitor, case):
    fields = ("tiles", "seat", "prevailing", "self_drawn", "concealed")
    asked = {name: case[name] for name in fields if name in case}
    response = visitor.post(URL, asked)
    assert response.status_code == 400
    assert {error["field"] for error in response.json()["errors"]} == {"tiles"}


@pytest.mark.parametrize("tiles", ["Whıte", "WHİTE", "222B 345B 55B 222D Whıte"])
def test_a_letter_that_only_folds_to_one_of_a_tile_is_a_problem_of_the_call(visitor, tiles):
    response = visitor.post(URL, BOOK | {"tiles": tiles})
    assert response.status_code == 400
    [error] = response.json()["errors"]
    assert (error["field"], error["code"]) == ("tiles", "unknown_tile")


@pytest.mark.parametrize(
    "asked",
    [
        {"tiles": "２２２Ｂ ３４５Ｂ ５５Ｂ ２２２Ｄ ＧＧＧ"},
        {"tiles": "222B 345B 55B 222D Green dragon Green dragon Green dragon"},
        {"tiles": [*BOOK_CODES[:-1], "Green dragon"]},
        {"seat": "Ｓ", "prevailing": "East wind"},
        {"seat": "ſ", "prevailing": "🀀"},
    ],
)
def test_what_is_typed_in_other_characters_is_the_same_hand(visitor, asked):
    assert visitor.post(URL, BOOK | asked).json() == visitor.post(URL, BOOK).json()


@pytest.mark.parametrize("wind", ["Eaﬆ wınd", "İ", "wİnd"])
def test_a_wind_that_is_none_is_refused_at_its_field(visitor, wind):
    response = visitor.post(URL, BOOK | {"seat": wind})
    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == ["seat"]


def test_tiles_are_taken_as_text_or_as_a_list(visitor):
    assert visitor.post(URL, BOOK | {"tiles": BOOK_CODES}).json() == visitor.post(URL, BOOK).json()


def test_a_hand_that_does_not_win_is_answered_with_the_reason(visitor):
    response = visitor.post(URL, BOOK | {"tiles": "222B 345B 55B 222D GG 9C"})
    assert response.status_code == 200
    card = response.json()
    assert (card["winning"], card["final"], card["sets"]) == (False, None, [])
    assert len(card["why"]) > 10


@pytest.mark.parametrize(
    ("melds", "concealed"),
    [
        (["222B*"], False),
        (["222B"], False),
        ([["2B", "2B", "2B"]], False),
        ([{"tiles": "222B", "concealed": False}], False),
        ([{"tiles": ["2B", "2B", "2B"], "concealed": True}], True),
    ],
)
def test_melds_are_honoured_in_every_spelling(visitor, melds, concealed):
    card = visitor.post(URL, BOOK | {"melds": melds}).json()
    declared = next(one for one in card["sets"] if one["tiles"] == ["2B"] * 3)
    assert declared["concealed"] is concealed


class TestTheRuleSet:
    def test_the_rule_set_of_a_score_is_the_club_s_unless_another_is_named(self, visitor):
        assert visitor.post(URL, BOOK | {"ruleset": "book"}).json()["ruleset"] == "book"

    def test_the_rule_set_of_a_score_is_the_newest_version_unless_one_is_named(self, visitor):
        club = RuleSet.objects.get(slug="club")
        RuleSetVersion.objects.create(ruleset=club, number=2, options={"rounding": 1})
        assert visitor.post(URL, BOOK).json()["final"] == 72
        assert visitor.post(URL, BOOK | {"ruleset": "club:1"}).json()["final"] == 70
        assert visitor.post(URL, BOOK | {"ruleset": "club:2"}).json()["version"] == 2

    @pytest.mark.parametrize(
        "name", ["chess", "club:9", "club:x", "club:²", ":", "club:" + "9" * 50]
    )
    def test_a_rule_set_that_is_none_is_refused_with_those_that_exist(self, visitor, name):
        response = visitor.post(URL, BOOK | {"ruleset": name})
        assert response.status_code == 400
        (error,) = response.json()["errors"]
        assert (error["field"], error["code"]) == ("ruleset", "unknown_ruleset")
        assert ", book, " in error["message"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"tiles": "22222B 345B 55B 222D GG"}, "tiles"),
        ({"tiles": "222B"}, "tiles"),
        ({"tiles": ""}, "tiles"),
        ({"tiles": "0X"}, "tiles"),
        ({"tiles": "💥" * 14}, "tiles"),
        ({"tiles": "2B " * 5000}, "tiles"),
        ({"tiles": ["2B"] * 5000}, "tiles"),
        ({"tiles": [2, 2, 2]}, "tiles"),
        ({"tiles": [["2B"]]}, "tiles"),
        ({"tiles": 222}, "tiles"),
        ({"tiles": True}, "tiles"),
        ({"tiles": None}, "tiles"),
        ({"tiles": {}}, "tiles"),
        ({"tiles": "2B\u0000"}, "tiles"),
        ({"tiles": ["2B\u0000"]}, "tiles"),
        ({"seat": "X"}, "seat"),
        ({"seat": 1}, "seat"),
        ({"seat": None}, "seat"),
        ({"seat": "E\u0000"}, "seat"),
        ({"prevailing": "Up"}, "prevailing"),
        ({"prevailing": ["E"]}, "prevailing"),
        ({"melds": "222B"}, "melds"),
        ({"melds": 5}, "melds"),
        ({"melds": {"0": "222B"}}, "melds"),
        ({"melds": [5]}, "melds.0"),
        ({"melds": ["222B", None]}, "melds.1"),
        ({"melds": [{"tiles": "222B", "concealed": "no"}]}, "melds.0"),
        ({"melds": [{}]}, "melds.0"),
        ({"melds": [[["2B"]]]}, "melds.0"),
        ({"melds": ["222B"] * 100}, "melds"),
        ({"melds": ["444B"]}, "melds"),
        ({"tiles": "123B 456B 789B 55D", "melds": ["123B"]}, "melds"),
        ({"concealed": "perhaps"}, "concealed"),
        ({"self_drawn": [True]}, "self_drawn"),
        ({"ruleset": 5}, "ruleset"),
        ({"ruleset": "x" * 500}, "ruleset"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_invalid_value_is_refused_at_its_field(visitor, change, field):
    response = visitor.post(URL, BOOK | change)
    assert response.status_code == 400
    errors = response.json()["errors"]
    assert field in [error["field"] for error in errors]
    assert all(len(error["message"]) > 10 for error in errors)


def test_every_missing_field_is_named(visitor):
    errors = visitor.post(URL, {}).json()["errors"]
    assert [error["field"] for error in errors] == ["tiles", "seat", "prevailing"]


def test_winds_are_taken_by_name(visitor):
    named = BOOK | {"seat": "south", "prevailing": "East"}
    assert parse_wind("south").value == "S"
    assert visitor.post(URL, named).json() == visitor.post(URL, BOOK).json()


def test_too_many_scores_are_throttled(visitor, monkeypatch):
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "score", "2/min")
    assert [visitor.post(URL, BOOK).status_code for _time in range(3)] == [200, 200, 429]
    response = visitor.post(URL, BOOK)
    assert 1 <= int(response["Retry-After"]) <= 61
    assert response.json()["status"] == 429


def test_each_member_is_throttled_alone(visitor, member, monkeypatch):
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "score", "1/min")
    assert visitor.post(URL, BOOK).status_code == 200
    assert visitor.post(URL, BOOK).status_code == 429
    assert member.post(URL, BOOK).status_code == 200
