"""Score a hand by a stored rule set, or by a rule book that ships with the site.

Leagues play by stored rule sets only. The other books are for working out hands.
"""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.circumstances import check_asked, how_won, known_to_rules
from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.entry import player_hand
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet as Rules
from scoring.evaluator.scorecard import score
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.problems import as_validation_error
from scoring.translation import translate
from scoring.variants import Scorer, installed_scorer, why_not_installed

from .rulesets import named_version, no_such_rules

JsonObject = dict[str, Any]


def books_to_work_out(stored: Iterable[RuleSet] | None = None) -> list[Book]:
    """The books that ship and are no ``stored`` rule set, by their slugs; asked for where not given."""
    rulesets = RuleSet.objects.only("slug") if stored is None else stored
    slugs = {ruleset.slug for ruleset in rulesets}
    return [load(slug) for slug in shipped() if slug not in slugs]


def book_to_work_out(slug: str) -> Book | None:
    """The one of :func:`books_to_work_out` with this ``slug``; None if there is none."""
    return next((book for book in books_to_work_out() if book.slug == slug), None)


def books_of(stored: Iterable[RuleSet]) -> dict[str, Book]:
    """The book of each of the ``stored`` rule sets whose newest version has one, by their slugs."""
    latest = {ruleset.slug: ruleset.latest for ruleset in stored}
    return {
        slug: book for slug, version in latest.items() if (book := version.rule_book) is not None
    }


def rules_or_book(name: str) -> Rules | Book:
    """The stored rules, or book, that ``club`` or ``club:1`` names; of another name the book that ships.

    :raises ValidationError: for a name of neither, with those that exist.
    """
    found = _named(name)
    if isinstance(found, Book):
        return found
    return found.rule_book or found.rules


def _named(name: str) -> RuleSetVersion | Book:
    """What :func:`rules_or_book` finds, a stored version as that."""
    try:
        return named_version(name)
    except ValidationError:
        if book := book_to_work_out(name.removesuffix(":1")):
            return book
        books = (book.slug for book in books_to_work_out())
        stored = RuleSet.objects.values_list("slug", flat=True)
        raise no_such_rules(name, sorted({*stored, *books})) from None


def score_by(name: str, tiles: object, seat: object, prevailing: object, **how: Any) -> JsonObject:
    """The card of a hand in the shape of the API.

    :param how: what :func:`card_by_book` takes; a stored rule set refuses by name what it does not know.
    :raises ValidationError: for rules that are not there, and all that is wrong with the hand.
    """
    found = _named(name)
    try:
        if isinstance(found, Book):
            return card_by_book(found, tiles, seat, prevailing, **how).as_dict()
        if book := found.rule_book:
            card = card_by_book(book, tiles, seat, prevailing, version=found.number, **how)
            return card.as_dict()
        known = known_to_rules(found.rules, how)
        return score(tiles, seat, prevailing, rules=found.rules, **known).as_dict()
    except HandError as error:
        raise as_validation_error(error) from error


def card_by_book(
    book: Book,
    tiles: object,
    seat: object,
    prevailing: object,
    *,
    melds: object = None,
    concealed: bool | None = None,
    self_drawn: bool | None = None,
    bonus: Iterable[str] = (),
    winning_tile: object = None,
    won_by: str | None = None,
    flags: Iterable[str] = (),
    value: int = 0,
    dora_indicators: Iterable[str] = (),
    version: int = 1,
) -> BookCard:
    """What a player's hand is worth by ``book``, of a rule set the ``version`` of that number.

    :param won_by: how it was won; empty for who did not win, None for as usual.
    :param value: of the line of a card.
    :raises HandError: for a hand that cannot be, for what the book does not know, by its name, and for
        a book whose library is not installed.
    """
    check_asked(book, concealed=concealed, value=value, won_by=won_by)
    hand = player_hand(
        book,
        tiles,
        seat,
        prevailing,
        melds=melds,
        bonus=[code.strip().upper() for code in bonus],
        winning_tile=winning_tile,
        won_by=how_won(won_by, self_drawn),
        flags=flags,
        value=value,
        dora_indicators=dora_indicators,
    )
    return card_of(book, hand, installed_scorer(book), version)


def card_of(book: Book, hand: PlayerHand, scorer: Scorer, version: int = 1) -> BookCard:
    """The card of a hand that ``book`` knows; a win as ``scorer`` judges it."""
    ranked = scorer.judged(hand) if hand.won else [compiled(book).loser(hand)]
    return BookCard(book, hand, ranked, version)


def missing_library(book: Book) -> str:
    """How to get the library that scores hands by ``book``; empty if nothing is missing."""
    why = why_not_installed(book)
    return translate(why) if why else ""
