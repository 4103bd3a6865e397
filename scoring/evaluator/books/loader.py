"""Read a rule book from TOML, and refuse a bad one with a sentence, a line and a field."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text

from .book import Book
from .checks import problems_between_parts, problems_of_new_books, problems_of_new_data
from .files import FOLDER, as_data, shipped, text_of
from .overlays import on_its_base, on_top
from .parts import BookReader
from .refusals import MOST_WORTH, ONE_VALUE, BookError, first_of
from .registry import ON_TOP, check_registry
from .toml import LONGEST, parsed

__all__ = [
    "FOLDER",
    "LONGEST",
    "MOST_WORTH",
    "BookError",
    "as_data",
    "from_data",
    "frozen",
    "load",
    "on_top",
    "parsed",
    "read",
    "shipped",
    "whole",
]


@lru_cache(maxsize=64)
def load(slug: str) -> Book:
    """A book that comes with the site.

    :raises KeyError: if there is none of this slug.
    :raises ValueError: if Club's says what scoring does not read (:func:`check_registry`).
    """
    book = read(text_of(slug))
    if slug == "club":
        check_registry(book, as_data(ON_TOP))
    return book


def read(text: str) -> Book:
    """The book in ``text``.

    :raises BookError: with everything that is wrong, each with its line where that is known.
    """
    return from_data(parsed(text), text)


def from_data(data: Mapping[str, Any], text: str = "", *, stored: bool = False) -> Book:
    """The book that ``data`` says, as :func:`read`; a book with a ``base`` changes that one.

    :param stored: it was taken before, perhaps when less was refused: it stays as it is.
    :raises BookError: as :func:`read`.
    """
    if "base" in data:
        data = _on_its_base(data, text)
    reader = BookReader(data, text)
    book = reader.book()
    problems = list(problems_between_parts(book))
    if stored:
        reader.problems = [one for one in reader.problems if one.code != ONE_VALUE]
    else:
        problems += [*problems_of_new_data(data), *problems_of_new_books(book)]
    refused = {problem.field for problem in reader.problems}
    # What could not be read is refused already.
    reader.refuse_each(problem for problem in problems if problem.field not in refused)
    if reader.problems:
        raise BookError(first_of(reader.problems))
    return book


def _on_its_base(data: Mapping[str, Any], text: str) -> dict[str, Any]:
    """:raises BookError: as :func:`on_its_base`, with the lines of ``text``."""
    try:
        return on_its_base(data)
    except BookError as error:
        reader = BookReader(data, text)
        reader.refuse_each(error.problems)
        raise BookError(first_of(reader.problems)) from None


def frozen(data: Mapping[str, Any]) -> Book:
    """The book of ``data`` that was :func:`whole` when it was stored, and never changes; read once.

    :raises BookError: as :func:`read`.
    """
    if not isinstance(data, Mapping):
        message = Text("A rule book is a table of names and values.")
        raise BookError([Problem("book", "no_book", message)])
    return _frozen(json.dumps(data, sort_keys=True))


@lru_cache(maxsize=64)
def _frozen(text: str) -> Book:
    return from_data(json.loads(text), stored=True)


def whole(data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with all that it takes over from its base: what is stored of a book, for good.

    :raises BookError: as :func:`read`.
    """
    merged = on_its_base(data) if "base" in data else dict(data)
    from_data(merged)
    return merged
