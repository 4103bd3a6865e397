"""``POST score/`` by the rule books that ship: more is asked, and what a book does not know is refused."""

import pytest

from scoring.services.rulesets import install_rulesets

pytestmark = pytest.mark.django_db

URL = "/api/v1/score/"
HAND = {"tiles": "222B* 345B 55B 222D GGG", "seat": "S", "prevailing": "E"}
DMJL = {**HAND, "ruleset": "dmjl"}


@pytest.fixture(autouse=True)
def _rulesets():
    install_rulesets()


def refused(visitor, **asked):
    response = visitor.post(URL, asked)
    assert response.status_code == 400, response.json()
    return {error["field"]: error for error in response.json()["errors"]}


def test_open_sets_bonus_tiles_and_the_winning_tile_count(visitor):
    asked = {**DMJL, "winning_tile": "3B", "won_by": "robbing_kong", "bonus": ["F1", "Y2"]}
    card = visitor.post(URL, asked).json()
    assert (card["winning"], card["ruleset"], card["bonus"]) == (True, "dmjl", ["F1", "Y2"])
    lines = {line["rule"]: line["points"] for line in card["point_report"]}
    assert (lines["flower"], lines["season"]) == (4, 4)
    assert [tile_set["concealed"] for tile_set in card["sets"] if "2B" in tile_set["tiles"]] == [
        False
    ]
    assert any(line["rule"] == "robbing_kong" for line in card["double_report"])


def test_a_call_with_enough_bonus_tiles_wins_without_others(visitor):
    flowers = {
        "bonus": ["F1", "F2", "F3", "F4", "Y1", "Y2", "Y3", "Y4"],
        "ruleset": "hk",
        "tiles": "",
    }
    card = visitor.post(URL, {**HAND, **flowers, "won_by": "self_drawn"}).json()
    assert (card["winning"], card["final"], card["sets"]) == (True, 64, [])
    assert refused(visitor, **{**HAND, **flowers})["won_by"]["code"] == "not_drawn"


def test_bonus_tiles_may_be_a_text_with_commas(visitor):
    one, other = (
        visitor.post(URL, {**DMJL, "bonus": bonus}).json() for bonus in ("f1, y2", ["F1", "Y2"])
    )
    assert one == other


def test_self_drawn_is_a_way_of_winning(visitor):
    one = visitor.post(URL, {**DMJL, "self_drawn": True}).json()
    other = visitor.post(URL, {**DMJL, "won_by": "self_drawn"}).json()
    assert one == other
    assert "self_drawn" in refused(visitor, **DMJL, self_drawn=True, won_by="discard")


def test_a_hand_that_did_not_win_scores_where_losers_do(visitor):
    card = visitor.post(URL, {**DMJL, "tiles": "222B* 345B 55B", "won_by": ""}).json()
    assert (card["winning"], card["final"] > 0) == (False, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("won_by", "kicked"),
        ("winning_tile", "9D"),
        ("winning_tile", "2D 2D"),
        ("bonus", ["F9"]),
        ("bonus", ["F1", "F1"]),
        ("bonus", 5),
        ("flags", ["goulash"]),
        ("flags", "x" * 500),
        ("value", 25),
        ("value", -1),
        ("concealed", True),
        ("ruleset", "nothing"),
        ("tiles", "222B* 345B 55B 222D"),
    ],
)
def test_what_a_book_does_not_know_is_refused_by_name(visitor, field, value):
    assert field in refused(visitor, **{**DMJL, field: value})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("won_by", "robbing_kong"),
        ("won_by", ""),
        ("bonus", ["F1"]),
        ("winning_tile", "2D"),
        ("flags", ["original_call"]),
        ("value", 25),
    ],
)
def test_the_clubs_rules_refuse_what_only_books_know(visitor, field, value):
    assert "Club" in refused(visitor, **{**HAND, field: value})[field]["message"]


def test_the_clubs_rules_know_how_a_tile_is_drawn(visitor):
    one = visitor.post(URL, {**HAND, "won_by": "self_drawn"}).json()
    assert one == visitor.post(URL, {**HAND, "self_drawn": True}).json()
    assert "faan" not in one
    assert visitor.post(URL, {**HAND, "won_by": "discard"}).json() == visitor.post(URL, HAND).json()


def test_a_name_of_no_rules_is_told_all_that_there_are(visitor):
    message = refused(visitor, **{**HAND, "ruleset": "nothing"})["ruleset"]["message"]
    assert "club" in message
    assert "dmjl" in message


@pytest.mark.parametrize("slug", ["club", "dmjl"])
def test_a_hand_that_lacks_a_tile_is_told_what_it_waits_for(visitor, slug):
    asked = {**HAND, "tiles": "222B* 345B 55B 222D GG", "ruleset": slug}
    advice = visitor.post(f"{URL}advice/", asked).json()
    whole = {**asked, "tiles": f"{asked['tiles']} G"}
    final = visitor.post(URL, {**whole, **({"winning_tile": "G"} if slug == "dmjl" else {})})
    assert advice["exchanges"] == []
    assert advice["waits"][-1] == {"tile": "G", "final": final.json()["final"], "left": 2}


@pytest.mark.parametrize("slug", ["club", "dmjl"])
def test_a_hand_that_does_not_win_is_told_the_exchanges(visitor, slug):
    asked = {**HAND, "tiles": "222B* 345B 55B 222D GG R", "ruleset": slug}
    advice = visitor.post(f"{URL}advice/", asked).json()
    best = advice["exchanges"][0]
    assert (advice["waits"], best["given"], best["taken"]) == ([], "R", "G")


def test_a_book_of_a_card_and_what_is_no_hand_get_no_advice(visitor):
    for wrong, field in (
        ({**HAND, "ruleset": "card", "value": 25}, "ruleset"),
        ({**DMJL, "tiles": "222B 333B"}, "tiles"),
        ({**HAND, "tiles": "222B 333B"}, "tiles"),
    ):
        response = visitor.post(f"{URL}advice/", wrong)
        assert response.status_code == 400, response.json()
        assert [error["field"] for error in response.json()["errors"]] == [field]
