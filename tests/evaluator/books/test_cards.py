"""A hand as somebody enters it under a rule book, and the card that is shown of it."""

import pytest

from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.entry import player_hand
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import from_data, load, shipped
from scoring.evaluator.hand import Hand
from scoring.evaluator.problems import HandError


def card(slug, *args, **kwargs):
    book = load(slug)
    hand = player_hand(book, *args, **kwargs)
    engine = compiled(book)
    ranked = engine.judged(hand) if hand.won else [engine.loser(hand)]
    return BookCard(book, hand, ranked)


@pytest.fixture
def refused():
    def refused(*args, **kwargs):
        with pytest.raises(HandError) as error:
            card(*args, **kwargs)
        return {
            problem.field: (problem.code, str(problem.message)) for problem in error.value.problems
        }

    return refused


def test_a_card_adds_up():
    shown = card(
        "dmjl", "222B* 345B 55B 222D GGG", "S", "E", bonus=["F1", "Y2"], winning_tile="5B"
    ).as_dict()
    assert shown["winning"]
    assert shown["points"] == sum(line["points"] for line in shown["point_report"])
    assert shown["doubles"] == sum(line["doubles"] for line in shown["double_report"])
    assert shown["total"] == shown["final"] == shown["points"] << shown["doubles"]
    pungs = [line["tiles"] for line in shown["point_report"] if line["rule"] == "pung_simple"]
    assert sorted(pungs) == [["2B"] * 3, ["2D"] * 3]
    assert {
        "kind": "pung",
        "tiles": ["2B"] * 3,
        "concealed": False,
        "last": False,
        "points": 2,
    } in (shown["sets"])
    assert shown["bonus"] == ["F1", "Y2"]
    assert shown["why"] is None


@pytest.mark.parametrize(
    "tiles", ["222B 345B 55B 222D GGG", "EEEE 111B 999B 22D SSS", "123B 456B 789B 123C 55D"]
)
def test_a_card_of_the_clubs_book_has_the_figures_of_the_clubs_card(tiles):
    shown = card("club", tiles, "S", "E").as_dict()
    expected = Hand.from_notation(tiles, "S", "E").score_card().as_dict()
    for figure in ("winning", "points", "doubles", "total", "final", "limits"):
        assert shown[figure] == expected[figure]
    lines = [
        sorted((line["rule"], line["points"]) for line in one["point_report"])
        for one in (shown, expected)
    ]
    assert lines[0] == lines[1]


def test_melds_may_stand_beside_the_tiles_or_among_them():
    melds = [{"tiles": ["2B"] * 3, "concealed": False}]
    beside = card("dmjl", ["345B", "55B", "222D", "GGG"], "S", "E", melds=melds)
    starred = card("dmjl", "222B* 345B 55B 222D GGG", "S", "E")
    assert beside.as_dict() == starred.as_dict()


def test_a_limit_hand_names_its_limits():
    shown = card("dmjl", "RRR GGG WhWhWh 123B 55D", "S", "E").as_dict()
    assert shown["limits"] == ["three_great_scholars"]
    assert shown["final"] == 500
    assert [line["limit"] for line in shown["limit_report"]] == [100]


def test_the_tiles_of_a_loser_are_worth_something():
    shown = card("dmjl", "RRR* 55B 12489C 14D E", "S", "E", won_by="")
    assert not shown.winning
    assert shown.why is None
    figures = shown.as_dict()
    assert (figures["points"], figures["doubles"], figures["final"]) == (4, 1, 8)


def test_what_does_not_win_says_what_would():
    shown = card("dmjl", "147B 258C 369D ESWN R", "S", "E")
    assert not shown.winning
    assert "Four sets and a pair" in shown.why
    assert shown.as_dict()["final"] is None
    assert shown.limits == []


def test_a_hand_that_is_worth_too_little_is_no_win():
    book = from_data({"base": "dmjl", "slug": "house", "name": "House", "counting": {"minimum": 1}})
    hand = player_hand(book, "222B* 345B 345D 55C 678D", "S", "E")
    shown = BookCard(book, hand, compiled(book).judged(hand))
    assert not shown.winning
    assert shown.why == (
        "The tiles are a whole hand, but worth too little by House. Doubles: 0, and it takes 1."
    )


def test_what_does_not_help_to_the_minimum_is_named():
    assert card("hk", "234B* 345B 567C 777D RR", "S", "E", bonus=["F2", "F3"]).why == (
        "The tiles are a whole hand, but worth too little by Hong Kong old style. Faan: 0, and it "
        "takes 3. This does not help to reach it: Own flower."
    )


def test_a_sum_that_is_too_small_is_told_in_points():
    changes = {"base": "zung-jung", "slug": "dear", "name": "Dear", "counting": {"minimum": 100}}
    book = from_data(changes)
    hand = player_hand(book, "234B* 345B 567C 777D RR", "S", "E")
    why = BookCard(book, hand, compiled(book).judged(hand)).why
    assert why == (
        "The tiles are a whole hand, but worth too little by Dear. Points: 1, and it takes 100."
    )


