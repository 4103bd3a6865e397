"""How fast a hand is scored, in one process, one call at a time."""

import sys
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_hand, parse_wind
from scoring.evaluator.readings import forget
from scoring.evaluator.scorecard import score

from . import peer
from .hands import Typed, short_by_one, winning
from .report import Line, printed
from .timing import MICRO, Taken, collecting_no_garbage, times

HANDS = 3000
COLD_HANDS = 200
EVALUATOR = "scoring.evaluator"
TITLE = (
    f"Evaluator: {HANDS} random hands (half mixed, a quarter flushes, a quarter of one suit), seen "
    "before unless it is said otherwise"
)


@collecting_no_garbage()
def run() -> str:
    rng = Random(2024)
    wins, near = winning(HANDS, rng), short_by_one(HANDS, rng)
    new_wins, new_near = winning(HANDS, rng), short_by_one(HANDS, rng)
    warm_up(wins, near)
    theirs = times(peer.estimate, [peer.asked(hand) for hand in wins])
    beside = theirs.median(MICRO)

    def line(what: str, taken: Taken, target: float | None = None, **more) -> Line:
        return Line(what, taken.median(MICRO), "µs", taken.p95(MICRO), target, **more)

    lines = [
        line("`mahjong` 2.1 HandCalculator, from its arrays", theirs),
        line("winning, from text: the figures", times(scored, wins), beside=beside),
        line("winning, from text: every line and reading", times(card, wins), 60, beside=beside),
        line("winning, parsed: the final score", times(final, [*map(parsed, wins)]), beside=beside),
        line("a tile short, from text: the sentence", times(reason, near), 20),
        line("never seen, winning: every line and reading", times(card, new_wins), beside=beside),
        line("never seen, a tile short: the sentence", times(reason, new_near)),
        line("suits forgotten: every line and reading", cold(wins, forget), beside=beside),
        line("every memory emptied: the same", cold(wins, forget_everything), beside=beside),
    ]
    return printed(TITLE, lines) + f"\n  {memory(rng)}"


def warm_up(wins: list[Typed], near: list[Typed]) -> None:
    for hand in wins:
        card(hand)
        final(parsed(hand))
    for hand in near:
        reason(hand)


def parsed(hand: Typed) -> tuple:
    return parse_hand(hand.text), parse_wind(hand.seat), parse_wind(hand.prevailing)


def final(question: tuple) -> int:
    known, seat, prevailing = question
    return Hand(known.tiles, seat_wind=seat, prevailing_wind=prevailing).final_score()


def scored(hand: Typed) -> int | None:
    return score(hand.text, hand.seat, hand.prevailing).final


def card(hand: Typed) -> dict:
    return score(hand.text, hand.seat, hand.prevailing).as_dict()


def reason(hand: Typed) -> str | None:
    return score(hand.text, hand.seat, hand.prevailing).why


def cold(hands: list[Typed], forget: Callable[[], None]) -> Taken:
    """The whole card of each hand as if it were the first."""

    def forgetting() -> Iterator[Typed]:
        for hand in hands[:COLD_HANDS]:
            forget()
            yield hand

    return times(card, forgetting())


def forget_everything() -> None:
    """Empty every memory of the evaluator, whatever it is called."""
    modules = [module for name, module in sys.modules.items() if name.startswith(EVALUATOR)]
    for remembering in (value for module in modules for value in vars(module).values()):
        if hasattr(remembering, "cache_clear"):
            remembering.cache_clear()


def memory(rng: Random) -> str:
    """What the memories hold after many different hands."""
    hands, near = winning(20_000, rng), short_by_one(2000, rng)
    forget_everything()
    tracemalloc.start()
    warm_up(hands, near)
    held = tracemalloc.get_traced_memory()[0]
    forget_everything()
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (
        f"The memories take {(held - left) / 1e6:.1f} MB after {len(hands)} winning hands and "
        f"{len(near)} a tile short."
    )
