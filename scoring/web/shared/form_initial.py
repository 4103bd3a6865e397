"""A hand as somebody would enter it: the way back from what is stored to what is typed."""

from dataclasses import dataclass
from typing import Any

from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.evaluator.tiles import Wind
from scoring.evaluator.win import Win
from scoring.models import Hand, Player

from .hand_form import DRAW, SELF_DRAWN, UNKNOWN, HandForm
from .names import short_names


def form_initial(hand: Hand) -> dict[str, Any]:
    """What the form at the table says to log ``hand``."""
    if not hand.is_win:
        return {"winner": DRAW}
    discarder = SELF_DRAWN if hand.self_drawn else str(hand.discarder_id or UNKNOWN)
    initial = {"winner": str(hand.winner_id), "discarder": discarder, **_how_won(hand)}
    if hand.claimed_limit:
        return {**initial, "claimed_limit": hand.claimed_limit}
    if not hand.checked:
        return {**initial, "claimed_final": hand.final}
    return {**initial, "tiles": typed_tiles(hand)}


def _how_won(hand: Hand) -> dict[str, str]:
    """What else the form asks about how it was won, as a form sends a tick."""
    asked = [name for name in Win._fields if name in HandForm.base_fields]
    return {name: "on" for name in asked if getattr(hand, name)}


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
    sets = hand.card["sets"] if hand.card else []
    if not sets:
        return format_tiles(parse_tiles(hand.tiles))
    # Of two equal chows one may lie open and the other not: each mark is used once.
    marks: dict[tuple[str, ...], list[str]] = {}
    for meld in hand.melds:
        marks.setdefault(tuple(meld["tiles"]), []).append("#" if meld["concealed"] else "*")
    return " ".join(
        format_tiles(parse_tiles(tile_set["tiles"])) + _next(marks.get(tuple(tile_set["tiles"])))
        for tile_set in sets
    )


def _next(marks: list[str] | None) -> str:
    return marks.pop(0) if marks else ""
