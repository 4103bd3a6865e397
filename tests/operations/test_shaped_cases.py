"""Files of cases in the one shape: hands and payments, what agrees and what is said of the others."""

import json
from itertools import count
from pathlib import Path

import pytest

from scoring.evaluator.problems import HandError
from scoring.operations import cases
from scoring.operations.cases import shaped, shaped_settlements
from scoring.variants import MissingLibrary
from tests.variants.scorers import scorer

CASES = Path(__file__).parent / "cases"
VARIANTS = Path(__file__).parents[1] / "variants/cases"

HAND = {
    "id": "a",
    "ruleset": "hk",
    "tiles": ["5D", "6D", "7D", "S", "S", "S", "W", "W", "W", "G", "G", "Wh", "Wh", "Wh"],
    "melds": [],
    "bonus": [],
    "winning_tile": "Wh",
    "won_by": "last_tile",
    "seat": "E",
    "prevailing": "S",
    "flags": [],
    "expect": {"winning": True, "meets_minimum": True, "limit": False, "total": None, "faan": 9},
}
PATTERNS = [
    {"id": name, "name": name, "value": value, "count": 1}
    for name, value in (
        ("no_flowers", 1), ("self_pick", 1), ("win_by_last_catch", 1), ("fully_concealed_hand", 1),
        ("round_wind", 1), ("mixed_one_suit", 3), ("dragons", 1),
    )
]  # fmt: skip
META = {"package": "hk-mahjong (npm)", "version": "3.2.0", "shape": "case-shape.md"}
NOT_WINNING = {
    "winning": False,
    "meets_minimum": False,
    "limit": False,
    "faan": None,
    "patterns": None,
}
OPTIONS = {"base": 2, "maximum": 10, "responsibility": "half", "rise": "half"}


@pytest.fixture
def run(tmp_path):
    """``run(*hands, meta)``: the report on a file of these hands, each time another."""
    numbers = count()

    def run(*hands, **meta):
        path = tmp_path / f"{next(numbers)}.json"
        path.write_text(json.dumps({"meta": META | meta, "cases": hands}))
        return shaped.run(path)

    return run


def expecting(case=None, **changes):
    case = HAND if case is None else case
    return {**case, "expect": case["expect"] | changes}


@pytest.fixture
def pay(tmp_path):
    """``pay(case)``: the report on a file of this payment."""

    def pay(case):
        path = tmp_path / "payments.json"
        path.write_text(
            json.dumps({"meta": META, "cases": [{"id": "a", "options": OPTIONS, **case}]})
        )
        return shaped_settlements.run(path)

    return pay


class TestHands:
    def test_hands_that_are_worth_what_is_expected_agree(self, run):
        report = run(HAND, expecting(patterns=PATTERNS))
        assert (report.agree, report.differ) == (2, [])

    def test_hands_with_another_figure_differ_by_name(self, run):
        [difference] = run(expecting(faan=8)).differ
        assert (difference.id, difference.what) == ("a", "faan")
        assert (difference.expected, difference.got, difference.excused) == ("8", "9", "")

    @pytest.mark.parametrize(
        "patterns",
        [PATTERNS[1:], [*PATTERNS, PATTERNS[0]], [{**PATTERNS[0], "value": 2}, *PATTERNS[1:]]],
    )
    def test_hands_with_other_patterns_differ(self, run, patterns):
        assert [one.what for one in run(expecting(patterns=patterns)).differ] == ["patterns"]

    def test_hands_that_are_disputed_are_excused(self, run):
        note = {"id": "a", "note": "another program says 9"}
        report = run(expecting(faan=8), disputed=[note])
        assert [one.excused for one in report.differ] == [note["note"]]
        assert report.unexcused == []

    def test_hands_that_do_not_win_are_expected_not_to(self, run):
        case = {**HAND, "tiles": [*HAND["tiles"][:-1], "1B"], "expect": NOT_WINNING}
        assert run(case).agree == 1

    def test_hands_of_the_limit_have_a_name_without_a_value(self, run):
        case = {
            **HAND,
            "tiles": ["W", "W", "W", "E", "E", "S", "S", "S", "N", "N", "N"],
            "melds": [{"kind": "kong", "tiles": ["G"] * 4, "concealed": False}],
            "winning_tile": "E",
            "expect": {"winning": True, "limit": True, "faan": None},
        }
        name = {"id": "all_honors", "name": "all honors", "value": None, "count": 1}
        assert run(expecting(case, patterns=[name])).agree == 1
        assert run(expecting(case, patterns=[{**name, "value": 10}])).agree == 0

    def test_hands_with_readings_that_tie_are_compared_by_their_figures(self, run):
        case = {
            **HAND,
            "tiles": ["2B", "2B", "2B", "3B", "3B", "3B", "4B", "4B", "4B", "5C", "5C"],
            "melds": [{"kind": "pung", "tiles": ["G"] * 3, "concealed": False}],
            "winning_tile": "5C",
            "won_by": "discard",
            "bonus": ["F2"],
            "seat": "W",
            "expect": {"winning": True, "faan": 4},
        }
        pungs = {"id": "all_in_triplets", "value": 3, "count": 1}
        dragons = {"id": "dragons", "value": 1, "count": 1}
        assert run(expecting(case, patterns=[pungs, dragons])).agree == 1

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"flags": ["luck"]}, "“luck” is not known"),
            ({"flags": ["original_call"]}, "does not know “original_call”"),
            ({"tiles": ["5D"] * 5, "winning_tile": "5D"}, "a wall has four"),
            ({"seat": "up"}, "A wind is"),
        ],
    )
    def test_hands_that_cannot_be_are_refused_by_name(self, run, change, sentence):
        [difference] = run({**HAND, **change}).differ
        assert difference.what == "hand"
        assert sentence in difference.got

    def test_hands_of_a_package_nobody_knows_are_of_the_book_they_name(self, run):
        case = expecting(
            {**HAND, "ruleset": "zung-jung", "won_by": "discard"}, limit=False, faan=None
        )
        patterns = [
            {"id": name, "value": value, "count": 1}
            for name, value in (
                ("concealed_hand", 5), ("mixed_one_suit", 40), ("two_concealed_triplets", 5),
                ("value_honor", 10),
            )
        ]  # fmt: skip
        assert run(expecting(case, patterns=patterns), package="by hand").differ == []


