"""A hand as somebody would enter it: the way back from what is stored to what is typed."""

from typing import Any

from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.models import Hand

from .forms.hands import DRAW, SELF_DRAWN


def entered(hand: Hand) -> dict[str, Any]:
    """What the form at the table says to log ``hand``."""
    if not hand.is_win:
        return {"winner": DRAW}
    discarder = SELF_DRAWN if hand.self_drawn else str(hand.discarder_id or "")
    said = {"winner": str(hand.winner_id), "discarder": discarder}
    if not hand.checked:
        return {**said, "claimed_final": hand.final}
    return {**said, "tiles": typed_tiles(hand)}


def typed_tiles(hand: Hand) -> str:
    """The tiles set by set, declared ones marked: "222B* 345B 55B 2222D# GGG"."""
    sets = hand.card["sets"] if hand.card else []
    if not sets:
        return format_tiles(parse_tiles(hand.tiles))
    marks = {tuple(meld["tiles"]): "#" if meld["concealed"] else "*" for meld in hand.melds}
    return " ".join(
        format_tiles(parse_tiles(each["tiles"])) + marks.get(tuple(each["tiles"]), "")
        for each in sets
    )
