"""A hand that does not win: what fits, what is left over, and which one exchange would mend it."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import format_hand, format_tiles
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.sets import Set
from scoring.evaluator.tiles import Tile
from scoring.evaluator.why import best_fit, winning_exchanges

from .forms.calculator import CalculatorForm, address

SHOWN = 8


@dataclass(frozen=True, slots=True)
class Exchange:
    """One tile given for another, what the hand then scores, and where that is shown."""

    given: Tile
    taken: Tile
    final: int
    url: str


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The sets that fit, the tiles left over, and the best exchanges; ``more`` are not listed."""

    fits: Sequence[Set]
    left_over: Sequence[Tile]
    exchanges: list[Exchange]
    more: int


def near_miss(form: CalculatorForm) -> NearMiss:
    """What is said about the hand of a valid ``form`` that does not win."""
    assert form.hand is not None
    fits, left_over = best_fit(form.hand.counts, form.hand.melds)
    found = [
        _exchange(form, given, taken)
        for given, taken in winning_exchanges(form.hand.counts, form.hand.melds)
    ]
    found.sort(key=lambda exchange: -exchange.final)
    return NearMiss(fits, left_over, found[:SHOWN], more=max(0, len(found) - SHOWN))


def _exchange(form: CalculatorForm, given: Tile, taken: Tile) -> Exchange:
    hand = _with(form.hand, given, taken)
    url = address({**form.said, "tiles": _spelled(hand, form.rules)})
    return Exchange(given, taken, hand.final_score(form.rules), url)


def _with(hand: Hand, given: Tile, taken: Tile) -> Hand:
    tiles = list(hand.tiles)
    tiles[tiles.index(given)] = taken
    return Hand(
        tuple(tiles),
        seat_wind=hand.seat_wind,
        prevailing_wind=hand.prevailing_wind,
        melds=hand.melds,
        concealed=hand.concealed,
        self_drawn=hand.self_drawn,
    )


def _spelled(hand: Hand, rules: RuleSet) -> str:
    """The hand set by set, as people write it."""
    sets = hand.chosen(rules).reading.sets
    words = [format_tiles(each.tiles) + ("" if each.concealed else "*") for each in sets]
    return " ".join(words) or format_hand(hand.tiles)
