"""``docs/rule-books.md``: every key and every word stands there, and each example can be read."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from scoring.evaluator.books.book import Counting, Deal, SettlementRules
from scoring.evaluator.books.counting import COUNTINGS
from scoring.evaluator.books.examples import WORDS
from scoring.evaluator.books.expressions import CALLS, Expression
from scoring.evaluator.books.forms import ENGINES as FORM_KINDS
from scoring.evaluator.books.loader import read
from scoring.evaluator.books.parts import FORM, PATTERN, SET, TOP
from scoring.evaluator.books.settlement import ENGINES as SETTLEMENT_KINDS
from scoring.evaluator.books.vocabulary import (
    FLAGS,
    HAND_FACTS,
    NAMED,
    SET_WORDS,
    SHAPES,
    TILE_WORDS,
    WON_BY,
)
from tests.support.wrong_examples import wrong_examples

PAGE = (Path(__file__).parents[3] / "docs/rule-books.md").read_text()
SECTIONS = dict(re.findall(r"^##+ (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
WORDS_OF = {
    "Expressions": CALLS,
    "Words of a tile": TILE_WORDS,
    "Words of a set": {word: 0 for word in SET_WORDS if word not in TILE_WORDS or word == "rank"},
    "Words of the hand": HAND_FACTS,
    "Shorter names": NAMED,
    "What several sets form together": SHAPES,
}
KEYS_OF = {
    "The head": TOP,
    "`[counting]`": [field.name for field in fields(Counting)],
    "`[settlement]`": [field.name for field in fields(SettlementRules)],
    "`[deal]`": [field.name for field in fields(Deal)],
    "`[[form]]`": [*FORM, *FORM_KINDS],
    "`[[set]]`": SET,
    "`[[pattern]]`": PATTERN,
    "Ways of winning, and flags": [*WON_BY, *FLAGS],
}


def rows(title):
    """The cells of each row of the tables below a heading, by the word that a row is about."""
    lines = [line for line in SECTIONS[title].splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {first.strip("` "): others for first, *others in cells}


@pytest.mark.parametrize("title", KEYS_OF)
def test_every_key_is_told(title):
    assert set(KEYS_OF[title]) - set(rows(title)) == set()


@pytest.mark.parametrize("title", WORDS_OF)
def test_every_word_is_told_with_an_example_that_can_be_read(title):
    described = rows(title)
    assert set(WORDS_OF[title]) - set(described) == set()
    for word in WORDS_OF[title]:
        example = described[word][-1].strip("` |")
        assert word in example
        Expression(example)


def test_every_kind_of_counting_and_settlement_is_told():
    assert [kind for kind in COUNTINGS if f"`{kind}`" not in SECTIONS["`[counting]`"]] == []
    assert [k for k in SETTLEMENT_KINDS if f"`{k}`" not in SECTIONS["`[settlement]`"]] == []


def test_the_page_explains_every_word_of_an_example():
    assert [word for word in WORDS if f"{word}=" not in PAGE] == []


def test_the_small_book_can_be_read_and_shows_its_examples():
    book = read(re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1])
    assert wrong_examples(book) == []
