"""How many hands have which final score, by the arrays: one hand of each class, as often as it stands for.

Hands that differ by nothing but the names of suits, and of winds and dragons that count alike, have the
same final score; so a few million rows say it of all.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from scoring import arrays
from scoring.evaluator.rules import BOOK, CLUB
from scoring.evaluator.tiles import Wind
from tests.evaluator import exhaust_hands as every

LIMIT = 500
AT_ONCE = 10**6  # combinations of suits
# How many hands have which final score, by rule set and whether the own wind prevails.
Distribution = dict[tuple[str, bool], Counter[int]]


def distribution(kongs: int) -> Distribution:
    """Of all winning hands with so many kongs; thirteen orphans are among those without."""
    columns = {True: Wind.EAST, False: Wind.SOUTH}  # the own wind, in the East round
    counted = {
        (rules.name, prevails): np.zeros(LIMIT + 1)
        for rules in (CLUB, BOOK)
        for prevails in columns
    }
    for prevails, own in columns.items():
        for rows, times in classes(kongs, own):
            for rules in (CLUB, BOOK):
                finals = arrays.final_scores(
                    rows, seat_wind=own, prevailing_wind=Wind.EAST, rules=rules
                )
                counted[rules.name, prevails] += np.bincount(finals, times, LIMIT + 1)
    for column in counted.values():
        column[LIMIT] += 0 if kongs else len(every.thirteen_orphans())
    return {
        key: Counter({final: int(hands) for final, hands in enumerate(column) if hands})
        for key, column in counted.items()
    }


def classes(kongs: int, own: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows of hands in the East round, with how many hands each stands for."""
    for block in every.blocks_of_classes(kongs):
        honors, times = _honors(block.groups[3].parts, own)
        for suits, orders in _suits(block):
            repeated = np.repeat(suits, len(honors), axis=0)
            rows = np.hstack([repeated, np.tile(honors, (len(suits), 1))])
            yield rows, np.repeat(orders, len(honors)) * np.tile(times, len(suits))


def _honors(parts: tuple[every.Counts, ...], own: str) -> tuple[np.ndarray, np.ndarray]:
    alike: dict[tuple[object, ...], list[every.Counts]] = {}
    for honors in parts:
        alike.setdefault(every.position_class(honors, own, "E"), []).append(honors)
    return np.array([one[0] for one in alike.values()], np.uint8), np.array(
        [len(one) for one in alike.values()]
    )


def _suits(block: every.Block) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Suits in one order, and in how many orders they can stand."""
    groups = block.groups[:3]
    parts = [np.array(group.parts, np.uint8) for group in groups]
    shape = tuple(map(len, parts))
    for begin in range(0, int(np.prod(shape)), AT_ONCE):
        numbers = np.arange(begin, min(begin + AT_ONCE, int(np.prod(shape))))
        places = np.array(np.unravel_index(numbers, shape))
        for near in (0, 1):
            if groups[near] is groups[near + 1]:
                places = places[:, places[near] <= places[near + 1]]
        rows = [own[place] for own, place in zip(parts, places, strict=True)]
        alike = sum((rows[near] == rows[near + 1]).all(axis=1).astype(int) for near in (0, 1))
        yield np.hstack(rows), np.array([6, 3, 1])[alike]