CONDITION = {"id": "four_sets", "when": "chows <= 1 and tiles(dragon) == 0"}


@pytest.mark.parametrize(
    ("changes", "tiles", "asked"),
    [
        ({}, "123B 456D 777C 222C 55D", "At most one chow."),
        ({"form": [CONDITION]}, "123B 456D 777C RRR 55D", "chows <= 1; tiles(dragon) == 0"),
        ({"form": [CONDITION]}, "123B 444D 777C RRR 55D", "tiles(dragon) == 0"),
        (
            {"form": [{"id": "four_sets", "concealed": True}]},
            "123B* 456D 777C 222C 55D",
            "Nothing of it may lie open. At most one chow.",
        ),
        (
            {"form": [{"id": "four_sets", "concealed": True}]},
            "123B* 444D 777C 222C 55D",
            "Nothing of it may lie open.",
        ),
        # No part fails by itself: by one reading it has a set of 1, by another no chow.
        (
            {"form": [{"id": "four_sets", "when": "chows >= 3 and pungs >= 3"}]},
            "111222333B 444D 55D",
            "chows >= 3; pungs >= 3",
        ),
    ],
)
def test_a_form_says_what_else_it_asks(changes, tiles, asked):
    book = from_data({"base": "bmja", "slug": "house", "name": "House", **changes})
    hand = player_hand(book, tiles, "S", "E")
    why = BookCard(book, hand, compiled(book).judged(hand)).why
    assert why == f"These tiles are “Four sets and a pair”, but House asks more of them: {asked}"


@pytest.mark.parametrize(
    ("arguments", "field", "code"),
    [
        ({"tiles": "222B 345B 55B 222D GG"}, "tiles", "wrong_number"),
        ({"tiles": "222B 345B 55B 222D GGGG R"}, "tiles", "wrong_number"),
        ({"tiles": "22222B 345B 22D GGG R"}, "tiles", "too_many_copies"),
        ({"tiles": "222X 345B 55B 222D GGG"}, "tiles", "unknown_tile"),
        ({"seat": "Q"}, "seat", "unknown_wind"),
        ({"bonus": ["F9"]}, "bonus", "unknown"),
        ({"bonus": ["F1", "F1"]}, "bonus", "twice"),
        ({"winning_tile": "9D"}, "winning_tile", "not_there"),
        ({"winning_tile": "5B 4B"}, "winning_tile", "not_one"),
        ({"won_by": "luck"}, "won_by", "unknown"),
        ({"won_by": "earth_draw"}, "won_by", "not_in_book"),
        ({"flags": ["rich"]}, "flags", "unknown"),
        ({"flags": ["goulash"]}, "flags", "not_in_book"),
    ],
)
def test_impossible_arguments_of_a_card_are_refused_with_their_code(
    arguments, field, code, refused
):
    usual = {"tiles": "222B 345B 55B 222D GGG", "seat": "S", "prevailing": "E"}
    problems = refused("dmjl", **{**usual, **arguments})
    assert problems[field][0] == code
    assert problems[field][1]


def test_a_book_without_bonus_tiles_refuses_them(refused):
    problems = refused("club", "222B 345B 55B 222D GGG", "S", "E", bonus=["F1"])
    assert problems["bonus"] == ("not_in_book", "Club does not know “F1”.")


def test_a_value_that_runs_below_nothing_is_nothing():
    patterns = [
        {"id": "groups", "doubles": "chows - 5"},
        {"id": "extra", "name": "E", "times": "0 - 1", "points": 9},
    ]
    book = from_data({"base": "club", "slug": "house", "name": "House", "pattern": patterns})
    hand = player_hand(book, "222B 333B 55B 222D GGG", "S", "E")
    assert compiled(book).judged(hand)[0].verdict.doubles == 1


def test_the_line_of_a_card_needs_no_tiles():
    assert card("card", "", "S", "E", won_by="self_drawn", value=25).as_dict()["final"] == 50


def test_what_is_added_last_stands_beside_the_rest():
    """Bonus tiles beside Purity in BMJA."""
    purity = "111B* 333B 666B 222B 88B"
    card_of_purity = card(
        "bmja", purity, "E", "E", won_by="self_drawn", winning_tile="8B", bonus=["F2"]
    )
    assert card_of_purity.as_dict()["beside"] == {"points": 4, "doubles": 0}


@pytest.mark.parametrize("slug", [slug for slug in shipped() if not load(slug).engine])
def test_the_lines_of_a_card_are_whole_numbers(slug):
    """As their schema says: what holds is 1 there, and not true."""
    book = load(slug)
    hands = [
        parse_player_hand(example.hand) for pattern in book.patterns for example in pattern.has
    ]
    cards = [BookCard(book, hand, compiled(book).judged(hand)) for hand in hands if hand.won]
    lines = [line for card in cards for line in card.as_dict()["double_report"]]
    assert {type(line["times"]) for line in lines} <= {int}
