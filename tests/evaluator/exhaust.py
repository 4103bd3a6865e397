"""Score every winning hand three ways and compare: ``make exhaust``, an hour on two quiet cores.

    python -m tests.evaluator.exhaust [--kongs 0 1 2 3 4] [--each] [--processes 2] [--fresh]
    python -m tests.evaluator.exhaust --code

Every hand of `exhaust_hands` is scored under every wind position that can matter, under Club and Book:

- by the single path, ``scoring.evaluator.scorecard.score``, which every saved hand goes through, from
  the text of the hand: points, doubles, total, final score and limit hands;
- by ``scoring.arrays``: the final score, under all sixteen positions;
- by `reference`, which shares no code with either. It is slow, so it scores one hand of each class of
  hands that differ by nothing but the names of suits, winds and dragons, and all of the class are
  compared with its answer. That these names make no difference to it is tested (`test_exhaust`). With
  ``--each`` it scores every hand itself, which takes five times as long.

The hands are concealed and won by a discard; `test_exhaust` shows what else matters, and where.

What is done is kept after each chunk of work in ``var/exhaust.json``; begun again, it goes on there. It
refuses to go on when what scores hands under Club and Book (`scoring_files`), the reference or the list of
hands has changed: ``--fresh`` begins anew. In the end ``docs/every-winning-hand.md`` is written, with
the digest of the code that was compared. ``--code`` only says whether the code here is that code, and lists
its files; it exits with 1 if it is not.
"""

import argparse
import fcntl
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from math import prod
from multiprocessing import Pool
from pathlib import Path
from signal import SIG_DFL, SIG_IGN, SIGINT, SIGTERM, default_int_handler, signal
from time import monotonic, process_time
from typing import NamedTuple

import numpy as np

from scoring import arrays
from scoring.evaluator.rules import BOOK, CLUB
from scoring.evaluator.scorecard import score
from scoring.evaluator.tiles import Wind
from tests.evaluator import exhaust_hands as every
from tests.evaluator import reference
from tests.evaluator.exhaust_classes import Distribution, distribution
from tests.evaluator.exhaust_page import (
    ComparedHands,
    digest_of_scoring,
    state_of_page,
    write_page,
)
from tests.evaluator.scoring_files import scoring

ROOT = Path(__file__).parents[2]
CHECKPOINT = Path(os.environ.get("VAR_DIR") or ROOT / "var") / "exhaust.json"
COMPARING = tuple(
    Path(__file__).with_name(f"{name}.py") for name in ("reference", "exhaust", "exhaust_hands")
)
HANDS_AT_ONCE = 30_000
SHOWN_EVERY = 30  # seconds
MOST_DIFFERENCES = 20

RULES = (CLUB, BOOK)
HOUSES = (reference.House(), reference.House(interpretation="first", consistency="listed"))
HIGHEST = 501  # final scores are 0 to 500
NONE = np.zeros((len(RULES), len(every.POSITIONS), HIGHEST), np.int64)
# Points, doubles, total, final score, limit hands: under Club and under Book.
Figures = tuple[tuple[int, int, int, int, tuple[str, ...]], ...]


class Chunk(NamedTuple):
    """Some of the hands: combinations of suits ``start`` to ``stop`` of a block; -1 are the orphans."""

    kongs: int
    block: int
    start: int
    stop: int
    one_by_one: bool = False  # whether the reference scores each hand of a class


@dataclass
class Result:
    """What was scored, and what came of it. ``finals``: hands by rule set, position, final score."""

    hands: int = 0
    single: int = 0
    by_arrays: int = 0
    by_reference: int = 0
    seconds: float = 0  # of a processor
    differences: list[str] = field(default_factory=list)
    finals: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        self.hands += other.hands
        self.single += other.single
        self.by_arrays += other.by_arrays
        self.by_reference += other.by_reference
        self.seconds += other.seconds
        self.differences = (self.differences + other.differences)[:MOST_DIFFERENCES]
        self.finals = sparse(dense(self.finals) + dense(other.finals))


def dense(finals: list[tuple[int, int, int, int]]) -> np.ndarray:
    """Hands by rule set, position and final score."""
    counted = NONE.copy()
    for rules, position, final, hands in finals:
        counted[rules, position, final] = hands
    return counted


def sparse(counted: np.ndarray) -> list[tuple[int, int, int, int]]:
    return [(*map(int, at), int(counted[tuple(at)])) for at in np.argwhere(counted)]


