"""A simple player at one hand: what to keep, what to claim, when it is mah jongg."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from scoring.evaluator.hand import Hand
from scoring.evaluator.sets import Set, set_of
from scoring.evaluator.tiles import TILES, Tile, Wind

from .heuristic import ANY_NUMBER, PAIR, SET, Counts, discard_cost, heuristic, without

# The tiles of a suit never mix with another's: Bamboo, Characters, Dots, honors.
SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))
HONORS = 3

IN_THE_PLAN, LUCKY, FOUR = 8, 2, 4


@dataclass(frozen=True, slots=True)
class Strategy:
    """How somebody plays.

    ``patience`` is how much a claim must promise, ``ambition`` how many tiles of one suit and honors
    make them go for one suit, and ``pairs`` how many pairs make them go for pungs. A hand may have so
    many ``chows`` at most.
    """

    patience: int = 8
    ambition: int = 9
    pairs: int = 4
    chows: int = ANY_NUMBER

    @classmethod
    def of(cls, rng: Random) -> "Strategy":
        return cls(rng.randint(6, 10), rng.randint(7, 10), rng.randint(3, 5))


class DemoSeat:
    """One of the four during one hand: the tiles in hand, the sets declared, the plan."""

    def __init__(self, tiles: Iterable[Tile], strategy: Strategy, winds: tuple[Wind, Wind]) -> None:
        """``winds``: the seat's own and the prevailing one."""
        self.counts = [0] * 34
        self.melds: list[Set] = []
        self.strategy = strategy
        self.own, self.prevailing = winds
        for tile in tiles:
            self.take(tile)
        self.pungs = sum(count >= 2 for count in self.counts) >= strategy.pairs
        self.weights = self._plan()

    def _plan(self) -> list[int]:
        """How much more each kind of tile is worth to this player than it promises."""
        weights = [LUCKY * tile.lucky(self.prevailing, self.own) for tile in TILES]
        held = [sum(self.counts[first:last]) for first, last in SUITS]
        longest = max(range(HONORS), key=lambda suit: held[suit])
        if held[longest] + held[HONORS] >= self.strategy.ambition:
            for suit in (longest, HONORS):
                for index in range(*SUITS[suit]):
                    weights[index] += IN_THE_PLAN
        return weights

    # ----- what lies there ------------------------------------------------------------------------

    def take(self, tile: Tile) -> None:
        self.counts[tile.index] += 1

    def _chows(self, first: int) -> int:
        """How many chows this player wants of the suit that begins with ``first``.

        Where a hand may have only a few, they are of the suit that gains most by one.
        """
        if self.pungs:
            return 0
        if self.strategy.chows == ANY_NUMBER:
            return ANY_NUMBER
        left = self.strategy.chows - sum(meld.kind == "chow" for meld in self.melds)
        gains = {start: self._gain_by_chow(start, end) for start, end in SUITS[:HONORS]}
        return max(left, 0) if first == max(gains, key=gains.__getitem__) else 0

    def _gain_by_chow(self, first: int, last: int) -> int:
        suit = tuple(self.counts[first:last])
        return heuristic(suit, 1) - heuristic(suit, 0)

    def suit_of(self, index: int) -> tuple[int, Counts]:
        """The first index of the tile's suit, and what is held of that suit."""
        first, last = SUITS[min(index // 9, HONORS)]
        return first, tuple(self.counts[first:last])

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles, those of the declared sets among them, lowest first."""
        in_hand = [
            TILES[index] for index, count in enumerate(self.counts) for _copy in range(count)
        ]
        return tuple(sorted(in_hand + [tile for meld in self.melds for tile in meld.tiles]))

    def mahjongg(self) -> bool:
        """Whether the tiles win. A look at each suit tells most hands that do not; then it counts."""
        for first, last in SUITS:
            suit = tuple(self.counts[first:last])
            sets, over = divmod(sum(suit), 3)
            least = sets * SET + (PAIR if over == 2 else 0)
            if over == 1 or heuristic(suit) < least:
                return False
        melds = tuple(self.melds)
        hand = Hand(self.tiles, melds=melds, seat_wind=self.own, prevailing_wind=self.prevailing)
        return hand.mahjongg()

    # ----- what to do -----------------------------------------------------------------------------

    def discard(self, first_choice: int) -> Tile:
        """Part with the tile that promises least; among equals, from ``first_choice`` (0 to 33) on."""
        chosen = min(
            (worth + self.weights[first + rank], (first + rank - first_choice) % 34, first + rank)
            for first, last in SUITS
            for rank, worth in discard_cost(tuple(self.counts[first:last]), self._chows(first))
        )
        index = chosen[-1]
        self.counts[index] -= 1
        return TILES[index]

    def wins_with(self, tile: Tile) -> bool:
        """Whether ``tile``, just discarded by another, is mah jongg. Takes it if so."""
        self.counts[tile.index] += 1
        if self.mahjongg():
            return True
        self.counts[tile.index] -= 1
        return False

    def give_back(self, tile: Tile) -> None:
        """Put back the discard that :meth:`wins_with` took."""
        self.counts[tile.index] -= 1

    def claim_pung(self, tile: Tile) -> Set | None:
        """Another's discard laid down as a pung or a kong; None to pass."""
        held = self.counts[tile.index]
        if held < 2 or not self._in_the_plan(tile):
            return None
        if held == 3 and self._gain(tile, 3, bonus=FOUR) > 0:
            return self._lay_down([tile] * 4, taken=tile)
        if self._gain(tile, 2) + self.weights[tile.index] < self.strategy.patience:
            return None
        return self._lay_down([tile] * 3, taken=tile)

    def claim_chow(self, tile: Tile) -> Set | None:
        """The discard of the player before laid down as a chow; None to pass."""
        first, suit = self.suit_of(tile.index)
        if not self._in_the_plan(tile) or not (chows := self._chows(first)):
            return None
        left = chows if chows == ANY_NUMBER else chows - 1
        for others in self._neighbours(tile):
            rest = without(suit, *(index - first for index in others))
            if SET + heuristic(rest, left) - heuristic(suit, chows) >= self.strategy.patience:
                return self._lay_down([tile, *(TILES[index] for index in others)], taken=tile)
        return None

    def kong(self) -> Set | None:
        """Four alike that this player declares in turn: all in hand, or added to an own pung."""
        for tile in TILES:
            held = self.counts[tile.index]
            if held == 4 and self._gain(tile, 4, bonus=FOUR) > 0:
                return self._lay_down([tile] * 4)
            if held == 1 and (pung := self._pung_of(tile)) and self._gain(tile, 1, FOUR - SET) > 0:
                self.melds.remove(pung)
                self.counts[tile.index] += 3
                return self._lay_down([tile] * 4, concealed=False)
        return None

    def _pung_of(self, tile: Tile) -> Set | None:
        return next(
            (meld for meld in self.melds if meld.kind == "pung" and meld.tiles[0] is tile), None
        )

    def _neighbours(self, tile: Tile) -> Iterator[tuple[int, int]]:
        """Pairs of tiles in hand that make a chow with ``tile``."""
        if tile.index >= 27:
            return
        first, _suit = self.suit_of(tile.index)
        for steps in ((1, 2), (-1, 1), (-2, -1)):
            others = (tile.index + steps[0], tile.index + steps[1])
            if all(first <= index < first + 9 and self.counts[index] for index in others):
                yield others

    def _in_the_plan(self, tile: Tile) -> bool:
        return self.weights[tile.index] >= IN_THE_PLAN or max(self.weights) < IN_THE_PLAN

    def _gain(self, tile: Tile, from_hand: int, bonus: int = 0) -> int:
        """What it promises to lay down ``from_hand`` tiles like ``tile`` as a set."""
        first, suit = self.suit_of(tile.index)
        rest = without(suit, *[tile.index - first] * from_hand)
        chows = self._chows(first)
        return SET + bonus + heuristic(rest, chows) - heuristic(suit, chows)

    def _lay_down(
        self, tiles: list[Tile], *, taken: Tile | None = None, concealed: bool | None = None
    ) -> Set:
        """Declare ``tiles``, one of which was ``taken`` from the table: the set lies open then."""
        for tile in tiles:
            self.counts[tile.index] -= 1
        if taken is not None:
            self.counts[taken.index] += 1
        meld = set_of(tiles, concealed=taken is None if concealed is None else concealed)
        assert meld is not None
        self.melds.append(meld)
        return meld
