"""A hand as somebody would enter it: the way back from what is stored to what is typed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.evaluator.books.declared import mark_of
from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.evaluator.tiles import Wind
from scoring.models import Hand, Player

from .hand_form import DRAW, SELF_DRAWN, UNKNOWN
from .names import short_names
from .rule_fields import initial_of


def form_initial(hand: Hand) -> dict[str, Any]:
    """What the form at the table says to log ``hand``."""
    if not hand.is_win:
        return {"winner": DRAW}
    discarder = SELF_DRAWN if hand.self_drawn else str(hand.discarder_id or UNKNOWN)
    initial = {"winner": str(hand.winner_id), "discarder": discarder, **_entered(hand)}
    if hand.claimed_limit:
        return {**initial, "claimed_limit": hand.claimed_limit}
    if not hand.checked:
        return {**initial, "claimed_final": hand.final}
    return {**initial, "tiles": typed_tiles(hand)}


def _entered(hand: Hand) -> dict[str, str]:
    """What else was entered: how it was won, bonus tiles, the hands of the others."""
    typed = {
        other["player"]: _typed(other["tiles"], other["melds"], other["card"])
        for other in hand.others or ()
    }
    return initial_of(hand, typed)


@dataclass(frozen=True, slots=True)
class SeatOfHand:
    """Who sat at the place ``seat`` (0 to 3), and under which wind, when a hand was dealt.

    ``short`` is the player's name for narrow places, another one for each of the four.
    """

    seat: int
    player: Player
    short: str
    wind: Wind


def seats_of(hand: Hand) -> list[SeatOfHand]:
    """The four seats of ``hand``, for ``table/_who.html``."""
    state, table = hand.state_before, hand.game.table
    names = short_names([seat.player.name for seat in table])
    return [
        SeatOfHand(seat.place, seat.player, name, state.seat_wind(seat.place))
        for seat, name in zip(table, names, strict=True)
    ]


def typed_tiles(hand: Hand) -> str:
    """The tiles set by set, declared ones marked: "222B* 345B 55B 2222D# GGG"."""
    return _typed(hand.tiles, hand.melds, hand.card)


def _typed(tiles: str, melds: Sequence[Mapping[str, Any]], card: Mapping[str, Any] | None) -> str:
    if not tiles:
        return ""
    sets = [tile_set["tiles"] for tile_set in card["sets"]] if card else []
    if Counter(tile for tile_set in sets for tile in tile_set) != Counter(tiles.split()):
        # The card lays out nothing, or not all: the declared sets, and whatever is left.
        sets = [meld["tiles"] for meld in melds]
        left = Counter(tiles.split()) - Counter(tile for tile_set in sets for tile in tile_set)
        sets += [list(left.elements())] if left else []
    # Of two equal chows one may lie open and the other not: each mark is used once.
    marks: dict[tuple[str, ...], list[str]] = {}
    for meld in melds:
        marks.setdefault(tuple(meld["tiles"]), []).append(mark_of(meld))
    return " ".join(
        format_tiles(parse_tiles(tile_set)) + _next(marks.get(tuple(tile_set))) for tile_set in sets
    )


def _next(marks: list[str] | None) -> str:
    return marks.pop(0) if marks else ""
