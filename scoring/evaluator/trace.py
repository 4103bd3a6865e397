"""The book's own procedure, step by step: a stack of tiles, a stack of sets, and falling back.

The tiles are sorted. The set on top takes tiles while it can; what it cannot take makes it fall back
to the next kind (four, three, sequence, pair), and after the pair the set below it. It is repaired in
three places: tiles go back in order, an empty stack of sets is no win, and a sequence may look beyond
the next tile of the stack. The last is where the book misses hands like 223344, and is marked.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from .hand import Hand
from .notation import format_tiles
from .sets import FourSet, Set
from .text import Text

LONG = 60  # steps: more are folded in the middle
FIRST, LAST = 24, 12  # those that are not

T = TypeVar("T")


class Action(StrEnum):
    """What a step does."""

    SORT = "sort"
    BEGIN = "begin"
    ADD = "add"
    LOOK_AHEAD = "look_ahead"
    FALL_BACK = "fall_back"
    GIVE_UP = "give_up"
    WIN = "win"
    FAIL = "fail"


class TraceStep(NamedTuple):
    """One step: what was done, in words, and the two stacks after it.

    ``sets`` are texts, the top one last; ``stack`` are the tiles still to be placed, in order.
    """

    action: Action
    sentence: str
    sets: tuple[str, ...]
    stack: str

    @property
    def beyond_the_book(self) -> bool:
        """Whether the book's procedure would not have done this, and so might miss the hand."""
        return self.action is Action.LOOK_AHEAD


def trace(hand: Hand, *, look_ahead: bool = True) -> Iterator[TraceStep]:
    """The steps until the first way to see five sets is found, or until there is none.

    Without ``look_ahead`` a sequence takes only the next tile, as in the book. A hand that does not
    win takes some hundred steps, at times three thousand.

    >>> steps = list(trace(Hand.from_notation("223344B 55B 222D GGG")))
    >>> steps[-1].action, steps[-1].sets
    (<Action.WIN: 'win'>, ('2B 3B 4B', '2B 3B 4B', '5B 5B', '2D 2D 2D', 'G G G'))
    >>> [step.sentence for step in steps if step.beyond_the_book][0]
    'The next tile is 2B, but 3B lies further on: the sequence takes it. The book looks at the next tile only.'
    """
    stack = SetStack(hand, look_ahead=look_ahead)
    stack.mahjongg()
    return iter(stack.steps)


def fold(steps: Sequence[T]) -> tuple[Sequence[T], Sequence[T], Sequence[T]]:
    """The first of many steps, those between that are shown only when asked for, and the last.

    >>> [len(part) for part in fold(range(100))], [len(part) for part in fold(range(60))]
    ([24, 64, 12], [60, 0, 0])
    """
    if len(steps) <= LONG:
        return steps, steps[:0], steps[:0]
    return steps[:FIRST], steps[FIRST:-LAST], steps[-LAST:]


def found_by_the_book(hand: Hand) -> bool:
    """Whether the book's procedure, which never looks ahead, would find that ``hand`` wins.

    >>> found_by_the_book(Hand.from_notation("222B 345B 55B 222D GGG"))
    True
    >>> found_by_the_book(Hand.from_notation("223344B 55B 222D GGG"))
    False
    """
    return any(step.action is Action.WIN for step in trace(hand, look_ahead=False))


