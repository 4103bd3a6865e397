"""The forms in which tiles win: for each an engine that finds every arrangement of a hand's tiles.

A book names the forms that it knows and sets conditions on them; no engine knows of a book.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations, product

from scoring.evaluator.counts import (
    BITS,
    MOST,
    ONE,
    SUITS,
    all_copies,
    contains,
    counts_of,
    tiles_of,
)
from scoring.evaluator.readings import THIRTEEN_ORPHANS
from scoring.evaluator.search import splits
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import BY_CODE, TILES, Tile

from .book import Form
from .hands import PlayerHand
from .vocabulary import EAST_INDEX, SET_KINDS, Group

Groups = tuple[Group, ...]
REMEMBERED = 2**15  # suits
HONORS = sum(ONE[EAST_INDEX:])
SIMPLES = all_copies(tile for tile in TILES if tile.simple())


def arrangements(form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """Every way to lay ``hand`` out in ``form``, declared sets as they lie; none if it is no such hand."""
    if form.concealed and any(not (meld.concealed or meld.last) for meld in hand.melds):
        return
    yield from ENGINES[form.kind](form, hand)


def partial(hand: PlayerHand) -> Groups:
    """The tiles of who did not win, as they count: kongs declared, pungs, pairs, and single tiles."""
    kinds = {1: "single", 2: "pair", 3: "pung", 4: "pung"}
    rest = tuple(
        Group(kinds[copies], (index,) * min(copies, 3))
        for index in range(34)
        if (copies := hand.counts >> BITS * index & MOST)
    )
    return (*hand.melds, *rest)


# --- four sets and a pair -----------------------------------------------------------------------------


@lru_cache(maxsize=REMEMBERED)
def _ways(counts: int) -> tuple[tuple[Groups, int, int], ...]:
    """Every way to split one suit, or the honors, into sets; with the numbers of sets and pairs."""
    ways = []
    for sets in splits(counts):
        groups = tuple(Group(one.kind, tuple(tile.index for tile in one.tiles)) for one in sets)
        ways.append((groups, len(groups), sum(group.kind == "pair" for group in groups)))
    return tuple(ways)


def ways_of(counts: int) -> Iterator[Groups]:
    """Every way to split one suit, or the honors, into sets."""
    return (groups for groups, _sets, _pairs in _ways(counts))


@lru_cache(maxsize=REMEMBERED)
def shapes_of(counts: int) -> frozenset[tuple[int, int]]:
    """Into how many sets, and pairs among them, a suit or the honors can be split; empty if not at all."""
    return frozenset(
        (len(sets), sum(one.kind == "pair" for one in sets)) for sets in splits(counts)
    )


def _sets(_form: Form, hand: PlayerHand, of: int = 5) -> Iterator[Groups]:
    counts, melds = hand.counts, hand.melds
    wanted = of - len(melds)
    pairs = 1 - sum(meld.kind == "pair" for meld in melds)
    if any(meld.kind not in SET_KINDS for meld in melds):
        return
    for a, b, c, d in product(*[_ways(counts & mask) for mask in SUITS]):
        if a[1] + b[1] + c[1] + d[1] == wanted and a[2] + b[2] + c[2] + d[2] == pairs:
            yield melds + a[0] + b[0] + c[0] + d[0]


# --- pairs and singles --------------------------------------------------------------------------------


def _alike(counts: int) -> Groups:
    """Every kind by itself: as a single, or as pairs."""
    groups: list[Group] = []
    for index in range(34):
        copies = counts >> BITS * index & MOST
        groups += [Group("pair", (index, index))] * (copies // 2)
        groups += [Group("single", (index,))] * (copies % 2)
    return tuple(groups)


def _orphans(_form: Form, hand: PlayerHand) -> Iterator[Groups]:
    if not hand.counts & SIMPLES and hand.all_counts() in THIRTEEN_ORPHANS and is_loose(hand):
        yield _alike(hand.all_counts())


def _pairs(_form: Form, hand: PlayerHand) -> Iterator[Groups]:
    if hand.size == 14 and all(meld.kind == "pair" for meld in hand.melds):
        groups = hand.melds + _alike(hand.counts)
        if len(groups) == 7 and all(group.kind == "pair" for group in groups):
            yield groups


def is_loose(hand: PlayerHand) -> bool:
    """Whether nothing is laid down but by the last tile."""
    return all(meld.kind in ("single", "pair") for meld in hand.melds)


# --- tiles as a form names them ------------------------------------------------------------------------


def _tiles(form: Form, hand: PlayerHand) -> Iterator[Groups]:
    counts = hand.all_counts()
    if counts in tile_forms(form.tiles, form.again):
        yield _alike(counts)


@lru_cache(maxsize=256)
def tile_forms(spec: str, again: bool) -> frozenset[int]:
    """The counts of all hands that ``spec`` describes, such as ``1123456789a E S W N``.

    :raises ValueError: with a sentence, for what cannot be read, or is not 14 tiles.

    >>> len(tile_forms("1123456789a E S W N", False)), len(tile_forms("19a 19b 19c E S W N R G Wh", True))
    (3, 13)
    """
    forms = set()
    for tiles in tile_choices(spec):
        counts = counts_of(tiles)
        if len(tiles) != 13 + (not again):
            message = "A winning form has 14 tiles; here are {count}."
            raise ValueError(Text.of(message, count=len(tiles) + again))
        more = {ONE[tile.index] for tile in tiles} if again else {0}
        forms |= {counts + one for one in more}
    return frozenset(forms)


def tile_choices(spec: str) -> list[list[Tile]]:
    """The tiles of ``spec`` in every choice of suits, each choice once.

    >>> [len(tile_choices(spec)) for spec in ("19a E S W N", "19B R", "19a 19b 19c", "12a 34b")]
    [3, 1, 1, 6]
    """
    choices = (
        sum(map(ONE.__getitem__, _indexes(spec, suits))) for suits in permutations((0, 1, 2))
    )
    return [list(tiles_of(counts)) for counts in dict.fromkeys(choices)]


def _indexes(spec: str, suits: tuple[int, ...]) -> Iterator[int]:
    for token in spec.split():
        if token in BY_CODE:
            yield BY_CODE[token].index
        elif token[-1] in "abc" and token[:-1].isdecimal() and "0" not in token:
            yield from (9 * suits["abc".index(token[-1])] + int(rank) - 1 for rank in token[:-1])
        elif token[-1] in "BCD" and token[:-1].isdecimal() and "0" not in token:
            yield from (9 * "BCD".index(token[-1]) + int(rank) - 1 for rank in token[:-1])
        else:
            raise ValueError(Text.of("“{token}” is no tile of a form.", token=token))


# --- nothing of the tiles ------------------------------------------------------------------------------


def _bonus(form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """Enough bonus tiles, whatever the others are."""
    if len(hand.bonus) >= form.bonus:
        yield partial(hand)


def _claimed(_form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """A value that was claimed, whatever the tiles are."""
    if hand.claimed:
        yield partial(hand)


# --- knitted hands -------------------------------------------------------------------------------------


def _knitted_pairs(_form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """Seven pairs, each of one rank in the same two suits."""
    counts = hand.all_counts()
    ranks = _ranks(counts)
    for first, second in combinations(range(3), 2):
        if ranks and hand.size == 14 and ranks[first] == ranks[second] and sum(ranks[first]) == 7:
            yield _laid(
                hand,
                "knitted_pair",
                [
                    (9 * first + rank, 9 * second + rank)
                    for rank, copies in enumerate(ranks[first])
                    for _copy in range(copies)
                ],
            )


def _knitted_triples(_form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """Four times one rank in each suit, and one rank in two of them."""
    ranks = _ranks(hand.all_counts())
    if not ranks or hand.size != 14:
        return
    for first, second in combinations(range(3), 2):
        for rank in range(9):
            left = [list(suit) for suit in ranks]
            left[first][rank] -= 1
            left[second][rank] -= 1
            if left[0] == left[1] == left[2] and min(left[0]) >= 0:
                pair = (9 * first + rank, 9 * second + rank)
                triples = [
                    (place, 9 + place, 18 + place)
                    for place, copies in enumerate(left[0])
                    for _copy in range(copies)
                ]
                yield _laid(hand, "knitted", triples) + _laid(hand, "knitted_pair", [pair])


def _ranks(counts: int) -> list[list[int]]:
    """The copies of each rank, a list a suit; none for tiles with honors."""
    if counts >> BITS * EAST_INDEX:
        return []
    return [[counts >> BITS * (9 * suit + rank) & MOST for rank in range(9)] for suit in range(3)]


def _laid(hand: PlayerHand, kind: str, sets: Sequence[tuple[int, ...]]) -> Groups:
    """Groups of these tiles; each open for which there is such a declared one."""
    melds = {tuple(sorted(meld.tiles)): meld for meld in hand.melds}
    return tuple(
        melds[tiles]._replace(kind=kind) if tiles in melds else Group(kind, tiles) for tiles in sets
    )


_RUNS = [(rank, rank + 3, rank + 6) for rank in range(3)]


def _knitted_runs() -> list[tuple[Groups, int]]:
    """1 4 7, 2 5 8 and 3 6 9, each of another suit: in six ways, with their counts."""
    ways = []
    for suits in permutations(range(3)):
        runs = [
            tuple(9 * suit + rank for rank in run) for suit, run in zip(suits, _RUNS, strict=True)
        ]
        counts = sum(ONE[index] for run in runs for index in run)
        ways.append((tuple(Group("knitted_run", run) for run in runs), counts))
    return ways


KNITTED_RUNS = _knitted_runs()


def _knitted_straight(form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """The three knitted runs, a set and a pair."""
    for runs, counts in KNITTED_RUNS:
        if contains(hand.counts, counts):
            rest = replace(hand, counts=hand.counts - counts)
            yield from (groups + runs for groups in _sets(form, rest, of=2))


def _knitted_singles(_form: Form, hand: PlayerHand) -> Iterator[Groups]:
    """Fourteen different tiles: of the knitted runs and the honors."""
    if hand.melds or hand.size != 14:
        return
    if any(contains(counts + HONORS, hand.counts) for _runs, counts in KNITTED_RUNS):
        yield _alike(hand.counts)


ENGINES: dict[str, Callable[[Form, PlayerHand], Iterator[Groups]]] = {
    "sets": _sets,
    "orphans": _orphans,
    "pairs": _pairs,
    "tiles": _tiles,
    "bonus": _bonus,
    "claimed": _claimed,
    "knitted_pairs": _knitted_pairs,
    "knitted_triples": _knitted_triples,
    "knitted_straight": _knitted_straight,
    "knitted_singles": _knitted_singles,
}
