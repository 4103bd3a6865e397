"""Show the calculator's advice: what a hand waits for, what would win, which double it just missed."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.evaluator import advice
from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.declared import format_set
from scoring.evaluator.counts import tiles_of
from scoring.evaluator.deficiency import deficiency
from scoring.evaluator.exchanges import Exchange
from scoring.evaluator.fit import best_fit
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import format_hand, format_tiles, numbers_of_tiles, parse_hand
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.sets import Set
from scoring.evaluator.tiles import Tile
from scoring.services.book_advice import advises, offers_by_book, waits_by_book
from scoring.translation import translate

from .book_fields import asked_of
from .forms import CalculatorForm, address

SHOWN = 8


@dataclass(frozen=True, slots=True)
class ShownOffer:
    """One tile given for another, what the hand then scores, and where that is shown."""

    given: Tile
    taken: Tile
    final: int
    url: str


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The sets that fit, the tiles left over, and the best exchanges; ``more`` are not listed.

    ``exchanges_away``: the fewest exchanges that make it win. By a rule book, where other forms win
    besides, nothing is said but the exchanges. ``worth_too_little``: the tiles are a whole hand of the book,
    which asks for more.
    """

    exchanges: list[ShownOffer]
    more: int
    fits: Sequence[Set] = ()
    left_over: Sequence[Tile] = ()
    exchanges_away: int = 0
    worth_too_little: bool = False


@dataclass(frozen=True, slots=True)
class ShownWait:
    """A tile that wins, what the hand then scores, how many of it are left, and where it is shown.

    ``final`` is None where a rule book asks for more than the hand is worth.
    """

    tile: Tile
    final: int | None
    left: int
    url: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A hand of 13 tiles, and one more for each declared kong: what it waits for.

    Or how many exchanges it is from waiting; None: by a rule book nobody counts them.
    """

    waits: list[ShownWait]
    exchanges_away: int | None = None


@dataclass(frozen=True, slots=True)
class ShownMissed:
    """The double that a winning hand missed, the way to it, and where that is shown."""

    rule: str
    name: str
    exchanges: Sequence[Exchange]
    final: int
    url: str


def near_miss(form: CalculatorForm) -> NearMiss:
    """What is said about the hand of a valid ``form`` that does not win."""
    hand = form.hand
    assert hand is not None
    fits, left_over = best_fit(hand.counts, hand.melds)
    offers = advice.offers(hand, form.rules)
    shown = [
        ShownOffer(*offer, url=_url(form, hand.exchange(offer.given, offer.taken)))
        for offer in offers[:SHOWN]
    ]
    return NearMiss(shown, len(offers) - len(shown), fits, left_over, hand.deficiency())


def near_miss_by_book(form: CalculatorForm, card: BookCard) -> NearMiss | None:
    """The exchanges that make the hand of ``card`` win; None where the tiles cannot say."""
    if not advises(card.book):
        return None
    offers = offers_by_book(card)
    shown = [ShownOffer(*offer, url=_exchanged_url(form, card, offer)) for offer in offers[:SHOWN]]
    more = len(offers) - len(shown)
    return NearMiss(shown, more, worth_too_little=bool(card.ranked))


def waiting_by_book(form: CalculatorForm, book: Book) -> Waiting | None:
    """What the tiles wait for by ``book``; None if they do not lack one tile, or cannot say."""
    asked = form.entered
    how = asked_of(form.cleaned_data)
    if not advises(book) or not how["won_by"]:
        return None
    try:
        waits = waits_by_book(book, asked["tiles"], asked["seat"], asked["prevailing"], **how)
    except HandError:
        return None
    return Waiting(
        [
            ShownWait(*wait, url=_won_with(form, f"{asked['tiles']} {wait.tile.code}", wait.tile))
            for wait in waits
        ]
    )


def waiting(form: CalculatorForm) -> Waiting | None:
    """What is said about 13 tiles and one for each declared kong; None for any others."""
    asked = form.entered
    try:
        parsed = parse_hand(asked["tiles"], lacking=1)
        if len(parsed.tiles) != numbers_of_tiles(parsed.melds)[0] - 1:
            return None
        waits_for = advice.waits(
            asked["tiles"], asked["seat"], asked["prevailing"], rules=form.rules
        )
    except HandError:
        return None
    waits = [
        ShownWait(*wait, url=address({**asked, "tiles": f"{asked['tiles']} {wait.tile.code}"}))
        for wait in waits_for
    ]
    return Waiting(waits, deficiency(parsed.counts, len(parsed.tiles), parsed.melds))


def missed_double(form: CalculatorForm) -> ShownMissed | None:
    """The double that the winning hand of a valid ``form`` missed by the fewest exchanges."""
    assert form.hand is not None
    missed = advice.nearest_missed_double(form.hand, form.rules)
    if missed is None:
        return None
    becomes = form.hand
    for exchange in missed.exchanges:
        becomes = becomes.exchange(*exchange)
    rule = missed.rule
    return ShownMissed(
        rule.id, translate(rule.name), missed.exchanges, missed.final, _url(form, becomes)
    )


def _exchanged_url(form: CalculatorForm, card: BookCard, offer: advice.Offer) -> str:
    """Where the hand of ``card`` is shown after ``offer``: its declared sets as they were written."""
    held = list(tiles_of(card.hand.counts))
    held.remove(offer.given)
    tiles = " ".join([*map(format_set, card.hand.melds), format_tiles([*held, offer.taken])])
    return _won_with(form, tiles, offer.taken)


def _won_with(form: CalculatorForm, tiles: str, winning: Tile) -> str:
    return address({**form.entered, "tiles": tiles, "winning_tile": winning.code})


def _url(form: CalculatorForm, hand: Hand) -> str:
    return address({**form.entered, "tiles": _spelled(hand, form.rules)})


def _spelled(hand: Hand, rules: RuleSet) -> str:
    """The hand set by set, as people write it."""
    sets = hand.chosen(rules).reading.sets
    words = [
        format_tiles(tile_set.tiles) + ("" if tile_set.concealed else "*") for tile_set in sets
    ]
    return " ".join(words) or format_hand(hand.tiles)
