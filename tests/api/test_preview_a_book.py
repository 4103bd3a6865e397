"""``POST rulesets/preview/``: hands by a book that is stored nowhere."""

import pytest

from scoring.services import book_preview
from scoring.services.rulesets import install_rulesets

pytestmark = pytest.mark.django_db

URL = "/api/v1/rulesets/preview/"
HAND = "222B* 345B 55B 222D GGG; won_by=discard; last=2D; seat=S"


@pytest.fixture(autouse=True)
def _rulesets():
    install_rulesets()


def fields(response):
    assert response.status_code == 400, response.json()
    return [error["field"] for error in response.json()["errors"]]


@pytest.mark.parametrize(
    "book",
    [
        'base = "dmjl"\nslug = "ours"\nname = "Ours"\n[[pattern]]\nid = "winning"\npoints = 50',
        {
            "base": "dmjl",
            "slug": "ours",
            "name": "Ours",
            "pattern": [{"id": "winning", "points": 50}],
        },
    ],
    ids=["toml", "data"],
)
def test_a_hand_is_scored_by_the_change_and_by_its_base(visitor, book):
    answer = visitor.post(URL, {"book": book, "hands": [HAND, "222B; won_by=discard"]}).json()
    assert (answer["slug"], answer["base"]) == ("ours", "dmjl")
    right, wrong = answer["hands"]
    assert right["tried"]["card"]["points"] == right["base"]["card"]["points"] + 30
    assert wrong["tried"]["card"]["winning"] is False
    assert right["tried"]["errors"] == []


def test_a_hand_that_cannot_be_is_told_beside_the_others(visitor):
    answer = visitor.post(URL, {"book": {"base": "dmjl"}, "hands": [HAND, "??", "22222B"]}).json()
    good, unread, five = answer["hands"]
    assert good["tried"]["card"]
    assert not unread["tried"]["card"]
    assert five["tried"]["errors"][0]["code"] == "too_many_copies"
    assert unread["base"]["errors"] == unread["tried"]["errors"]


def test_what_is_wrong_with_a_book_is_told_with_line_and_field(visitor):
    book = 'base = "dmjl"\n\n[[pattern]]\nid = "winning"\npoints = -5'
    response = visitor.post(URL, {"book": book, "hands": [HAND]})
    assert fields(response) == ["book.pattern winning: points"]
    assert response.json()["errors"][0]["message"].startswith("Line 5: ")


@pytest.mark.parametrize(
    "book",
    [
        "no toml",
        "x" * 200_001,
        5,
        [],
        {},
        {"base": "nothing"},
        {"base": ["dmjl"]},
        {"base": "dmjl", "pattern": [{"id": ["x"], "points": 1}]},
        {
            "base": "dmjl",
            "pattern": [{"id": "x", "name": "X", "points": 1, "when": "__import__('os')"}],
        },
        {"base": "dmjl", "counting": {"limit": "much"}},
        {"base": "dmjl", "counting": {"limit": True}},
        {"base": "dmjl", "settlement": {"dealer_doubles": "x"}},
        {"base": "dmjl", "counting": {"rounding": 0}},
        {"base": "dmjl", "counting": {"kind": "faan", "table": 5}},
        {"base": "dmjl", "settlement": {"discarder": {}}},
        {"base": "dmjl", "counting": 5},
        {
            "base": "dmjl",
            "form": [{"id": f"f{i}", "name": "F", "kind": "sets"} for i in range(101)],
        },
    ],
    ids=lambda book: str(book)[:60],
)
def test_bad_books_are_refused(visitor, book):
    assert all(
        field.startswith("book")
        for field in fields(visitor.post(URL, {"book": book, "hands": [HAND]}))
    )


@pytest.mark.parametrize(
    "pattern",
    [
        {"doubles": 1, "times": "0 - 40"},
        {"doubles": "0 - 99"},
        {"doubles": "99 * 99"},
        {"points": "99999 * 99"},
        {"limit": 100_000},
    ],
    ids=str,
)
def test_values_beyond_all_sense_harm_nobody(visitor, pattern):
    book = {"base": "dmjl", "pattern": [{"id": "mine", "name": "Mine", **pattern}]}
    response = visitor.post(URL, {"book": book, "hands": [HAND]})
    assert response.status_code in (200, 400)


@pytest.mark.parametrize(
    "hands",
    [[], [HAND] * 51, "x", [5], ["x" * 401]],
    ids=["none", "many", "text", "number", "long"],
)
def test_hands_are_a_list_of_at_most_fifty(visitor, hands):
    found = fields(visitor.post(URL, {"book": {"base": "dmjl"}, "hands": hands}))
    assert all(field.startswith("hands") for field in found)


def test_hands_that_take_too_long_are_left_out(visitor, monkeypatch):
    monkeypatch.setattr(book_preview, "SECONDS", -1)
    answer = visitor.post(URL, {"book": {"base": "dmjl"}, "hands": [HAND]}).json()
    assert answer["hands"][0]["tried"]["errors"][0]["code"] == "too_slow"
