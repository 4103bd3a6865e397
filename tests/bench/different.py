"""How fast different hands are scored, each once, in a process that has scored as many others.

What the memories hold of the others helps; nothing of the hands that are measured was seen before. Each
figure is the processor's time of a pass by its hands, so whatever is slow for a few of them counts, and
what else the machine does counts little. Before each pass every memory is emptied and filled by the other
hands again; the best of the passes is printed.
"""

from collections.abc import Callable
from random import Random
from time import process_time_ns

import numpy as np

from scoring import arrays
from scoring.evaluator.advice import nearest_missed_double
from scoring.evaluator.batch import final_scores
from scoring.evaluator.hand import Hand
from scoring.evaluator.tiles import TILES, Wind

from . import fans, peer
from .evaluator import card, final, forget_everything
from .hands import Typed, short_by_one, winning
from .report import Line, missed, printed
from .timing import MICRO, MILLI, Taken, collecting_no_garbage, times

HANDS = 20_000
FEWER = 2000  # hands of what takes long, and for the peers, which remember nothing
PASSES = 3
WINDS = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}


@collecting_no_garbage()
def run() -> str:
    rng = Random(2025)
    others, hands = winning(HANDS, rng), winning(HANDS, rng)
    far, near = short_by_one(FEWER, rng), short_by_one(FEWER, rng)
    estimate = times(peer.estimate, map(peer.asked, hands[:FEWER])).mean_cpu(MICRO)
    shanten = times(peer.shanten, map(peer.counted, near)).mean_cpu(MICRO)

    def line(what: str, taken: float, target: float, beside: float | None = None) -> Line:
        return Line(what, taken, "µs", target=target, beside=beside)

    cold = times(Hand.deficiency, forgetting(near[:200]))
    warm = passes(lambda some: times(Hand.deficiency, parsed(some)), far, near)
    missing = passes(
        lambda some: times(nearest_missed_double, parsed(some)), others[:FEWER], hands[:FEWER]
    )
    lines = [
        Line("`mahjong` 2.1 HandCalculator, from its arrays", estimate, "µs"),
        *(
            [Line("PyMahjongGB (C++), from its tuples", fans_of(hands), "µs")]
            if fans.INSTALLED
            else []
        ),
        line("parsed: the final score", whole(finals_one_by_one, others, hands), 3, estimate),
        line("from text: every line, every reading", whole(cards, others, hands), 12, estimate),
        line("a batch: the final score", whole(batch, others, hands), 4, estimate),
        line("an array: the final score", whole(array, others, hands), 0.5, estimate),
        Line("`mahjong` 2.1 Shanten, a tile short", shanten, "µs"),
        line("a tile short: the deficiency", warm.mean_cpu(MICRO), 100, shanten),
        line("the same, every memory emptied", cold.mean_cpu(MICRO), 2000, shanten),
        Line(
            "the nearest missed double",
            missing.mean_cpu(MILLI),
            "ms",
            missing.worst_cpu(MILLI),
            target=10,
            target_is_p95=True,
        ),
    ]
    title = (
        f"Evaluator: {HANDS} different winning hands, each once, after as many others ({FEWER} for the "
        f"peers, the deficiency and the missed double); the best of {PASSES} passes"
    )
    return f"{printed(title, lines, ('mean', 'worst'))}\n  {missed(lines)}"


Prepared = Callable[[list[Typed]], Callable[[], object]]


def whole(prepare: Prepared, others: list[Typed], hands: list[Typed]) -> float:
    """Microseconds a hand. ``prepare`` gives what is measured for some hands."""
    before, act = prepare(others), prepare(hands)
    best = float("inf")
    for _pass in range(PASSES):
        forget_everything()
        before()
        begin = process_time_ns()
        act()
        best = min(best, (process_time_ns() - begin) / MICRO / len(hands))
        before, act = prepare(others), prepare(hands)
    return best


def finals_one_by_one(hands: list[Typed]) -> Callable[[], object]:
    some = parsed(hands)
    return lambda: [final(hand) for hand in some]


def cards(hands: list[Typed]) -> Callable[[], object]:
    def act() -> None:
        for hand in hands:
            card(hand)

    return act


def batch(hands: list[Typed]) -> Callable[[], object]:
    counts = [hand.counts for hand in parsed(hands)]
    return lambda: final_scores(counts, **WINDS)


def array(hands: list[Typed]) -> Callable[[], object]:
    some = np.array([[hand.tiles.count(kind) for kind in TILES] for hand in hands], np.uint8)
    return lambda: arrays.final_scores(some, **WINDS)


def passes(
    measure: Callable[[list[Typed]], Taken], others: list[Typed], hands: list[Typed]
) -> Taken:
    """Each call of the pass whose worst is the least: what else the machine did is left out."""
    results = []
    for _pass in range(PASSES):
        forget_everything()
        measure(others)
        results.append(measure(hands))
    return min(results, key=lambda taken: max(taken.cpu))


def parsed(hands: list[Typed]) -> list[Hand]:
    return [hand.hand() for hand in hands]


def forgetting(hands: list[Typed]):
    for hand in parsed(hands):
        forget_everything()
        yield hand


def fans_of(hands: list[Typed]) -> float:
    return times(fans.count, map(fans.asked, hands[:FEWER])).mean_cpu(MICRO)
