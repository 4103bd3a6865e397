"""Hands scored by a rule book that is stored nowhere, beside the book that it changes."""

from collections.abc import Iterator, Mapping, Sequence
from time import thread_time
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.compiled import Compiled
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import BookError, from_data, load, parsed, shipped
from scoring.evaluator.books.possible import check_for
from scoring.evaluator.problems import HandError, Problem
from scoring.variants import MISSING_LIBRARY, MissingLibrary, Scorer, scorer_for

from .book_scores import card_of

MOST_HANDS = 50
SECONDS = 5.0  # of the processor, for all hands together


class Tried(NamedTuple):
    """One hand under one book: its card in the shape of the API, or why there is none."""

    card: dict[str, Any] | None
    problems: tuple[Problem, ...] = ()


class TriedHand(NamedTuple):
    """A hand under the book that is tried, and under its base where it has one."""

    hand: str
    tried: Tried
    base: Tried | None


class BookPreview(NamedTuple):
    """``base`` is the slug of the book that is changed; empty for a book of its own."""

    book: Book
    base: str
    rows: list[TriedHand]


def preview_book(given: str | Mapping[str, Any], hands: Sequence[str]) -> BookPreview:
    """``hands``, lines as the examples of a book, under a book that is not stored.

    :param given: a book as TOML, or as data.
    :raises BookError: with everything that is wrong with the book, or if its library is not installed.
    """
    data, text = (parsed(given), given) if isinstance(given, str) else (given, "")
    book = from_data(data, text)
    base = base_of(data)
    books = [book, *([load(base)] if base else [])]
    return BookPreview(book, base, list(_rows([(one, scorer_of(one)) for one in books], hands)))


def scorer_of(book: Book) -> Scorer:
    """Who judges by ``book``; nothing of a book that is not stored is remembered."""
    try:
        return scorer_for(book) if book.engine else Compiled(book)
    except MissingLibrary as missing:
        raise BookError([Problem("engine", MISSING_LIBRARY, missing.message)]) from None


def base_of(data: Mapping[str, Any]) -> str:
    """The slug of the book that ``data``, which can be read, changes; empty for none."""
    base = data.get("base", "")
    return base if base in shipped() else ""


def _rows(engines: Sequence[tuple[Book, Scorer]], hands: Sequence[str]) -> Iterator[TriedHand]:
    end = thread_time() + SECONDS
    for hand in hands:
        cards = [tried(book, scorer, hand, end) for book, scorer in engines]
        yield TriedHand(hand, cards[0], cards[1] if len(cards) > 1 else None)


def tried(book: Book, scorer: Scorer, text: str, end: float) -> Tried:
    """The hand ``text`` under ``book``; not any more once the processor has worked until ``end``."""
    if thread_time() > end:
        message = _("The hands before this one took too long: send fewer.")
        return Tried(None, (Problem("hand", "too_slow", message),))
    try:
        hand = parse_player_hand(text)
        check_for(book, hand)
    except HandError as error:
        return Tried(None, error.problems)
    return Tried(card_of(book, hand, scorer).as_dict())
