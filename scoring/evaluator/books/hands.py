"""A player's hand as rule books see it: tiles, declared sets, bonus tiles, and how it was won."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.evaluator.counts import ONE, tiles_of
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError, Problem, refuse
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import TILES, WINDS, Wind

from .book import Book
from .vocabulary import BESIDE, DRAWN, FLAGS, WON_BY, Group

FULL = 13  # places of who did not win
BONUS_TILES = tuple(f"{letter}{number}" for letter in "FY" for number in (1, 2, 3, 4))
OPENS = frozenset(WON_BY) - DRAWN
ALWAYS_KNOWN = frozenset(("self_drawn", "discard"))  # also where a book gives nothing for them


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """The tiles of one player after a hand.

    ``counts`` are the tiles not declared, with the winning tile; ``last`` is its index, or -1.
    ``won_by`` is empty for who did not win. ``bonus`` are flowers and seasons by their codes.
    ``dora_indicators`` are indexes of tiles that are not of the hand.
    """

    counts: int
    melds: tuple[Group, ...] = ()
    last: int = -1
    won_by: str = ""
    seat: Wind = Wind.EAST
    prevailing: Wind = Wind.EAST
    bonus: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    claimed: int = 0  # the value of a card's line
    dora_indicators: tuple[int, ...] = ()

    @property
    def won(self) -> bool:
        return bool(self.won_by)

    @property
    def opens(self) -> bool:
        """Whether the set that the last tile completes lies open."""
        return self.won_by in OPENS

    @property
    def winds(self) -> tuple[int, int]:
        """The wind of the seat and of the round, 0 to 3."""
        return WINDS.index(self.seat), WINDS.index(self.prevailing)

    @property
    def size(self) -> int:
        """How many tiles there are in all, without bonus tiles."""
        return len(tiles_of(self.counts)) + sum(len(meld.tiles) for meld in self.melds)

    @property
    def places(self) -> int:
        """How many tiles there are where a declared kong is taken as three."""
        return self.size - sum(meld.kind == "kong" for meld in self.melds)

    def all_counts(self) -> int:
        """The counts of all tiles, the declared ones, too."""
        return self.counts + sum(ONE[index] for meld in self.melds for index in meld.tiles)


def check_hand(hand: PlayerHand) -> None:
    """:raises HandError: for what cannot be on any table, each problem at its field."""
    problems = [
        *_wrong_bonus(hand.bonus),
        *_wrong_names("flags", hand.flags, FLAGS),
        *_wrong_names("won_by", [hand.won_by] if hand.won_by else [], WON_BY),
    ]
    problems += [
        Problem(
            "tiles", "too_many_copies", Text.of("Five {tile}: a wall has four.", tile=tile.name)
        )
        for tile in TILES
        if hand.all_counts() // ONE[tile.index] % 32 > 4
    ]
    if hand.last >= 0 and not hand.counts // ONE[hand.last] % 32 and not _completes(hand):
        message = Text("The winning tile is not among the tiles.")
        problems.append(Problem("winning_tile", "not_there", message))
    if problems:
        raise HandError(problems)


def check_known(book: Book, hand: PlayerHand) -> None:
    """:raises HandError: for a circumstance or a bonus tile that ``book`` does not know, by its name."""
    problems = []
    if hand.won_by and hand.won_by not in book.circumstances | ALWAYS_KNOWN:
        problems.append(not_in_book(book.name, "won_by", hand.won_by))
    problems += [
        not_in_book(book.name, "flags", flag) for flag in sorted(hand.flags - book.circumstances)
    ]
    beside = {name for name in BESIDE if getattr(hand, name)}
    problems += [not_in_book(book.name, name, name) for name in sorted(beside - book.circumstances)]
    if hand.bonus and not book.bonus:
        problems.append(not_in_book(book.name, "bonus", ", ".join(hand.bonus)))
    if problems:
        raise HandError(problems)


def one_tile(given: object) -> int:
    """The index of the winning tile; -1 for none.

    :raises HandError: for more than one, or what is no tile.
    """
    if given in (None, ""):
        return -1
    tiles = parse_tiles(given, "winning_tile")
    if len(tiles) != 1:
        raise refuse("winning_tile", "not_one", "The winning tile is one tile.")
    return tiles[0].index


def indicated(tiles: str) -> tuple[int, ...]:
    """The indexes of dora indicators, in order.

    :raises HandError: at ``dora_indicators``, for what is no tile.

    >>> indicated("5C 2B")
    (1, 13)
    """
    return tuple(sorted(tile.index for tile in parse_tiles(tiles, "dora_indicators")))


def not_in_book(rules: str, field: str, value: object) -> Problem:
    """That the rules called ``rules`` do not know ``value``."""
    message = Text.of("{book} does not know “{name}”.", book=rules, name=value)
    return Problem(field, "not_in_book", message)


def _completes(hand: PlayerHand) -> bool:
    return any(meld.last and hand.last in meld.tiles for meld in hand.melds)


def _wrong_bonus(bonus: Iterable[str]) -> list[Problem]:
    bonus = list(bonus)
    problems = _wrong_names("bonus", bonus, BONUS_TILES)
    if len(set(bonus)) < len(bonus):
        problems.append(Problem("bonus", "twice", Text("There is one of each flower and season.")))
    return problems


def _wrong_names(field: str, names: Iterable[str], known: Iterable[str]) -> list[Problem]:
    known = list(known)
    return [
        Problem(field, "unknown", refuse_unknown(field, name, known))
        for name in sorted(set(names) - set(known))
    ]


def refuse_unknown(field: str, name: str, known: Iterable[str]) -> Text:
    """The sentence for a name that is not one of ``known``."""
    return Text.of("“{name}” is not known: choose from {names}.", name=name, names=", ".join(known))


__all__ = ["BONUS_TILES", "PlayerHand", "check_hand", "check_known", "refuse", "refuse_unknown"]
