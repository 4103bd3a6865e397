"""Millions of hands at once, with NumPy: the same answers as :mod:`scoring.evaluator.batch`.

NumPy is optional: the site does without it, and nothing else imports this module. It is for those who
deal a million hands to learn something. Every reading of a suit stands in a table that is made
when this module is imported; a hand is four look-ups and three additions, a rule of the registry a
comparison, of a whole array at a time. Nothing is remembered of a hand: the first pass is as fast as the
second.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.evaluator.batch import at_row, require_hand
from scoring.evaluator.counts import COPIES, ONE, SUIT_MASKS, copies, counts_of
from scoring.evaluator.notation import FEWEST_TILES, MOST_TILES, parse_wind
from scoring.evaluator.problems import HandError, refuse
from scoring.evaluator.readings import SET_TRAITS, winds_key
from scoring.evaluator.rules import CLUB, WINNING_POINTS, Cases, Rule, RuleSet, judge_of, played
from scoring.evaluator.search import HEADS
from scoring.evaluator.sets import Set
from scoring.evaluator.tiles import TILES, Tile, Wind
from scoring.evaluator.traits import (
    CONCEALED,
    FIVE_SETS,
    FIVE_SETS_MASK,
    GATES,
    NINE_GATES,
    ORPHANS,
    POINTS,
    SHIFTS,
    Traits,
    mask_of,
    traits_of_suit,
)

AT_ONCE = 2**16  # hands: what is worked on stays near the processor
KINDS = len(TILES)
RANKS = 9  # kinds of a suit
BASE = COPIES + 1  # of the number that the counts of a suit are
MOST_SETS = 4  # and a pair
HAND = 14
ORPHAN = np.array([not tile.simple() for tile in TILES])

# Packed traits are wider than an integer of NumPy: the ranks of chows and of pungs stand apart.
LOW_BITS = SHIFTS[Traits._fields.index("chow_ranks")]
assert np.iinfo(np.int64).bits > LOW_BITS, "The traits before chow_ranks need another integer."
LOW = (1 << LOW_BITS) - 1
CHOWS = mask_of("chow_ranks") >> LOW_BITS
POINTS_MASK = mask_of("points")

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
        scores = _final_scores(some, seat, prevailing, rules)
        _require_sizes(some, np.flatnonzero(scores == 0), begin)
        finals[begin : begin + AT_ONCE] = scores
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
    tables = (BAMBOO, OTHER_SUIT, OTHER_SUIT, _honors(winds_key(prevailing_wind, seat_wind)))
    columns = np.ascontiguousarray(hands.T)
    rows = [
        table.row[_in_one_number(columns[RANKS * i : RANKS * (i + 1)])]
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
        scores = _judged(tables, firsts, rules)
        finals[several] = _of_each(scores, starts, first=rules.interpretation == "first")

    none = np.flatnonzero(choices == 0)
    finals[none[_orphans(hands[none])]] = judge_of(rules)(ORPHANS + CONCEALED).final
    return finals


class _Table(NamedTuple):
    """Every reading of the suits of one kind."""

    row: NDArray[np.int32]  # by the counts in base 5; the first row is of what cannot be read
    first: Ints  # by row: its first reading, and how many it has
    ways: Ints
    low: Ints  # by reading, in the book's order: the traits
    high: Ints


def _table(ways: "_Ways", low: Ints, high: Ints) -> _Table:
    keys, first, number = np.unique(ways.keys, return_index=True, return_counts=True)
    row = np.zeros(BASE ** ways.counts.shape[1], np.int32)
    row[keys] = np.arange(1, len(keys) + 1)
    return _Table(row, np.append(0, first), np.append(0, number), low, high)


class _Ways(NamedTuple):
    """Every way to lay out up to four sets and a pair of one suit, sorted by the tiles they take."""

    sets: list[Set]
    chosen: NDArray[np.int8]  # by way: the numbers of its sets, padded with that of no set
    counts: NDArray[np.int8]  # by way: how many there are of each kind
    keys: NDArray[np.int32]  # the same as a number in base 5

    def summed(self, of_sets: list[int]) -> Ints:
        """The sum over the sets of each way."""
        values = np.array([*of_sets, 0])
        sums: Ints = np.add.reduce([values[column] for column in self.chosen.T])
        return sums

    def united(self, of_sets: list[int]) -> Ints:
        """The bits that any set of each way has."""
        values = np.array([*of_sets, 0])
        bits: Ints = np.bitwise_or.reduce([values[column] for column in self.chosen.T])
        return bits


def _ways(kinds: tuple[Tile, ...]) -> _Ways:
    # In the book's order: sorted by number, sets and ways are in it too, and no set comes last.
    sets = [tile_set for kind in kinds for tile_set, _counts in HEADS[kind.index]]
    nothing = len(sets)
    others = [number for number, tile_set in enumerate(sets) if not tile_set.pair()] + [nothing]
    pairs = [number for number, tile_set in enumerate(sets) if tile_set.pair()] + [nothing]
    fours = np.array([*combinations_with_replacement(others, MOST_SETS)], np.int8)
    pair = np.tile(np.array(pairs, np.int8), len(fours))
    chosen = np.column_stack([np.repeat(fours, len(pairs), axis=0), pair])
    held = [[tile_set.tiles.count(kind) for kind in kinds] for tile_set in sets]
    of_each = np.array([*held, [0] * len(kinds)], np.int8)
    counts = np.add.reduce([of_each[column] for column in chosen.T])
    enough = counts.max(axis=1) <= COPIES
    chosen, counts = np.sort(chosen[enough], axis=1), counts[enough]
    keys = _in_one_number(counts.T)
    order = np.lexsort((*chosen.T[::-1], keys))
    return _Ways(sets, chosen[order], counts[order], keys[order])


def _suits() -> tuple[_Table, _Table]:
    """The readings of bamboo, and of each other suit: the same with other traits."""
    ways = _ways(TILES[:RANKS])
    own = [SET_TRAITS[tile_set.counts] for tile_set in ways.sets]
    low, high = (
        ways.summed([traits & LOW for traits in own]),
        ways.united([traits >> LOW_BITS for traits in own]),
    )
    # What a suit has beyond its sets: for the ranks of its chows, for nine gates, for its tiles.
    ranks, which = np.unique(high & CHOWS, return_inverse=True)
    straights = [traits_of_suit([int(rank) << LOW_BITS], 0) & LOW for rank in ranks]
    low += np.array(straights)[which]
    gates = [
        [copies(counts, kind) for kind in TILES[:RANKS]]
        for counts in NINE_GATES
        if counts <= SUIT_MASKS[0]
    ]
    low[np.isin(ways.keys, _in_one_number(np.array(gates).T))] += GATES
    bamboo = _table(ways, low + _of_tiles(ways, TILES[:RANKS]), high)
    return bamboo, bamboo._replace(low=low + _of_tiles(ways, TILES[RANKS : 2 * RANKS]))


def _of_tiles(ways: _Ways, kinds: tuple[Tile, ...]) -> Ints:
    """By way: the traits that it has by which of ``kinds`` there are."""
    places = range(len(kinds))
    traits = [
        traits_of_suit([], counts_of([kinds[place] for place in places if held >> place & 1]))
        for held in range(2 ** len(kinds))
    ]
    by_way: Ints = np.array(traits)[(ways.counts > 0) @ (1 << np.array(places))]
    return by_way


@lru_cache(maxsize=1)
def _ways_of_honors() -> _Ways:
    return _ways(TILES[3 * RANKS :])


@lru_cache(maxsize=16)
def _honors(winds: int) -> _Table:
    ways = _ways_of_honors()
    low = ways.summed([SET_TRAITS[tile_set.counts | winds] for tile_set in ways.sets])
    return _table(ways, low + _of_tiles(ways, TILES[3 * RANKS :]), np.zeros_like(low))


def _in_one_number(suits: NDArray[np.integer]) -> NDArray[np.int32]:
    """The counts of each suit in base 5; shape (kinds, suits)."""
    keys = np.zeros(suits.shape[1], np.int32)
    for column in suits[::-1]:
        keys *= BASE
        keys += column
    return keys


def _judged(tables: tuple[_Table, ...], readings: list[Ints], rules: RuleSet) -> Ints:
    """The final scores of hands read one way: which reading of each suit; 0 if it does not win."""
    low, high, finals = np.zeros((3, len(readings[0])), np.int64)
    for table, own in zip(tables, readings, strict=True):
        low += table.low[own]
        high += table.high[own]
    wins = np.flatnonzero(low & FIVE_SETS_MASK == FIVE_SETS)
    finals[wins] = _finals(low[wins] + CONCEALED, high[wins], rules)
    return finals


def _finals(low: Ints, high: Ints, rules: RuleSet) -> Ints:
    """As :func:`scoring.evaluator.rules.judge`, for hands with these traits."""
    cases = played(rules)
    listed = rules.consistency == "listed"
    doubles, consistency = np.zeros((2, len(low)), np.int64)
    for rule, times in _had(cases.doubles, low, high):
        doubles += rule.worth * times
    for rule, times in _had(cases.consistency, low, high):
        better = np.maximum(consistency, rule.worth * times)
        consistency = np.where(listed & (consistency > 0), consistency, better)
    limited = np.zeros(len(low), np.bool_)
    for _rule, times in _had(cases.limits, low, high):
        limited |= times > 0
    totals = WINNING_POINTS + (low & POINTS_MASK) // POINTS << doubles + consistency
    rounded = (totals + rules.rounding // 2) // rules.rounding * rules.rounding
    return np.where(limited, rules.limit, np.minimum(rounded, rules.limit))


def _had(cases: Cases, low: Ints, high: Ints) -> Iterator[tuple[Rule, Ints]]:
    """Each rule, and how many times each hand has it."""
    for rule, its_cases in groupby(cases, key=itemgetter(0)):
        times = np.zeros(len(low), np.int64)
        for _rule, mask, value, worth in its_cases:
            has = low & (mask & LOW) == value & LOW
            if mask > LOW:
                has &= high & (mask >> LOW_BITS) == value >> LOW_BITS
            times = np.maximum(times, worth * has)
        yield rule, times


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
    orphans: NDArray[np.bool_] = all_kinds & (hands.sum(axis=1) == HAND)
    orphans &= ~hands[:, ~ORPHAN].any(axis=1)
    return orphans


BAMBOO, OTHER_SUIT = _suits()
