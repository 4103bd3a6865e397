"""The language of rule books: what it says, what it refuses, and that nothing in it runs."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.expressions import (
    LONGEST,
    Expression,
    ExpressionError,
    predicate_of_sets,
    predicate_of_tiles,
)
from scoring.evaluator.books.loader import from_data
from scoring.evaluator.books.vocabulary import HAND_FACTS, NAMED, SET_WORDS, SHAPES, TILE_WORDS

WORDS = [
    *HAND_FACTS, *NAMED, *SHAPES, *SET_WORDS, *TILE_WORDS, "count(", "any(", "tiles(", "every(", "last(",
    "form(", "option(", ")", "and", "or", "not", "==", "<", ">=", "!=", "+", "-", "*", "**", "/", "//", "0",
    "7", "100000", "999999999", "1.5", "'a'", "lambda", "[", "]", ".", "__import__", "if", "else", ":=", ",",
]  # fmt: skip
HAND = "222B* 345B 55B 222D GGG; last=5B; won_by=discard; seat=S; prevailing=E; bonus=F1,Y2"


def value(expression, hand=HAND):
    """What an expression makes of a hand: the points of a book that says nothing else."""
    book = from_data(
        {
            "slug": "trial",
            "name": "Trial",
            "bonus": True,
            "form": [{"id": "four_sets", "name": "Sets", "kind": "sets"}],
            "pattern": [{"id": "it", "name": "It", "times": expression, "points": 1, "who": "all"}],
        }
    )
    return compiled(book).judged(parse_player_hand(hand))[0].verdict.points


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("chows", 1),
        ("count(pung)", 3),
        ("count(pung and open)", 1),
        ("count(pung and dragon)", 1),
        ("any(pair and last)", 1),
        ("every(green)", 0),
        ("every(single or outside or not outside)", 1),
        ("tiles(bamboo)", 8),
        ("tiles(rank == 2)", 6),
        ("2 <= count(pung) <= 3", 1),
        ("4 <= count(pung) <= 5", 0),
        ("suits == 2 and honors > 0", 1),
        ("suits == 3 or not chows", 0),
        ("3 * chows - 1 + 2", 4),
        ("-chows + 3", 2),
        ("flowers + seasons", 2),
        ("own_season and not own_flower", 1),
        ("last(bamboo and rank == 5)", 1),
        ("form(four_sets)", 1),
        ("won_by_discard and not drawn and not dealer", 1),
        ("option(anything)", 0),
        ("chows - 5", 0),
    ],
)
def test_an_expression_says_what_a_hand_has(expression, expected):
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("", "cannot be read"),
        ("chows ==", "cannot be read"),
        ("(" * 300, "cannot be read"),
        ("x" * (LONGEST + 1), "at most 400 characters"),
        ("1+" * 150 + "1", "at most 120 parts"),
        ("chow", "“chow” is not known here: choose from"),
        ("count(chows)", "“chows” is not known here"),
        ("count(chow, pung)", "takes one condition"),
        ("count()", "takes one condition"),
        ("count(x=1)", "“count(x=1)” cannot stand here"),
        ("form(1)", "“1” cannot stand here"),
        ("open('x')", "cannot stand here"),
        ("chows.real", "cannot stand here"),
        ("chows ** 2", "cannot stand here"),
        ("chows / 2", "cannot stand here"),
        ("chows in 2", "cannot stand here"),
        ("chows is 2", "cannot stand here"),
        ("~chows", "cannot stand here"),
        ("[1][0]", "cannot stand here"),
        ("(lambda: 1)()", "cannot stand here"),
        ("1 if chows else 2", "cannot stand here"),
        ("100001", "Numbers are whole, and at most 100000"),
        ("1.5", "Numbers are whole"),
        ("'a'", "Numbers are whole"),
    ],
)
def test_what_is_no_expression_is_refused_in_words(expression, sentence):
    with pytest.raises(ExpressionError) as refused:
        Expression(expression)
    assert sentence in refused.value.message


def test_a_refusal_names_the_character():
    with pytest.raises(ExpressionError) as refused:
        Expression("chows == 0 and nonsense")
    assert refused.value.column == len("chows == 0 and ")


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_any_words_are_an_expression_or_refused(text):
    with suppress(ExpressionError):
        expression = Expression(text)
        assert repr(expression) == f"Expression({text!r})"
        assert isinstance(expression([1] * len(expression.slots)), int)


@given(st.text(max_size=40))
def test_any_text_is_an_expression_or_refused(text):
    for read in (Expression, predicate_of_sets, predicate_of_tiles):
        with suppress(ExpressionError):
            read(text)


def test_pairs_that_are_different_are_counted():
    book = from_data(
        {
            "slug": "trial",
            "name": "Trial",
            "form": [
                {
                    "id": "seven_pairs",
                    "name": "Pairs",
                    "kind": "pairs",
                    "when": "different_pairs == 7",
                },
                {
                    "id": "run",
                    "name": "Run",
                    "kind": "tiles",
                    "tiles": "123456789B E S W N",
                    "again": True,
                },
            ],
            "pattern": [{"id": "it", "name": "It", "points": 1}],
        }
    )
    wins = {
        "1133557799B 2244D": True,
        "1111557799B 2244D": False,
        "123456789B ESWNN": True,
        "123456789C ESWNN": False,
    }
    for tiles, wanted in wins.items():
        assert (
            bool(compiled(book).judged(parse_player_hand(f"{tiles}; won_by=self_drawn"))) is wanted
        )
