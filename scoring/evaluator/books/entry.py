"""A player's hand from what somebody entered: text or codes, as a form, a command or the API gets it."""

from collections.abc import Iterable, Sequence
from typing import Any

from scoring.evaluator.notation import parse_hand, parse_tiles, parse_wind
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.sets import Set

from .book import Book
from .cards import number_problem
from .examples import laid_out
from .hands import PlayerHand, check_for, check_hand
from .vocabulary import Group

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
) -> PlayerHand:
    """The hand, as ``book`` knows hands.

    :param tiles: all of them, the winning tile, too; of a text ``*`` marks open sets.
    :param won_by: empty for who did not win.
    :param value: of the line of a card.
    :raises HandError: naming each field that cannot be, or that the book does not know.
    """
    counts, declared = _tiles(tiles, melds, won_by) if tiles or not value else (0, ())
    hand = PlayerHand(
        counts,
        declared,
        _winning_tile(winning_tile),
        won_by,
        parse_wind(seat, "seat"),
        parse_wind(prevailing, "prevailing"),
        tuple(bonus),
        frozenset(flags),
        value,
    )
    check_hand(hand)
    check_for(book, hand)
    if (problem := number_problem(hand)) and book.forms:
        raise HandError([problem])
    return hand


def _tiles(tiles: object, melds: object, won_by: str) -> tuple[int, tuple[Group, ...]]:
    """The counts of the tiles in the hand, and the declared sets."""
    if isinstance(tiles, str) and not melds:
        return laid_out(tiles)
    if not won_by:
        raise refuse(
            "tiles", "no_text", "Give the tiles of a loser as a text, open sets marked with *."
        )
    parsed = parse_hand(tiles, melds)
    laid = sum(meld.counts for meld in parsed.melds)
    return parsed.counts - laid, tuple(map(_group, parsed.melds))


def _group(meld: Set) -> Group:
    return Group(meld.kind, tuple(tile.index for tile in meld.tiles), meld.concealed)


def _winning_tile(given: object) -> int:
    """Its index; -1 for none."""
    if given in (None, ""):
        return -1
    tiles: Sequence[Any] = parse_tiles(given, "winning_tile")
    if len(tiles) != 1:
        raise refuse("winning_tile", "not_one", "The winning tile is one tile.")
    return int(tiles[0].index)
