"""Choose who judges the hands of a rule book: its own expressions, or a library that is installed.

The libraries are optional (``requirements-variants.txt``). Only the modules of this package import them, and
only when a book names theirs; for every other reader a book is a book.
"""

from functools import lru_cache
from importlib import import_module
from typing import Protocol

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.compiled import Judged, compiled
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text

from .library import Library

# The module of this package that calls a library, by the library's name on PyPI.
ENGINES = {"PyMahjongGB": "mcr", "mahjong": "riichi"}

MISSING_LIBRARY = "missing_library"  # the code of a problem


class Scorer(Protocol):
    """Judges hands by one book."""

    def judged(self, hand: PlayerHand) -> list[Judged]:
        """The arrangements of a winning hand, the best first; empty if it does not win."""


class MissingLibrary(RuntimeError):
    """The library of a book is not installed. ``message`` says how to get it."""

    def __init__(self, book: Book) -> None:
        self.message = Text.of(
            "Hands of {book} are scored by {library}, which is not installed here: "
            "pip install -r requirements-variants.txt.",
            book=book.name,
            library=book.engine,
        )
        super().__init__(self.message)


def why_not_installed(book: Book) -> Text | None:
    """How to get the library that judges hands by ``book``; None if nothing is missing."""
    try:
        scorer_for(book)
    except MissingLibrary as missing:
        return missing.message
    return None


def installed_scorer(book: Book) -> Scorer:
    """As :func:`scorer_for`, for a hand that somebody wants judged.

    :raises HandError: at ``ruleset``, if that is a library which is not installed.
    """
    try:
        return scorer_for(book)
    except MissingLibrary as missing:
        raise HandError([Problem("ruleset", MISSING_LIBRARY, missing.message)]) from None


@lru_cache(maxsize=64)
def scorer_for(book: Book) -> Scorer:
    """Who judges hands by ``book``.

    :raises MissingLibrary: if that is a library which is not installed.
    """
    if not book.engine:
        return compiled(book)
    try:
        module = import_module(f"{__name__}.{ENGINES[book.engine]}")
    except ImportError:
        raise MissingLibrary(book) from None
    return Library(book, module.verdict)
