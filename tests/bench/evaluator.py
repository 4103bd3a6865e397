"""How fast a hand is scored, in one process, one call at a time."""

import sys
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from scoring import arrays
from scoring.evaluator.batch import final_scores
from scoring.evaluator.hand import Hand
from scoring.evaluator.readings import forget
from scoring.evaluator.scorecard import score
from scoring.evaluator.tiles import TILES, Wind

from . import fans, peer
from .hands import Typed, short_by_one, winning
from .report import Line, printed
from .timing import MICRO, Taken, clocked, collecting_no_garbage

HANDS = 3000
COLD_HANDS = 200
EVALUATOR = "scoring.evaluator"
TITLE = (
    f"Evaluator again: {HANDS} random hands (half mixed, a quarter flushes, a quarter of one suit), seen "
    "before unless it is said otherwise"
)


@collecting_no_garbage()
def run() -> str:
    rng = Random(2024)
    wins, near = winning(HANDS, rng), short_by_one(HANDS, rng)
    new_wins, new_near = winning(HANDS, rng), short_by_one(HANDS, rng)
    warm_up(wins, near)
    theirs = clocked(peer.estimate, [peer.asked(hand) for hand in wins])
    beside = theirs.median(MICRO)

    def line(what: str, taken: Taken, target: float | None = None, **more) -> Line:
        return Line(what, taken.median(MICRO), "µs", taken.p95(MICRO), target, **more)

    lines = [
        line("`mahjong` 2.1 HandCalculator, from its arrays", theirs),
        *([line("PyMahjongGB (C++), from its tuples", fans_of(wins))] if fans.INSTALLED else []),
        line("winning, parsed: the final score", clocked(final, parsed(wins)), 3, beside=beside),
        line("winning, from text: the final score", clocked(scored, wins), beside=beside),
        line(
            "winning, from text: every line, every reading", clocked(card, wins), 12, beside=beside
        ),
        line("winning, from text: the same for JSON", clocked(as_dict, wins), 60, beside=beside),
        line("a tile short, parsed: that it does not win", clocked(wins_or_not, parsed(near)), 4),
        line("a tile short, from text: the same", clocked(scored, near), 20),
        line("a tile short, from text: with the sentence why", clocked(reason, near)),
        line("never seen, winning: every line, every reading", clocked(card, new_wins)),
        line("never seen, a tile short: with the sentence why", clocked(reason, new_near)),
        line("suits forgotten: the final score", cold(scored, wins, forget), 25, beside=beside),
        line(
            "every memory emptied: every line, every reading", cold(card, wins, forget_everything)
        ),
        Line("a hand of a batch: the final score", batch(wins), "µs", target=4, beside=beside),
        Line("a hand of an array of a million", array(wins), "µs", target=0.5, beside=beside),
    ]
    return printed(TITLE, lines) + f"\n  {memory(rng)}"


def warm_up(wins: list[Typed], near: list[Typed]) -> None:
    for hand in wins:
        as_dict(hand)
    for hand in near:
        reason(hand)


def parsed(hands: list[Typed]) -> list[Hand]:
    return [hand.hand() for hand in hands]


def final(hand: Hand) -> int:
    return hand.final_score()


def wins_or_not(hand: Hand) -> bool:
    return hand.mahjongg()


def scored(hand: Typed) -> int | None:
    return score(hand.text, hand.seat, hand.prevailing).final


def card(hand: Typed) -> tuple:
    card_of_ours = score(hand.text, hand.seat, hand.prevailing)
    return (
        card_of_ours.final,
        card_of_ours.point_report,
        card_of_ours.double_report,
        card_of_ours.interpretations,
    )


def as_dict(hand: Typed) -> dict:
    return score(hand.text, hand.seat, hand.prevailing).as_dict()


def reason(hand: Typed) -> str | None:
    return score(hand.text, hand.seat, hand.prevailing).why


def fans_of(hands: list[Typed]) -> Taken:
    return clocked(fans.count, [fans.asked(hand) for hand in hands])


def batch(hands: list[Typed]) -> float:
    """Microseconds a hand, the best of a few rounds."""
    counts = [hand.hand().counts for hand in hands]
    rounds = clocked(
        lambda _round: final_scores(counts, seat_wind=Wind.SOUTH, prevailing_wind=Wind.EAST),
        range(9),
    )
    return min(rounds.wall) / MICRO / len(counts)


def array(hands: list[Typed]) -> float:
    """Microseconds a hand, the best of a few rounds."""
    some = np.array([[hand.tiles.count(kind) for kind in TILES] for hand in hands], np.uint8)
    many = np.tile(some, (1_000_000 // len(some), 1))
    Random(5).shuffle(rows := list(range(len(many))))
    many = many[rows]
    winds = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}
    rounds = clocked(lambda _round: arrays.final_scores(many, **winds), range(5))
    return min(rounds.wall) / MICRO / len(many)


def cold(act: Callable[[Typed], object], hands: list[Typed], forget: Callable[[], None]) -> Taken:
    """Each hand as if it were the first."""

    def forgetting() -> Iterator[Typed]:
        for hand in hands[:COLD_HANDS]:
            forget()
            yield hand

    return clocked(act, forgetting())


def forget_everything() -> None:
    """Empty every memory of the evaluator and of the arrays, whatever it is called."""
    modules = [arrays]
    modules += [module for name, module in sys.modules.items() if name.startswith(EVALUATOR)]
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
