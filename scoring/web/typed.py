"""A hand as somebody would enter it: the way back from what is stored to what is typed."""

from dataclasses import dataclass
from typing import Any

from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.evaluator.tiles import Wind
from scoring.models import Hand, Player

from .forms.hands import DRAW, SELF_DRAWN, UNKNOWN


def entered(hand: Hand) -> dict[str, Any]:
    """What the form at the table says to log ``hand``."""
    if not hand.is_win:
        return {"winner": DRAW}
    discarder = SELF_DRAWN if hand.self_drawn else str(hand.discarder_id or UNKNOWN)
    said = {"winner": str(hand.winner_id), "discarder": discarder}
    if hand.claimed_limit:
        return {**said, "claimed_limit": hand.claimed_limit}
    if not hand.checked:
        return {**said, "claimed_final": hand.final}
    return {**said, "tiles": typed_tiles(hand)}


@dataclass(frozen=True, slots=True)
class SeatOfHand:
    """Who sat at the place ``seat`` (0 to 3), and under which wind, when a hand was dealt."""

    seat: int
    player: Player
    wind: Wind


def seats_of(hand: Hand) -> list[SeatOfHand]:
    """The four seats of ``hand``, for ``games/_who.html``."""
    state = hand.state_before
    return [
        SeatOfHand(seat.place, seat.player, state.seat_wind(seat.place)) for seat in hand.game.table
    ]


def typed_tiles(hand: Hand) -> str:
    """The tiles set by set, declared ones marked: "222B* 345B 55B 2222D# GGG"."""
    sets = hand.card["sets"] if hand.card else []
    if not sets:
        return format_tiles(parse_tiles(hand.tiles))
    # Of two equal chows one may lie open and the other not: each mark is used once.
    marks: dict[tuple[str, ...], list[str]] = {}
    for meld in hand.melds:
        marks.setdefault(tuple(meld["tiles"]), []).append("#" if meld["concealed"] else "*")
    return " ".join(
        format_tiles(parse_tiles(each["tiles"])) + _next(marks.get(tuple(each["tiles"])))
        for each in sets
    )


def _next(marks: list[str] | None) -> str:
    return marks.pop(0) if marks else ""
