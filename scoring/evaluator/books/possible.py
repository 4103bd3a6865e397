"""Refuse tiles and circumstances of a winner that cannot be, in any book and for any engine.

Where books differ, the book says so: whether the replacement of a bonus tile is one like a kong's.
"""

from collections.abc import Iterator
from typing import NamedTuple

from scoring.evaluator.counts import tiles_of
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import TILES, Wind

from .book import Book
from .hands import FULL, PlayerHand, check_known
from .vocabulary import BY_DEALER, BY_OTHERS, DRAWN, STAKED, Group

FIRST_TILES = frozenset(("heaven", "earth_discard", "earth_draw"))
RIICHI = frozenset(STAKED)


class _Wrong(NamedTuple):
    """Something that cannot be, ``if_so``: a problem at ``field``."""

    if_so: bool
    field: str
    code: str
    sentence: Text

    @property
    def problem(self) -> Problem:
        return Problem(self.field, self.code, self.sentence)


def melded(group: Group) -> bool:
    """Whether a declared set has a claimed tile."""
    return not group.concealed or group.claimed


def wins_by_bonus(book: Book, hand: PlayerHand) -> bool:
    """Whether the bonus tiles of a winner win by themselves, whatever the other tiles are."""
    return 0 < book.winning_bonus <= len(hand.bonus)


def check_for(book: Book, hand: PlayerHand) -> None:
    """:raises HandError: for what ``book`` does not know, by its name, and for what cannot be."""
    check_known(book, hand)
    if problems := list(impossible(book, hand)):
        raise HandError(problems)


def impossible(book: Book, hand: PlayerHand) -> Iterator[Problem]:
    """All that cannot be of a ``hand`` and how it won; nothing is asked of who did not win."""
    if hand.won:
        yield from impossible_in_seat(hand)
        wrong = (
            *_of_sets(book, hand),
            *_of_bonus(book, hand),
            *_of_winning_tile(hand),
            *_of_riichi(hand),
        )
        yield from (one.problem for one in wrong if one.if_so)


def impossible_in_seat(hand: PlayerHand) -> Iterator[Problem]:
    """The same of the seat alone, for a hand whose tiles nobody tells."""
    deals = hand.seat is Wind.EAST
    wrong = (
        _Wrong(
            hand.won_by in (BY_OTHERS if deals else BY_DEALER),
            "won_by",
            "wrong_seat",
            Text("The dealer wins by heaven, everybody else by earth."),
        ),
        _Wrong(
            not deals and bool(hand.flags & BY_DEALER),
            "flags",
            "wrong_seat",
            Text("Only wins of the dealer are counted in a row."),
        ),
    )
    yield from (one.problem for one in wrong if one.if_so)


def _of_sets(book: Book, hand: PlayerHand) -> Iterator[_Wrong]:
    laid = [meld for meld in hand.melds if not meld.last and (melded(meld) or meld.kind == "kong")]
    kongs = sum(meld.kind == "kong" for meld in laid)
    replaced = kongs + (len(hand.bonus) if book.replaces_bonus else 0)
    called = bool(hand.flags & RIICHI)
    yield _Wrong(
        hand.won_by in FIRST_TILES and (called or bool(laid)),
        "won_by",
        "not_the_first_tiles",
        Text("Who wins by the first tiles has declared nothing."),
    )
    yield _Wrong(
        hand.won_by == "replacement" and not replaced,
        "won_by",
        "no_kong",
        Text("Who wins on the replacement of a kong has declared a kong."),
    )
    yield _Wrong(
        hand.won_by == "kong_on_kong" and kongs < 2,
        "won_by",
        "no_kong",
        Text("Who wins by a kong upon a kong has declared two."),
    )


def _of_bonus(book: Book, hand: PlayerHand) -> Iterator[_Wrong]:
    yield _Wrong(
        wins_by_bonus(book, hand) and hand.places < FULL + 1 and hand.won_by not in DRAWN,
        "won_by",
        "not_drawn",
        Text("Who wins by bonus tiles alone has drawn the last of them: enter it as self-drawn."),
    )


def _of_winning_tile(hand: PlayerHand) -> Iterator[_Wrong]:
    if hand.last < 0:
        return
    held, beside = (
        tiles_of(counts).count(TILES[hand.last]) for counts in (hand.all_counts(), hand.counts)
    )
    yield _Wrong(
        hand.won_by == "robbing_kong" and held > 1,
        "won_by",
        "not_robbed",
        Text("The other three of the robbed tile are in another player’s kong."),
    )
    yield _Wrong(
        "last_of_kind" in hand.flags and beside > 1,
        "flags",
        "not_last_of_kind",
        Text("The winning tile is not the last of its kind: the hand has another."),
    )


def _of_riichi(hand: PlayerHand) -> Iterator[_Wrong]:
    called = hand.flags & RIICHI
    yield _Wrong(
        bool(called) and any(map(melded, hand.melds)),
        "flags",
        "open_hand",
        Text("Only who has claimed nothing may say riichi."),
    )
    yield _Wrong(
        called == RIICHI,
        "flags",
        "twice",
        Text("It is riichi or double riichi, not both."),
    )
    ippatsu = "ippatsu" in hand.flags
    yield _Wrong(ippatsu and not called, "flags", "no_riichi", Text("Ippatsu needs riichi."))
    yield _Wrong(
        ippatsu and hand.won_by == "replacement",
        "flags",
        "after_a_kong",
        Text("A kong ends ippatsu."),
    )