class SetStack:
    """The book's stack of sets, its procedures ``mahjongg``, ``examine`` and ``retry``.

    ``tiles`` are those that have no set yet, the next one first; ``laid`` are declared sets, which stay;
    ``sets`` are the candidates, the top one last. ``steps`` says what was done.

    >>> stack = SetStack(Hand.from_notation("222B 345B 55B 222D GGG"))
    >>> stack.mahjongg(), len(stack.sets), stack.tiles
    (True, 5, [])
    """

    def __init__(self, hand: Hand, *, look_ahead: bool = True) -> None:
        """Without ``look_ahead`` a sequence takes only the next tile, as in the book."""
        self.laid = list(hand.melds)
        self.sets: list[Set] = []
        self.steps: list[TraceStep] = []
        loose = list(hand.tiles)
        for meld in self.laid:
            for tile in meld.tiles:
                loose.remove(tile)
        self.tiles = loose
        self.look_ahead = look_ahead
        self._orphans = hand.mahjongg() and not hand.readings[0].sets

    def mahjongg(self) -> bool:
        """Procedure 41.1: whether the tiles can be assigned to five sets, one of them a pair.

        Thirteen orphans win, too, with their tiles still on the stack. Sets that were begun already
        are gone on with; asked again, it answers the same.
        """
        if self.steps and self.steps[-1].action in (Action.WIN, Action.FAIL):
            return self.steps[-1].action is Action.WIN
        if self._orphans:
            sentence = "Thirteen orphans: the book looks for them before anything else. It wins."
            self._say(Action.WIN, Text(sentence))
            return True
        if not self.sets:
            self._say(Action.SORT, Text("The tiles are sorted; they are the stack."))
            self.sets.append(FourSet())
            self._say(Action.BEGIN, Text("A first set begins: a four."))
        self.examine()
        while self.sets:
            if self.all_full():
                self._say(Action.WIN, Text("Five full sets, exactly one a pair: it wins."))
                return True
            self.retry()
            self.examine()
        self._say(Action.FAIL, Text("No set is left to fall back: it does not win."))
        return False

    def examine(self) -> None:
        """Procedure 41.2: give all tiles to sets, until there is no tile or no set left."""
        while self.tiles and self.sets:
            top = self.sets[-1]
            if top.full():
                self.sets.append(FourSet())
                self._say(Action.BEGIN, Text("The set is full. Another begins: a four."))
            elif top.can_contain(self.tiles[0]):
                tile = self.tiles.pop(0)
                top.add(tile)
                sentence = Text.of("The {kind} takes {tile}.", kind=_name(top), tile=tile.code)
                self._say(Action.ADD, sentence)
            elif (place := self._further_on(top)) is not None:
                following, tile = self.tiles[0], self.tiles.pop(place)
                top.add(tile)
                sentence = Text.of(
                    "The next tile is {following}, but {tile} lies further on: the sequence takes it. "
                    "The book looks at the next tile only.",
                    following=following.code,
                    tile=tile.code,
                )
                self._say(Action.LOOK_AHEAD, sentence)
            else:
                sentence = Text.of(
                    "The {kind} cannot take {tile}.", kind=_name(top), tile=self.tiles[0].code
                )
                self.retry(sentence)

    def retry(self, why: str | None = None) -> Set | None:
        """Procedure 41.3: take the top set apart and put its fallback in its place.

        After a pair, which has none, the set below falls back. None if no set could: then none is left.
        ``why`` is a sentence.
        """
        why = why or Text("The sets are not five with one pair.")
        while self.sets:
            top = self.sets.pop()
            instead = top.fallback(self.tiles)
            self.tiles.sort()
            if instead is not None:
                self.sets.append(instead)
                sentence = Text.of(
                    "{why} Its tiles go back; a {kind} is tried.", why=why, kind=_name(instead)
                )
                self._say(Action.FALL_BACK, sentence)
                return instead
            sentence = Text.of("{why} A pair has no kind after it: its tiles go back.", why=why)
            self._say(Action.GIVE_UP, sentence)
            why = Text("The set below has to change.")
        return None

    def all_full(self) -> bool:
        """Whether there are five full sets, one of them a pair."""
        sets = [*self.laid, *self.sets]
        pairs = sum(tile_set.pair() for tile_set in sets)
        return len(sets) == 5 and pairs == 1 and all(tile_set.full() for tile_set in sets)

    def _further_on(self, top: Set) -> int | None:
        """Where in the stack a sequence finds its tile beyond the next one."""
        if not self.look_ahead or top.kind != "chow":
            return None
        return next((i for i, tile in enumerate(self.tiles) if top.can_contain(tile)), None)

    def _say(self, action: Action, sentence: str) -> None:
        sets = tuple(map(str, [*self.laid, *self.sets]))
        self.steps.append(TraceStep(action, sentence, sets, format_tiles(self.tiles)))


def _name(tile_set: Set) -> str:
    return {"kong": "four", "pung": "three", "chow": "sequence"}.get(tile_set.kind, tile_set.kind)
