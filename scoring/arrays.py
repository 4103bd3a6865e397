"""Millions of hands at once, with NumPy: the same answers as :mod:`scoring.evaluator.batch`.

NumPy is optional: the site does without it, and nothing else imports this module. It is for those who
deal a million hands to learn something. What a suit can be read as comes from the evaluator and stands
in tables here, by the suit's counts; a hand is four look-ups and three additions for a whole array.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scoring.evaluator.batch import at_row, require_hand
from scoring.evaluator.counts import BITS, COPIES, ONE
from scoring.evaluator.notation import FEWEST_TILES, MOST_TILES, parse_wind
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.readings import Part, parts_of_honors, parts_of_suit, winds_key
from scoring.evaluator.rules import CLUB, RuleSet, judge_of
from scoring.evaluator.tiles import TILES, Wind
from scoring.evaluator.traits import (
    CONCEALED,
    FIVE_SETS,
    FIVE_SETS_MASK,
    ORPHANS,
    SHIFTS,
    WIDTHS,
    Traits,
)

AT_ONCE = 2**16  # hands: what is worked on stays near the processor
KINDS = len(TILES)
RANKS, HONORS = 9, 7
HAND = 14
ORPHAN = np.array([not each.simple() for each in TILES])

# Packed traits are wider than an integer of NumPy: the ranks of chows and of pungs stand apart.
APART = Traits._fields.index("chow_ranks")
LOW_BITS = SHIFTS[APART]
LOW = (1 << LOW_BITS) - 1
CHOW_BITS = WIDTHS.chow_ranks
# Of the ranks the rules ask only whether one stands in all three suits: two bits that are both set.
LOWER_BITS = sum(1 << bit for bit in range(0, sum(WIDTHS[APART:]), 2))
CHOWS, PUNGS = 1 << LOW_BITS, 1 << LOW_BITS + 1
IN_THREE_SUITS = {CHOWS: Traits(chow_ranks=3).pack(), PUNGS: Traits(pung_ranks=3).pack()}

Ints = NDArray[np.int64]


def final_scores(
    hands: NDArray[np.integer],
    *,
    seat_wind: Wind,
    prevailing_wind: Wind,
    rules: RuleSet = CLUB,
) -> Ints:
    """The final score of each hand in whole points; 0 for one that does not win.

    :param hands: shape (hands, 34): how many there are of each kind, in the order of ``TILES``. They are
        concealed and without melds.
    :raises ValueError: for another shape or type; for fewer than none or more than four of a kind, and
        for a wrong number of tiles, with the first row that has them; for what is no wind (the last
        three are :class:`scoring.evaluator.problems.HandError`).
    """
    hands = np.asarray(hands)
    if hands.ndim != 2 or hands.shape[1] != KINDS:
        raise ValueError(f"Hands are an array of shape (any, {KINDS}), not {hands.shape}.")
    if hands.dtype.kind not in "iu":
        raise ValueError(f"Hands are an array of whole numbers, not of {hands.dtype}.")
    if hands.size and not 0 <= hands.min() <= hands.max() <= COPIES:
        raise _wrong_copies(hands)
    seat = parse_wind(seat_wind, "seat_wind")
    prevailing = parse_wind(prevailing_wind, "prevailing_wind")
    finals = np.zeros(len(hands), np.int64)
    for begin in range(0, len(hands), AT_ONCE):
        some = hands[begin : begin + AT_ONCE].astype(np.int8, copy=False)
        found = _final_scores(some, seat, prevailing, rules)
        _require_sizes(some, np.flatnonzero(found == 0), begin)
        finals[begin : begin + AT_ONCE] = found
    return finals


def _wrong_copies(hands: NDArray[np.integer]) -> HandError:
    row, kind = np.argwhere((hands < 0) | (hands > COPIES))[0]
    sentence = "{copies} × {tile}: there are 0 to {most} tiles of each kind."
    params = {"copies": int(hands[row, kind]), "tile": TILES[kind].name, "most": COPIES}
    return at_row(int(row), refuse("hands", "wrong_copies", sentence, **params))


def _require_sizes(hands: NDArray[np.integer], rows: Ints, begin: int) -> None:
    """:raises HandError: if one of ``rows`` has a wrong number of tiles. Those that win have theirs."""
    sizes = hands[rows].sum(axis=1, dtype=np.int64)
    wrong = np.flatnonzero((sizes < FEWEST_TILES) | (sizes > MOST_TILES))
    if len(wrong):
        row = int(rows[wrong[0]])
        counts = sum(int(copies) * one for copies, one in zip(hands[row], ONE, strict=True))
        require_hand(counts, begin + row)


def _final_scores(
    hands: NDArray[np.integer], seat_wind: Wind, prevailing_wind: Wind, rules: RuleSet
) -> Ints:
    tables = (_suits(), _suits(), _suits(), _honors(winds_key(prevailing_wind, seat_wind)))
    columns = np.ascontiguousarray(hands.T)
    rows = [
        table.rows(_in_one_number(columns[RANKS * i : RANKS * (i + 1)]))
        for i, table in enumerate(tables)
    ]
    ways = [table.ways[row] for table, row in zip(tables, rows, strict=True)]
    choices = ways[0] * ways[1] * ways[2] * ways[3]
    finals = np.zeros(len(hands), np.int64)

    single = np.flatnonzero(choices == 1)
    firsts = [table.first[row[single]] for table, row in zip(tables, rows, strict=True)]
    finals[single] = _judged(tables, firsts, rules)

    several = np.flatnonzero(choices > 1)
    if len(several):
        chosen, starts = _every_choice([way[several] for way in ways], choices[several])
        firsts = [
            np.repeat(table.first[row[several]], choices[several]) + own
            for table, row, own in zip(tables, rows, chosen, strict=True)
        ]
        found = _judged(tables, firsts, rules)
        finals[several] = _of_each(found, starts, first=rules.interpretation == "first")

    none = np.flatnonzero(choices == 0)
    finals[none[_orphans(hands[none])]] = judge_of(rules)(ORPHANS + CONCEALED).final
    return finals


class _Table:
    """The readings of suits of one kind, by their counts; what is asked for is worked out once."""

    def __init__(self, kinds: int, read: Callable[[int], tuple[Part, ...]]) -> None:
        self._read, self._kinds = read, kinds
        self._row = np.full((COPIES + 1) ** kinds, -1, np.int32)  # by the counts as one number
        self.first = np.zeros(0, np.int64)  # by row: its first reading, and how many it has
        self.ways = np.zeros(0, np.int64)
        self.low = np.zeros(0, np.int64)  # by reading: the traits
        self.high = np.zeros(0, np.int64)

    def rows(self, keys: NDArray[np.int32]) -> Ints:
        """The row of each suit, its counts given as one number in base 5."""
        rows = self._row[keys]
        if len(rows) and rows.min() < 0:
            self._add(np.unique(keys[rows < 0]))
            rows = self._row[keys]
        return rows.astype(np.int64)

    def _add(self, keys: Ints) -> None:
        found = [self._read(self._counts(int(key))) for key in keys]
        ways = np.array([len(parts) for parts in found])
        traits = [part.traits for parts in found for part in parts]
        self._row[keys] = np.arange(len(self.ways), len(self.ways) + len(keys))
        begin = np.cumsum(ways) - ways + len(self.low)
        self.first = np.concatenate([self.first, begin])
        self.ways = np.concatenate([self.ways, ways])
        self.low = np.append(self.low, np.array([each & LOW for each in traits], np.int64))
        self.high = np.append(self.high, np.array([each >> LOW_BITS for each in traits], np.int64))

    def _counts(self, key: int) -> int:
        """The packed counts of a suit."""
        packed = 0
        for kind in range(self._kinds):
            key, copies = divmod(key, COPIES + 1)
            packed += copies << BITS * kind
        return packed


@lru_cache(maxsize=1)
def _suits() -> _Table:
    """Bamboo's readings: those of the other suits have the same traits."""
    return _Table(RANKS, parts_of_suit)


