"""Refuse texts of a new book that cannot be kept: names that are too long, and characters that nobody can see."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text
from scoring.evaluator.unseen import unseen_in

from .refusals import LISTS, entries_of

# Characters of what a book is called: as long as the columns of a rule set.
LONGEST = {"slug": 40, "name": 80, "origin": 40}


def problems_of_texts(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Each text of ``data``, a whole book, that cannot be kept, at its field."""
    for key, most in LONGEST.items():
        if len(str(data.get(key, ""))) > most:
            message = Text.of("“{key}” has at most {most} characters.", key=key, most=most)
            yield Problem(f"book: {key}", "too_long", message)
    for where, key, value in _values(data):
        if unseen := next(filter(None, map(unseen_in, _texts(value, key))), ""):
            message = Text.of(
                "There is a character that nobody can see ({code}): type it again.", code=unseen
            )
            yield Problem(f"{where}: {key}", "invisible", message)


def _values(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Each value of a book with its table and key, also of tables in a list."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from ((key, name, part) for name, part in value.items())
        elif key in LISTS and isinstance(value, list):
            for where, entry in entries_of(data, key):
                yield from ((where, name, part) for name, part in entry.items())
        else:
            yield "book", key, value


def _texts(value: Any, key: str = "") -> Iterator[str]:
    """The texts in ``value``, and the names. A name is one line; other texts may have several."""
    yield key
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _texts(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value if key == "name" else value.replace("\n", "")
