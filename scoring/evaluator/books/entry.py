"""A player's hand from what somebody entered: text or codes, as a form, a command or the API gets it."""

from collections.abc import Iterable

from scoring.evaluator.notation import parse_wind
from scoring.evaluator.problems import HandError

from .book import Book
from .cards import number_problem
from .declared import declared_sets
from .hands import PlayerHand, check_hand, indicated, one_tile
from .possible import check_for

USUAL = "discard"  # how a hand is won unless somebody says otherwise


def player_hand(
    book: Book,
    tiles: object,
    seat: object,
    prevailing: object,
    *,
    melds: object = None,
    bonus: Iterable[str] = (),
    winning_tile: object = None,
    won_by: str = USUAL,
    flags: Iterable[str] = (),
    value: int = 0,
    dora_indicators: Iterable[str] = (),
) -> PlayerHand:
    """The hand, as ``book`` knows hands.

    :param tiles: all of them, the winning tile, too; of a text ``*`` marks open sets.
    :param won_by: empty for who did not win.
    :param value: of the line of a card.
    :param dora_indicators: tiles of the dead wall.
    :raises HandError: naming each field that cannot be, or that the book does not know.
    """
    counts, declared = declared_sets(tiles, melds) if tiles or not value else (0, ())
    hand = PlayerHand(
        counts,
        declared,
        one_tile(winning_tile),
        won_by,
        parse_wind(seat, "seat"),
        parse_wind(prevailing, "prevailing"),
        tuple(bonus),
        frozenset(flags),
        value,
        indicated(" ".join(dora_indicators)),
    )
    check_hand(hand)
    check_for(book, hand)
    if problem := number_problem(book, hand):
        raise HandError([problem])
    return hand