class TestPayments:
    @pytest.mark.parametrize(
        ("how", "winner", "faan", "at_fault", "amounts"),
        [
            ("draw", None, None, None, (0, 0, 0, 0)),
            ("self_drawn", "N", 5, None, (-48, -48, -48, 144)),
            ("discard", "E", 6, "S", (128, -64, -32, -32)),
            ("pays_for_all_discard", "S", 7, "E", (-192, 192, 0, 0)),
            ("pays_for_all_self_drawn", "S", 1, "E", (-12, 12, 0, 0)),
            ("false_win", None, None, "N", (768, 768, 768, -2304)),
        ],
    )
    def test_payments_that_are_as_expected_agree(self, pay, how, winner, faan, at_fault, amounts):
        expect = dict(zip("ESWN", amounts, strict=True))
        case = {"how": how, "winner": winner, "faan": faan, "at_fault": at_fault, "expect": expect}
        assert pay(case).differ == []

    def test_payments_of_another_amount_differ_by_the_seat(self, pay):
        case = {"how": "draw", "winner": None, "faan": None, "at_fault": None}
        [difference] = pay({**case, "expect": {"E": 1, "S": -1, "W": 0, "N": 0}}).differ
        assert difference.what == "E, S"


@pytest.mark.parametrize("change", [{"ruleset": "chess"}, {"expect": None}])
def test_a_case_of_which_something_is_missing_is_named(run, change):
    case = {key: value for key, value in {**HAND, **change}.items() if value is not None}
    with pytest.raises(HandError, match=r"Case 1: .* is missing, or not known"):
        run(case, package="by hand")


def test_a_payment_of_which_something_is_missing_is_named(pay):
    with pytest.raises(HandError, match="Case 1: 'winner' is missing"):
        pay({"how": "draw"})


@pytest.mark.parametrize("name", ["hk", "hk_settlements"])
def test_hong_kong_agrees_with_every_case(name):
    report = cases.run(CASES / f"{name}.json")
    assert report.differ == []
    assert report.agree in (40, 60)


@pytest.mark.parametrize("slug", ["mcr", "riichi"])
def test_books_of_libraries_agree_with_every_case(slug):
    scorer(slug)  # or the test is skipped by name
    report = cases.run(VARIANTS / f"{slug}.json")
    assert (report.agree, report.differ) == (60, [])


def test_cases_of_a_book_without_its_library_say_how_to_get_it(monkeypatch):
    def missing(book):
        raise MissingLibrary(book)

    monkeypatch.setattr(shaped, "scorer_for", missing)
    with pytest.raises(HandError, match=r"pip install -r requirements-variants\.txt"):
        cases.run(VARIANTS / "mcr.json")


def test_a_file_is_told_by_what_it_holds():
    hands = {"meta": META, "cases": [HAND]}
    payments = {"meta": META, "cases": [{"how": "draw"}]}
    assert [shaped.reads(data) for data in (hands, payments, {"cases": []})] == [True, False, False]
    assert [shaped_settlements.reads(data) for data in (hands, payments, {"cases": []})] == [
        False,
        True,
        False,
    ]
