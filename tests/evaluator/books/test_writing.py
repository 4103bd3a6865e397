"""A rule book written as a file is read as the same book."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.evaluator.books.loader import BookError, as_data, from_data, shipped, whole
from scoring.evaluator.books.writing import to_toml

# What a file may hold: no lone surrogates, which no text in UTF-8 has.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
PLAIN = TEXTS | st.booleans() | st.integers(-(10**6), 10**6)
KEYS = st.from_regex(r"[a-z][a-z_]{0,10}", fullmatch=True)
TABLES = st.dictionaries(KEYS, PLAIN | st.lists(TEXTS, max_size=3), min_size=1, max_size=4)


@pytest.mark.parametrize("slug", shipped())
def test_a_book_that_ships_is_the_same_when_it_is_written(slug):
    kept = whole(as_data(slug))
    assert tomllib.loads(to_toml(kept)) == kept
    assert tomllib.loads(to_toml(as_data(slug))) == as_data(slug)


@given(st.dictionaries(KEYS, PLAIN | TABLES | st.lists(TABLES, min_size=1, max_size=3)))
def test_whatever_a_book_holds_is_read_again(data):
    assert tomllib.loads(to_toml(data)) == data


def test_tables_within_tables_and_lists_of_numbers_are_read_again():
    data = {"pattern": [{"has": [{"hand": "RRR"}, {"hand": "GGG"}]}], "counting": {"table": [1, 2]}}
    assert tomllib.loads(to_toml(data)) == data


def test_an_expression_of_a_book_without_a_text_is_told_by_its_character():
    data = {**as_data("club"), "slug": "ours"}
    data["pattern"] = [{"id": "odd", "name": "Odd", "when": "pungs >", "doubles": 1}]
    with pytest.raises(BookError) as error:
        from_data(data)
    assert "Character" in str(error.value)
    assert "Line" not in str(error.value)
