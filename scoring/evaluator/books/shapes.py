"""Find what several sets of a hand form together: one function a word of ``vocabulary.SHAPES``."""

from collections import Counter
from collections.abc import Callable, Iterable

from scoring.evaluator.counts import ONE

from .vocabulary import EAST_INDEX, Group

Groups = tuple[Group, ...]
ALL_SUITS = frozenset(range(3))
LAST_CHOW = 6  # the rank (from 0) of the 7 in 789
FIRST_END = 2  # of the 3 in 123


def _places(groups: Groups, *kinds: str) -> list[tuple[int, int]]:
    """Suit (0 to 2) and rank (0 to 8) of the lowest tile of each set of a suit."""
    return [
        divmod(group.tiles[0], 9)
        for group in groups
        if group.kind in kinds and group.tiles[0] < EAST_INDEX
    ]


def _suits_by_rank(places: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    suits: dict[int, set[int]] = {}
    for suit, rank in places:
        suits.setdefault(rank, set()).add(suit)
    return suits


def straights(groups: Groups, _last: int) -> int:
    chows = set(_places(groups, "chow"))
    return sum({(suit, 0), (suit, 3), (suit, 6)} <= chows for suit in ALL_SUITS)


def same_chows(groups: Groups, _last: int) -> int:
    return max(Counter(_places(groups, "chow")).values(), default=0)


def twin_chows(groups: Groups, _last: int) -> int:
    return sum(copies // 2 for copies in Counter(_places(groups, "chow")).values())


def similar_chows(groups: Groups, _last: int) -> int:
    by_rank = _suits_by_rank(_places(groups, "chow"))
    return sum(suits == ALL_SUITS for suits in by_rank.values())


def similar_triplets(groups: Groups, _last: int) -> int:
    by_rank = _suits_by_rank(_places(groups, "pung", "kong"))
    return sum(suits == ALL_SUITS for suits in by_rank.values())


def similar_triplets_with_pair(groups: Groups, _last: int) -> int:
    triplets = _suits_by_rank(_places(groups, "pung", "kong"))
    pairs = _places(groups, "pair")
    return sum(
        len(triplets.get(rank, ())) == 2 and suit not in triplets[rank] for suit, rank in pairs
    )


def triplets_in_a_row(groups: Groups, _last: int) -> int:
    there = set(_places(groups, "pung", "kong"))
    longest = 0
    for suit, rank in there:
        length = 1
        while rank + length < 9 and (suit, rank + length) in there:
            length += 1
        longest = max(longest, length)
    return longest


NINE_GATES = {
    sum(((3 if rank in (0, 8) else 1) * ONE[first + rank] for rank in range(9)), ONE[over]): over
    for first in (0, 9, 18)
    for over in range(first, first + 9)
}


def _over_nine_gates(groups: Groups) -> int:
    """The tile that is there once more than 1112345678999 of one suit need; -1 if it is no such hand."""
    if groups[0].tiles[0] // 9 != groups[-1].tiles[0] // 9:
        return -1
    counts: int = sum([ONE[index] for group in groups for index in group.tiles])
    return NINE_GATES.get(counts, -1)


def gates(groups: Groups, _last: int) -> int:
    return len(groups) > 0 and _over_nine_gates(groups) >= 0


def gates_called(groups: Groups, last: int) -> int:
    return last >= 0 and len(groups) > 0 and _over_nine_gates(groups) == last


def sequence_wait(groups: Groups, last: int) -> int:
    """Whether the winning tile is an end of the chow that it completed, of which a tile of either end would do."""
    return any(
        group.kind == "chow"
        and group.last
        and (
            (last == group.tiles[0] and last % 9 != LAST_CHOW)
            or (last == group.tiles[2] and last % 9 != FIRST_END)
        )
        for group in groups
    )


def different_pairs(groups: Groups, _last: int) -> int:
    return len({group.tiles for group in groups if group.kind == "pair"})


ASK: dict[str, Callable[[Groups, int], int]] = {
    function.__name__: function
    for function in (
        straights,
        same_chows,
        twin_chows,
        similar_chows,
        similar_triplets,
        similar_triplets_with_pair,
        triplets_in_a_row,
        gates,
        gates_called,
        different_pairs,
        sequence_wait,
    )
}