# --- the three ways -------------------------------------------------------------------------------


def by_single_path(text: str, own: str, prevailing: str) -> Figures:
    cards = [score(text, own, prevailing, rules=rules) for rules in RULES]
    return tuple((card.points, card.doubles, card.total, card.final, card.limits) for card in cards)


def by_reference(parts: tuple[every.Counts, ...], position: tuple[str, str]) -> Figures:
    """One search for the ways to see the hand: both houses see the same."""
    hand = reference.Hand(every.codes(parts), *position)
    ways = [] if reference.is_thirteen_orphans(hand) else reference.decompositions(hand)
    return tuple(_reference_figures(hand, house, ways) for house in HOUSES)


def _reference_figures(hand: reference.Hand, house: reference.House, ways: list) -> tuple:
    if not ways:
        card = reference.score(hand, house)
        return (20, 0, 20, card.final, card.limits)
    card = reference.card(ways, hand, house)
    chosen = card.chosen
    return (chosen.points, sum(chosen.doubles.values()), chosen.total, card.final, card.limits)


def by_arrays(rows: np.ndarray) -> np.ndarray:
    """Final scores by rule set, hand and position."""
    finals = [
        [
            arrays.final_scores(
                rows, seat_wind=Wind(own), prevailing_wind=Wind(prevailing), rules=rules
            )
            for own, prevailing in every.POSITIONS
        ]
        for rules in RULES
    ]
    return np.array(finals).transpose(0, 2, 1)


# --- a chunk of the work --------------------------------------------------------------------------


class Honors(NamedTuple):
    """The honors of a hand, and under which winds it is scored."""

    part: every.Counts
    asked: dict[
        tuple[str, str], tuple[object, ...]
    ]  # positions that can matter, each with its class
    stands_for: list[tuple[str, str]]  # for each of the sixteen one of them


@cache
def honors_of(part: every.Counts) -> Honors:
    stands_for = every.positions(part)
    asked = {
        position: every.position_class(part, *position) for position in dict.fromkeys(stands_for)
    }
    return Honors(part, asked, stands_for)


def check(chunk: Chunk) -> tuple[Chunk, Result]:
    """Score the hands of a chunk in all ways."""
    begun = process_time()
    result = Result()
    rows: list[tuple[int, ...]] = []
    expected: list[list[list[int]]] = [[] for _rules in RULES]
    for suits, honors in _classes(chunk):
        _compare_class(suits, honors, result, rows, expected, one_by_one=chunk.one_by_one)
    if rows:
        _compare_arrays(np.array(rows, np.uint8), np.array(expected), result)
    result.hands = len(rows)
    result.seconds = process_time() - begun
    return chunk, result


def _classes(chunk: Chunk) -> Iterator[tuple[tuple[every.Counts, ...], tuple[every.Counts, ...]]]:
    """Three suits, and the honors that make them a winning hand."""
    if chunk.block < 0:
        for hand in every.thirteen_orphans():
            if hand[:3] == tuple(sorted(hand[:3])):
                yield hand[:3], hand[3:]
        return
    block = every.blocks_of_classes(chunk.kongs)[chunk.block]
    for number in range(chunk.start, chunk.stop):
        suits = every.in_order(block, number)
        if suits:
            yield suits, block.groups[3].parts


def _compare_class(
    suits: tuple[every.Counts, ...],
    all_honors: tuple[every.Counts, ...],
    result: Result,
    rows: list[tuple[int, ...]],
    expected: list[list[list[int]]],
    *,
    one_by_one: bool,
) -> None:
    """Hands of these suits in every order, with each of the honors: the single path and the reference."""
    known: dict[tuple[object, ...], Figures] = {}
    for arranged in every.arrangements(suits):
        for honors in map(honors_of, all_honors):
            hand = (*arranged, honors.part)
            text = every.text(hand)
            if one_by_one:
                known.clear()
            figures = {}
            for position, its_class in honors.asked.items():
                alike = position if one_by_one else its_class
                right = known.get(alike)
                if right is None:
                    known[alike] = right = by_reference(hand, position)
                    result.by_reference += len(RULES)
                figures_found = by_single_path(text, *position)
                if figures_found != right:
                    result.differences.append(
                        f"{text} {' in '.join(position)}: {figures_found}, not {right}"
                    )
                figures[position] = right
            result.single += len(figures) * len(RULES)
            rows.append(sum(arranged, ()) + honors.part)
            for place, one in enumerate(expected):
                one.append([figures[position][place][3] for position in honors.stands_for])


