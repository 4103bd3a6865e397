"""The hands of players who did not win, in one cell: ``S 222B* 33D; bonus=F1 Y2 | W 24``.

Each begins with the wind of the seat at the start of the game, as payments do. Then come the tiles, or the
score that the table worked out, and after semicolons the bonus tiles and what else was so.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.evaluator.books.declared import laid_out
from scoring.evaluator.counts import counts_of, tiles_of
from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.table_rules import LoserEntry
from scoring.evaluator.tiles import WINDS

from .columns import melds

BETWEEN, WORD = " | ", "; "
WORDS = ("bonus", "flags")
LETTERS = [wind.value for wind in WINDS]


def others(hands: Sequence[Mapping[str, Any]] | None, players: Sequence[int]) -> str:
    """``hands`` as a cell has them; ``players`` are the ids of the four seats, East first."""
    return BETWEEN.join(
        f"{LETTERS[players.index(hand['player'])]} {_hand(hand)}" for hand in hands or ()
    )


def others_entered(cell: str, players: Sequence[int]) -> Iterator[LoserEntry]:
    """What the cell says of each of the ``players``, East first.

    :raises ValueError: with a sentence for what cannot be read.
    """
    for part in filter(None, map(str.strip, cell.split("|"))):
        letter, _blank, rest = part.partition(" ")
        if letter.upper() not in LETTERS:
            sentence = _("“%(part)s” does not begin with E, S, W or N, the seat of the player.")
            raise ValueError(sentence % {"part": part})
        yield _entry(players[LETTERS.index(letter.upper())], rest)


def _hand(hand: Mapping[str, Any]) -> str:
    values = _tiles(hand) if hand["claimed"] is None else str(hand["claimed"])
    return WORD.join([values, *(f"{name}={hand[name]}" for name in WORDS if hand[name])])


def _tiles(hand: Mapping[str, Any]) -> str:
    """The tiles in the hand, then the declared sets with their marks."""
    laid = [parse_tiles(meld["tiles"]) for meld in hand["melds"]]
    kept = counts_of(parse_tiles(hand["tiles"])) - sum(counts_of(tiles) for tiles in laid)
    return " ".join(filter(None, [format_tiles(tiles_of(kept)), melds(hand["melds"])]))


def _entry(player: int, text: str) -> LoserEntry:
    tiles, *words = (part.strip() for part in text.split(";"))
    values: dict[str, Any] = {}
    for word in words:
        name, _equals, value = (part.strip() for part in word.partition("="))
        if name not in WORDS:
            sentence = _("“%(word)s” is not known here: write bonus= or flags=.")
            raise ValueError(sentence % {"word": word})
        values[name] = " ".join(sorted(value.replace(",", " ").split()))
    if tiles.isascii() and tiles.isdecimal():
        return LoserEntry(player, claimed=int(tiles), **values)
    try:
        laid_out(tiles)
    except HandError as error:
        raise ValueError(str(error)) from error
    return LoserEntry(player, tiles=tiles, **values)