@lru_cache(maxsize=16)
def _honors(winds: int) -> _Table:
    return _Table(HONORS, lambda packed: parts_of_honors((packed << 3 * RANKS * BITS) + winds))


def _in_one_number(suits: NDArray[np.integer]) -> NDArray[np.int32]:
    """The counts of each suit in base 5; shape (kinds, suits)."""
    keys = np.zeros(suits.shape[1], np.int32)
    for column in suits[::-1]:
        keys *= COPIES + 1
        keys += column
    return keys


def _judged(tables: tuple[_Table, ...], readings: list[Ints], rules: RuleSet) -> Ints:
    """The final scores of hands read one way: which reading of each suit; 0 if it does not win."""
    low, high, finals = np.zeros((3, len(readings[0])), np.int64)
    for table, own in zip(tables, readings, strict=True):
        low += table.low[own]
        high += table.high[own]
    wins = np.flatnonzero(low & FIVE_SETS_MASK == FIVE_SETS)
    in_three = high[wins] & high[wins] >> 1 & LOWER_BITS
    chows, pungs = in_three & (1 << CHOW_BITS) - 1, in_three >> CHOW_BITS
    straights = np.where(chows, CHOWS, 0) + np.where(pungs, PUNGS, 0)
    different, which = np.unique(low[wins] + straights, return_inverse=True)
    worth = [_worth(int(each), rules) for each in different]
    finals[wins] = np.array(worth, np.int64)[which]
    return finals


@lru_cache(maxsize=2**14)
def _worth(code: int, rules: RuleSet) -> int:
    """The final score of traits without their ranks, with a bit each for ranks in three suits."""
    ranks = sum(traits for flag, traits in IN_THREE_SUITS.items() if code & flag)
    return judge_of(rules)((code & LOW) + CONCEALED + ranks).final


def _every_choice(ways: list[Ints], choices: Ints) -> tuple[list[Ints], Ints]:
    """For every combination the reading of each suit, the last suit's changing first; where hands begin."""
    starts = np.cumsum(choices) - choices
    number = np.arange(choices.sum()) - np.repeat(starts, choices)
    chosen = []
    for own in reversed(ways):
        number, which = np.divmod(number, np.repeat(own, choices))
        chosen.append(which)
    return chosen[::-1], starts


def _of_each(finals: Ints, starts: Ints, *, first: bool) -> Ints:
    """Of each hand's readings the best, or the first that wins."""
    if not first:
        return np.maximum.reduceat(finals, starts)
    nowhere = len(finals)
    places = np.where(finals > 0, np.arange(nowhere), nowhere)
    return np.append(finals, 0)[np.minimum.reduceat(places, starts)]


def _orphans(hands: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Which of ``hands`` are thirteen orphans."""
    all_kinds = (hands[:, ORPHAN] > 0).all(axis=1)
    found: NDArray[np.bool_] = all_kinds & (hands.sum(axis=1) == HAND)
    found &= ~hands[:, ~ORPHAN].any(axis=1)
    return found
