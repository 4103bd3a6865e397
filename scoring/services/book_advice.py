"""Advise what would make a hand win, by a stored rule set or a rule book that ships."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext_noop

from scoring.evaluator import advice
from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.circumstances import known_to_rules
from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.possible import check_for
from scoring.evaluator.counts import BITS, COPIES, MOST, ONE, copies
from scoring.evaluator.hand import Hand
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.rules import RuleSet as Rules
from scoring.evaluator.tiles import TILES, Tile
from scoring.models.problems import as_validation_error
from scoring.variants import installed_scorer

from .book_scores import card_by_book, card_of, rules_or_book

JsonObject = dict[str, Any]
# What is wrong with one winning tile and not with another.
WRONG_TILE = {"too_many_copies", "not_robbed", "not_last_of_kind"}


class BookWait(NamedTuple):
    """A tile that completes a hand, the score it then has in whole points, and how many are left.

    ``final`` is None where the hand may not be declared: it is worth less than the book asks for.
    """

    tile: Tile
    final: int | None
    left: int


Advice = tuple[Sequence[BookWait | advice.Wait], list[advice.Offer]]


def waits_by_book(book: Book, tiles: Any, *winds: object, **how: Any) -> list[BookWait]:
    """What a hand that lacks one tile waits for by ``book``; empty where tiles say nothing.

    :param how: as :func:`card_by_book`; each tile is tried as the winning one.
    :raises HandError: for a hand that cannot be whichever tile comes.
    """
    if not advises(book):
        return []
    waits = []
    for tile in TILES:
        whole = f"{tiles} {tile.code}" if isinstance(tiles, str) else [*tiles, tile.code]
        try:
            card = card_by_book(book, whole, *winds, **{**how, "winning_tile": tile.code})
        except HandError as error:
            if {problem.code for problem in error.problems} <= WRONG_TILE:
                continue
            raise
        if card.ranked:
            final = card.verdict.final if card.winning else None
            waits.append(BookWait(tile, final, left=_left(card, tile)))
    return waits


def advises(book: Book) -> bool:
    """Whether tiles can say what would make a hand win. Those of a card's line cannot."""
    return book.counting.kind != "card"


def offers_by_book(card: BookCard) -> list[advice.Offer]:
    """Every exchange of one tile, none of a declared set, that makes a hand win; the best score first.

    The tile that is taken is the winning tile; one with which the hand cannot be is passed over. Empty
    for a hand that wins, or that nobody calls a win.
    """
    book, hand = card.book, card.hand
    if not advises(book) or not hand.won or card.winning:
        return []
    scorer = installed_scorer(book)
    offers = []
    for given, taken, exchanged in _exchanged(book, hand):
        try:
            check_for(book, exchanged)
            other = card_of(book, exchanged, scorer)
        except HandError:
            continue
        if other.winning:
            offers.append(advice.Offer(given, taken, other.verdict.final))
    return sorted(offers, key=lambda offer: -offer.final)


def advice_by(name: str, tiles: object, seat: object, prevailing: object, **how: Any) -> JsonObject:
    """What a hand waits for, or the exchanges that make a whole one win, in the shape of the API.

    :param name: the rules, and ``how``: as :func:`scoring.services.book_scores.score_by` takes them.
    :raises ValidationError: for rules that are not there or cannot say, and all that is wrong with the
        hand.
    """
    rules = rules_or_book(name)
    try:
        waits, offers = _advice_by(rules, tiles, seat, prevailing, how)
    except HandError as error:
        raise as_validation_error(error) from error
    return {
        "waits": [{**wait._asdict(), "tile": wait.tile.code} for wait in waits],
        "exchanges": [
            {"given": offer.given.code, "taken": offer.taken.code, "final": offer.final}
            for offer in offers
        ],
    }


def _advice_by(rules: Rules | Book, *hand: Any) -> Advice:
    if isinstance(rules, Book):
        return _advice_by_book(rules, *hand)
    return _advice_by_rules(rules, *hand)


def _advice_by_book(
    book: Book, tiles: object, seat: object, prevailing: object, how: JsonObject
) -> Advice:
    if not advises(book):
        message = gettext_noop("By {book} the tiles do not say what a hand waits for.")
        raise refuse("ruleset", "no_advice", message, book=book.name)
    try:
        return [], offers_by_book(card_by_book(book, tiles, seat, prevailing, **how))
    except HandError as error:
        if not _lacks_a_tile(error):
            raise
    return waits_by_book(book, tiles, seat, prevailing, **how), []


def _advice_by_rules(
    rules: Rules, tiles: object, seat: object, prevailing: object, how: JsonObject
) -> Advice:
    known = known_to_rules(rules, how)
    melds = known.pop("melds", None)
    try:
        hand = Hand.from_notation(tiles, seat, prevailing, melds, **known)
        return [], [] if hand.mahjongg() else advice.offers(hand, rules)
    except HandError as error:
        if not _lacks_a_tile(error):
            raise
    return advice.waits(tiles, seat, prevailing, melds=melds, rules=rules), []


def _lacks_a_tile(error: HandError) -> bool:
    """Whether nothing but the number of tiles is wrong: perhaps it is the hand of who waits."""
    return {problem.code for problem in error.problems} <= {"wrong_number", "wrong_count"}


def _exchanged(book: Book, hand: PlayerHand) -> Iterator[tuple[Tile, Tile, PlayerHand]]:
    """Each exchange of one tile with which ``hand`` is a whole one, and that hand."""
    for given in TILES:
        if not hand.counts >> BITS * given.index & MOST:
            continue
        waiting = replace(hand, counts=hand.counts - ONE[given.index], last=-1)
        for index in compiled(book).completing(waiting):
            if index != given.index:
                counts = waiting.counts + ONE[index]
                yield given, TILES[index], replace(waiting, counts=counts, last=index)


def _left(card: BookCard, tile: Tile) -> int:
    """How many of ``tile`` the hand of ``card`` did not hold before its last one came."""
    return COPIES + 1 - copies(card.hand.all_counts(), tile)
