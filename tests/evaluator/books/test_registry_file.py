"""What Club's file says and scoring does not read is refused when the evaluator is imported."""

import pytest

from scoring.evaluator.books.files import as_data, text_of
from scoring.evaluator.books.loader import load, read
from scoring.evaluator.books.registry import check_registry

CLUB = text_of("club")
SIX_PUNGS = CLUB.replace("points = 4", "points = 6", 1)


def with_pattern(**keys):
    """Club's file with one pattern more."""
    entry = {"id": '"more"', "name": '"More"', **keys}
    lines = "\n".join(f"{key} = {value}" for key, value in entry.items())
    return f"{CLUB}\n[[pattern]]\n{lines}\n"


def test_what_ships_is_read_whole():
    check_registry(load("club"), as_data("book"))
    check_registry(read(with_pattern(when='"chows == 4"', doubles=1)), as_data("book"))
    consistency = {"when": '"chows == 4"', "doubles": 1, "group": '"consistency"'}
    check_registry(read(with_pattern(**consistency)), as_data("book"))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (SIX_PUNGS, "pattern pung: 2B 2B 2B is worth 4, by sets.py"),
        (with_pattern(when='"drawn"', points=2), "pattern more: Points are for winning and"),
        (with_pattern(each='"chow"', when='"drawn"', points=0), "Points are for winning and"),
        (with_pattern(when='"chows == 4"', doubles=3, group='"shape"'), "no group “shape” of doubles"),
        (with_pattern(when='"chows == 4"', limit=100, group='"consistency"'), "of limit here"),
        (with_pattern(when='"chows == 4"', limit=50), "A limit hand is worth the whole limit"),
        (with_pattern(when='"chows == 4"', doubles=1, replaces='["no_points"]'), "“replaces” is not"),
        (with_pattern(when='"chows == 4"', doubles=1, apart="true"), "“apart” is not read here"),
        (with_pattern(when='"chows == 4"', doubles=1, who='"losers"'), "“who” is not read here"),
    ],
)  # fmt: skip
def test_what_scoring_does_not_read_is_refused(text, wrong):
    with pytest.raises(ValueError, match=r"^club.toml, pattern ") as refused:
        check_registry(read(text), as_data("book"))
    assert wrong in str(refused.value)


@pytest.mark.parametrize("key", ["pattern", "set", "form"])
def test_patterns_of_book_are_those_of_club(key):
    with pytest.raises(ValueError, match=f"^book.toml: “{key}” is read from club.toml alone"):
        check_registry(load("club"), {**as_data("book"), key: []})