def _compare_arrays(rows: np.ndarray, expected: np.ndarray, result: Result) -> None:
    finals = by_arrays(rows)
    result.by_arrays = finals.size
    for rules, row, position in np.argwhere(finals != expected)[:MOST_DIFFERENCES]:
        hand, right = rows[row].tolist(), expected[rules, row, position]
        text = every.text((*(tuple(hand[i : i + 9]) for i in (0, 9, 18)), tuple(hand[27:])))
        place = f"{' in '.join(every.POSITIONS[position])}, {RULES[rules].name}"
        result.differences.append(
            f"{text} {place}: arrays {finals[rules, row, position]}, not {right}"
        )
    positions = np.arange(len(every.POSITIONS)) * HIGHEST
    shape = NONE.shape[1:]
    counted = [np.bincount((one + positions).ravel(), minlength=prod(shape)) for one in expected]
    result.finals = sparse(np.array(counted).reshape(NONE.shape))


# --- the whole ------------------------------------------------------------------------------------


def chunks(kongs: int, *, one_by_one: bool = False) -> list[Chunk]:
    """All work on the hands with so many kongs."""
    work = [Chunk(kongs, -1, 0, 0, one_by_one)] if not kongs else []
    for number, block in enumerate(every.blocks_of_classes(kongs)):
        suits = prod(len(group.parts) for group in block.groups[:3])
        step = max(1, HANDS_AT_ONCE // (6 * len(block.groups[3].parts)))
        for start in range(0, suits, step):
            work.append(Chunk(kongs, number, start, min(start + step, suits), one_by_one))
    return work


def number_of_hands(kongs: int) -> int:
    """Thirteen orphans are among those without a kong."""
    return every.number_of_hands(kongs) + (0 if kongs else len(every.thirteen_orphans()))


class UnusableCheckpoint(Exception):
    """Nothing can be added to what is done."""


class Checkpoint:
    """What is done, in a file that is replaced as a whole. Work has a name, its chunks have numbers.

    :raises UnusableCheckpoint: if the file at ``path`` was written with other code, or is damaged,
        unless ``fresh`` forgets it.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        # Now, not in an hour: somebody may edit the files meanwhile.
        self.path, self.code, self.evaluator = path, _code(), digest_of_scoring()
        self.done: dict[str, set[int]] = {}
        self.results: dict[str, Result] = {}
        if not fresh and path.exists():
            try:
                self._read(json.loads(path.read_text()))
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                raise UnusableCheckpoint(
                    f"{self.path} is damaged. --fresh forgets it and begins anew."
                ) from error

    def _read(self, stored: dict) -> None:
        if stored.get("code") != self.code:
            raise UnusableCheckpoint(
                f"{self.path} was made with other code. --fresh forgets it and begins anew."
            )
        for work, one in stored["works"].items():
            self.done[work] = set(one["done"])
            self.results[work] = Result(**one["result"])

    def add(self, work: str, number: int, result: Result) -> Result:
        """What there is of the work with this chunk of it."""
        self.done.setdefault(work, set()).add(number)
        self.results.setdefault(work, Result()).add(result)
        self._write()
        return self.results[work]

    def _write(self) -> None:
        works = {
            work: {"done": sorted(self.done[work]), "result": asdict(result)}
            for work, result in self.results.items()
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.path.with_suffix(".new")
        aside.write_text(json.dumps({"code": self.code, "works": works}))
        aside.replace(self.path)


@contextmanager
def _at_work_alone(path: Path) -> Iterator[None]:
    """Keep others off the checkpoint at ``path`` until this process ends.

    :raises UnusableCheckpoint: while another run adds to it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not passed on to the workers
        except BlockingIOError as error:
            raise UnusableCheckpoint(f"Another make exhaust adds to {path}.") from error
        yield


def _code() -> str:
    """The digest of all that decides what a hand scores, and which hands are scored."""
    return digest_of_scoring(COMPARING)


def run(kongs: int, checkpoint: Checkpoint, processes: int, *, one_by_one: bool = False) -> Result:
    """Do what is left of the hands with so many kongs."""
    work = name_of_work(kongs, one_by_one=one_by_one)
    done = checkpoint.done.get(work, set())
    left = {
        chunk: n for n, chunk in enumerate(chunks(kongs, one_by_one=one_by_one)) if n not in done
    }
    result = checkpoint.results.get(work, Result())
    whole, before, begun, shown = number_of_hands(kongs), result.hands, monotonic(), 0.0
    with Pool(processes, _leave_interrupts_to_the_parent) as pool:
        for chunk, its_result in pool.imap_unordered(check, left):
            result = checkpoint.add(work, left[chunk], its_result)
            if monotonic() - shown > SHOWN_EVERY or result.hands == whole:
                shown = monotonic()
                minutes = (whole - result.hands) / (result.hands - before) * (shown - begun) / 60
                _print(f"{work}: {result.hands:,} of {whole:,} hands, {minutes:.0f} minutes left")
    return result


def _leave_interrupts_to_the_parent() -> None:
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, SIG_DFL)


