"""Check a hand before a library sees it: of odd ones they answer nonsense, or nothing."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.declared import no_set
from scoring.evaluator.books.hands import PlayerHand, check_hand
from scoring.evaluator.books.possible import check_for, melded
from scoring.evaluator.books.vocabulary import EAST_INDEX, Group
from scoring.evaluator.counts import BITS, COPIES, ONE, tiles_of
from scoring.evaluator.problems import HandError, Problem, refuse
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import TILES, wind

MOST_INDICATORS = 10  # five, and five under them for who said riichi
HAND = 14  # and one more for each kong


def checked(book: Book, hand: PlayerHand) -> PlayerHand:
    """``hand`` with only those sets declared that were laid down before the winning tile, kongs and open ones.

    :raises HandError: if it cannot be, or says what ``book`` does not know.
    """
    _check_parts(hand)
    hand = _taken_up(hand)
    _check_size(hand)
    check_hand(hand)
    hand = replace(
        hand, seat=wind(hand.seat, "seat"), prevailing=wind(hand.prevailing, "prevailing")
    )
    check_for(book, hand)
    if problems := list(_indicators(hand)):
        raise HandError(problems)
    return hand


def _check_parts(hand: PlayerHand) -> None:
    """Everything names tiles that there are, and sets that are sets."""
    tiles = {tile for meld in hand.melds for tile in meld.tiles}
    tiles |= {hand.last, *hand.dora_indicators}
    kinds = len(TILES)
    if not (0 <= hand.counts < 1 << BITS * kinds and tiles <= set(range(-1, kinds))):
        raise refuse("tiles", "unknown_tile", "There is no such tile.")
    if not hand.won or hand.last < 0:
        raise refuse("won_by", "missing", "Say how the hand was won, and with which tile.")
    if not all(meld.last or _is_set(meld) for meld in hand.melds):
        raise no_set()


def _is_set(meld: Group) -> bool:
    first = min(meld.tiles, default=-1)
    chow = (first, first + 1, first + 2)
    in_suit = 0 <= first < EAST_INDEX and first % 9 <= 6
    alike = {"pung": 3, "kong": 4}.get(meld.kind, 0)
    if meld.kind == "chow":
        return in_suit and tuple(sorted(meld.tiles)) == chow
    return alike > 0 and first >= 0 and meld.tiles == (first,) * alike


def _taken_up(hand: PlayerHand) -> PlayerHand:
    """The set that the winning tile completed, and concealed pungs and chows, are tiles of the hand."""
    down = tuple(
        meld for meld in hand.melds if not meld.last and (melded(meld) or meld.kind == "kong")
    )
    up = Counter(index for meld in hand.melds if meld not in down for index in meld.tiles)
    if any(index < 0 for index in up) or up.total() + len(tiles_of(hand.counts)) > HAND:
        raise _wrong_size(hand.size, HAND)
    counts = hand.counts + sum(many * ONE[index] for index, many in up.items())
    return replace(hand, counts=counts, melds=down)


def _check_size(hand: PlayerHand) -> None:
    size = HAND + sum(meld.kind == "kong" for meld in hand.melds)
    if hand.size != size:
        raise _wrong_size(hand.size, size)


def _wrong_size(size: int, wanted: int) -> HandError:
    template = "{size} tiles: a {kind} hand with these declared sets has {fewest}."
    return refuse("tiles", "wrong_count", template, size=size, kind="winning", fewest=wanted)


def _indicators(hand: PlayerHand) -> Iterator[Problem]:
    if len(hand.dora_indicators) > MOST_INDICATORS:
        message = Text.of("There are at most {most} indicators.", most=MOST_INDICATORS)
        yield Problem("dora_indicators", "too_many", message)
    if -1 in hand.dora_indicators:
        yield Problem("dora_indicators", "unknown_tile", Text("There is no such tile."))
    held = Counter(tile.index for tile in tiles_of(hand.all_counts()))
    beside = Counter(hand.dora_indicators)
    for index in sorted(beside):
        if index >= 0 and held[index] + beside[index] > COPIES:
            message = Text.of("Five {tile}: a wall has four.", tile=TILES[index].name)
            yield Problem("dora_indicators", "too_many_copies", message)