def _processes(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def name_of_work(kongs: int, *, one_by_one: bool) -> str:
    return f"{kongs} kongs{', each by the reference' if one_by_one else ''}"


def _print(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make exhaust")
    parser.add_argument("--kongs", type=int, nargs="+", choices=range(5), default=range(5))
    parser.add_argument(
        "--each", dest="one_by_one", action="store_true", help="the reference scores each hand"
    )
    parser.add_argument("--processes", type=_processes, default=2)
    parser.add_argument("--fresh", action="store_true", help="forget what is done")
    parser.add_argument(
        "--code", action="store_true", help="only say for which code the page holds"
    )
    options = parser.parse_args(arguments)
    try:
        holds, sentence = state_of_page()
        _print(sentence)
        if options.code:
            for file in scoring(ROOT).files:
                _print(f"  {file.relative_to(ROOT)}")
            return 0 if holds else 1
        with _at_work_alone(CHECKPOINT):
            return _compare_all(options)
    except UnusableCheckpoint as error:
        _print(str(error))
        return 2
    except OSError as error:
        _print(f"What is done cannot be kept: {error}.")
        return 2
    except KeyboardInterrupt:
        _print(f"Stopped. What is done is kept in {CHECKPOINT}: make exhaust goes on from there.")
        return 1


def _compare_all(options: argparse.Namespace) -> int:
    """:raises UnusableCheckpoint: if nothing can be added to what is done."""
    checkpoint = Checkpoint(CHECKPOINT, fresh=options.fresh)
    for kongs in options.kongs:
        result = run(kongs, checkpoint, options.processes, one_by_one=options.one_by_one)
        for difference in result.differences:
            _print(difference)
        if result.differences:
            return 1
    _print("No difference.")
    write(checkpoint)
    return 0


def write(checkpoint: Checkpoint) -> None:
    """The page: what was compared so far, and the tables.

    :raises ValueError: if the hands that were compared are not distributed as the table says.
    """
    rows, tables = [], {}
    for kongs in range(5):
        works = [
            checkpoint.results.get(name_of_work(kongs, one_by_one=one_by_one))
            for one_by_one in (True, False)
        ]
        result = max((work or Result() for work in works), key=lambda work: work.hands)
        figures = result.single, result.by_arrays, result.by_reference
        whole, tables[kongs] = number_of_hands(kongs), distribution(kongs)
        rows.append(
            ComparedHands(kongs, result.hands, whole, *figures, one_by_one=result is works[0])
        )
        if result.hands == whole and by_winds(result.finals) != tables[kongs]:
            raise ValueError(f"The hands with {kongs} kongs are not distributed as the table says.")
    write_page(rows, tables, checkpoint.evaluator)


def by_winds(finals: list[tuple[int, int, int, int]]) -> Distribution:
    """Hands by rule set, whether the own wind prevails, and final score.

    :raises ValueError: if two positions differ that should not.
    """
    by_position: dict[tuple[int, int], Counter[int]] = {}
    for rules, position, final, hands in finals:
        by_position.setdefault((rules, position), Counter())[final] = hands
    counted: Distribution = {}
    for (rules, position), column in by_position.items():
        own, prevailing = every.POSITIONS[position]
        if counted.setdefault((RULES[rules].name, own == prevailing), column) != column:
            raise ValueError(f"{own} in {prevailing} is not as others under {RULES[rules].name}.")
    return counted


if __name__ == "__main__":
    signal(SIGTERM, default_int_handler)  # workers that are left alone would wait for ever
    sys.exit(main(sys.argv[1:]))
