"""A book made ready to score: every number that its expressions read has a place in one packed integer.

What a set adds to that number is worked out once for each set and wind; a hand is then a few
additions, and hands that are equal in all that the book reads are judged once.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from scoring.evaluator.counts import ONE

from .book import Book, Form, Pattern
from .counting import NOTHING, Line, Verdict, count, counted
from .expressions import Evaluate, Expression, Slot, predicate_of_sets, predicate_of_tiles
from .forms import Groups, arrangements, partial
from .hands import FULL, PlayerHand
from .shapes import ASK
from .vocabulary import DRAWN, Group, SetFact, TileFact
from .waits import waits

BITS = 5  # a slot holds up to 31: tiles of a hand, its sets, its bonus tiles
MOST = (1 << BITS) - 1
REMEMBERED = 2**13  # verdicts of a book


SetTests = list[tuple[Callable[[SetFact], int], int]]
TileTests = list[tuple[Callable[[TileFact], int], int]]


class Judged(NamedTuple):
    """One arrangement of a hand and its verdict. ``form`` is None for who did not win."""

    verdict: Verdict
    groups: Groups
    form: Form | None


class Compiled:
    """One book, ready. Make it with :func:`compiled`, which remembers."""

    def __init__(self, book: Book) -> None:
        self.book = book
        expressions = [form.when for form in book.forms]
        for pattern in book.patterns:
            expressions += [pattern.times, pattern.value]
        self.places: dict[Slot, int] = {Slot("hand", "won"): 0}
        for slot in (slot for expression in expressions for slot in expression.slots):
            self.places.setdefault(slot, len(self.places))
        self.slots = tuple(self.places)
        self._of_sets, self._of_tiles = self._predicates()
        self._shapes = [
            (ASK[slot.name], BITS * place)
            for slot, place in self.places.items()
            if slot.kind == "shape"
        ]
        self._last = [
            (predicate_of_tiles(slot.name), BITS * place)
            for slot, place in self.places.items()
            if slot.kind == "last"
        ]
        self._patterns = [
            (pattern, self._at(pattern.times), self._at(pattern.value))
            for pattern in book.patterns
            if not pattern.option or book.plays(pattern.option)
        ]
        self._forms = [
            (form, self._at(form.when), self._one(Slot("form", form.id))) for form in book.forms
        ]
        self._options = sum(
            1 << BITS * place
            for slot, place in self.places.items()
            if slot.kind == "option" and book.plays(slot.name)
        )
        self._calling = [
            (pattern, self._at(pattern.times), _for_calling(pattern))
            for pattern in book.patterns
            if pattern.calling
        ]
        self._reads_only_place = self.reads("only_place")
        self.judge: Callable[..., Verdict] = lru_cache(maxsize=REMEMBERED)(self._judge)
        self._set: Callable[[Group, int, int], int] = lru_cache(maxsize=2**15)(self._packed_set)
        self._hand: Callable[..., int] = lru_cache(maxsize=2**12)(self._packed_hand)

    def _at(self, expression: Expression) -> Evaluate:
        return expression.at(self.places)

    def _one(self, slot: Slot) -> int:
        """One at the place of ``slot``; 0 if the book does not read it."""
        return 1 << BITS * self.places[slot] if slot in self.places else 0

    def _predicates(self) -> tuple[SetTests, TileTests]:
        sets: SetTests = []
        tiles: TileTests = []
        for slot, place in self.places.items():
            if slot.kind == "count":
                sets.append((predicate_of_sets(slot.name), 1 << BITS * place))
            elif slot.kind == "tiles":
                tiles.append((predicate_of_tiles(slot.name), 1 << BITS * place))
        return sets, tiles

    def reads(self, fact: str) -> bool:
        """Whether any expression of the book asks for this fact of the hand."""
        return Slot("hand", fact) in self.places

    # --- from a hand to a packed number ---------------------------------------------------------------

    def _packed_set(self, group: Group, seat: int, prevailing: int) -> int:
        fact = SetFact(group, seat, prevailing)
        packed = sum(one for test, one in self._of_sets if test(fact))
        for index in group.tiles:
            tile = TileFact(index, seat, prevailing)
            packed += sum(one for test, one in self._of_tiles if test(tile))
        return packed

    def _packed_hand(self, hand_facts: tuple[tuple[str, int], ...]) -> int:
        return sum(self._one(Slot("hand", name)) * value for name, value in hand_facts)

    def pack(self, groups: Groups, hand: PlayerHand, form: int = 0) -> int:
        """All that the book reads of ``hand`` laid out as ``groups``."""
        seat, prevailing = hand.winds
        packed = form + self._options + self._hand(self._facts(hand))
        for group in groups:
            packed += self._set(group, seat, prevailing)
        for ask, shift in self._shapes:
            packed += ask(groups, hand.last) << shift
        if hand.last >= 0:
            tile = TileFact(hand.last, seat, prevailing)
            for test, shift in self._last:
                packed += bool(test(tile)) << shift
        return packed

    def _facts(self, hand: PlayerHand) -> tuple[tuple[str, int], ...]:
        seat, prevailing = hand.winds
        own = str(seat + 1)
        facts = {
            "won": hand.won,
            "whole": hand.won or hand.places >= FULL,
            "drawn": hand.won_by in DRAWN,
            "dealer": seat == 0,
            "double_wind": seat == prevailing,
            "flowers": sum(tile[0] == "F" for tile in hand.bonus),
            "seasons": sum(tile[0] == "Y" for tile in hand.bonus),
            "own_flower": "F" + own in hand.bonus,
            "own_season": "Y" + own in hand.bonus,
            f"won_by_{hand.won_by}": 1,
            **dict.fromkeys(hand.flags, 1),
        }
        if self._reads_only_place and hand.won and hand.last >= 0:
            facts["only_place"] = facts.get("only_place") or len(self.waits(hand)) == 1
        return tuple((name, int(value)) for name, value in facts.items() if value)

    # --- from a packed number to a verdict ------------------------------------------------------------

    def values(self, packed: int) -> list[int]:
        """The number at each place."""
        return [packed >> BITS * place & MOST for place in range(len(self.slots))]

    def _judge(self, packed: int, claimed: int = 0, calling: Line | None = None) -> Verdict:
        values = self.values(packed)
        won = bool(packed & self._one(Slot("hand", "won")))
        lines = [
            Line(pattern, times, max(times * value(values), 0))
            for pattern, has, value in self._patterns
            if pattern.who in ("all", "winner" if won else "losers") and (times := has(values)) > 0
        ]
        if calling:
            lines.append(calling)
        kept = counted(lines, first_of_group=self.book.counting.first_of_group)
        return count(self.book.counting, kept, claimed=claimed)

    # --- the whole hand -------------------------------------------------------------------------------

    def judged(self, hand: PlayerHand) -> list[Judged]:
        """Every arrangement of a winning hand with its verdict, the best first; empty if it does not win."""
        found: dict[tuple[Groups, str], Judged] = {}
        for form, when, one in self._forms:
            for groups in self._completed(form, hand):
                packed = self.pack(groups, hand, one)
                if when(self.values(packed)):
                    key = tuple(sorted(groups)), form.id
                    found.setdefault(key, Judged(self.judge(packed, hand.claimed), groups, form))
        ranked = list(found.values())
        if self.book.counting.best:
            ranked.sort(key=lambda judged: judged.verdict.worth, reverse=True)
        return ranked

    def _completed(self, form: Form, hand: PlayerHand) -> Iterator[Groups]:
        """The arrangements, each with every set marked in turn that the last tile may have completed."""
        for groups in arrangements(form, hand):
            if hand.last < 0 or any(group.last for group in groups):
                yield groups
                continue
            seen = set()
            for place, group in enumerate(groups):
                if hand.last in group.tiles and group.concealed and group not in seen:
                    if place < len(hand.melds):
                        continue
                    seen.add(group)
                    done = group._replace(last=True, concealed=not hand.opens)
                    yield (*groups[:place], done, *groups[place + 1 :])

    def waits(self, hand: PlayerHand) -> tuple[int, ...]:
        """The indexes of all kinds that would have won in place of the winning tile; itself among them."""
        waiting = replace(hand, counts=hand.counts - ONE[hand.last], last=-1)
        return self.completing(waiting)

    def completing(self, waiting: PlayerHand) -> tuple[int, ...]:
        """The indexes of all kinds with which ``waiting`` wins."""
        return waits(self.book.forms, waiting, self._meets)

    def _meets(self, form: Form, groups: Groups, hand: PlayerHand) -> bool:
        """Whether these groups meet the condition of the form."""
        packed = self.pack(groups, replace(hand, won_by=""), self._one(Slot("form", form.id)))
        return bool(self._at(form.when)(self.values(packed)))

    def loser(self, hand: PlayerHand) -> Judged:
        """What the tiles of who did not win are worth; nothing, if there are too many."""
        groups = partial(hand)
        places = hand.places
        if places > FULL:
            return Judged(NOTHING, groups, None)
        packed = self.pack(groups, hand)
        callings = self._called(hand) if self._calling and places == FULL else []
        verdicts = [self.judge(packed, 0), *(self.judge(packed, 0, line) for line in callings)]
        return Judged(max(verdicts, key=lambda verdict: verdict.worth), groups, None)

    def _called(self, hand: PlayerHand) -> list[Line]:
        """What a loser gets for calling for a hand, a line for each such hand."""
        found = {}
        for index in self.completing(replace(hand, last=-1)):
            whole = replace(hand, counts=hand.counts + ONE[index], last=index, won_by="self_drawn")
            for judged in self.judged(whole):
                assert judged.form is not None
                packed = self.pack(judged.groups, whole, self._one(Slot("form", judged.form.id)))
                values = self.values(packed)
                for pattern, has, line in self._calling:
                    if has(values):
                        found[pattern.id] = line
        return list(found.values())


def _for_calling(pattern: Pattern) -> Line:
    """The line of a loser whose hand lacks one tile for ``pattern``."""
    name, value = f"Calling for {pattern.name}", Expression(str(pattern.calling))
    calling = replace(
        pattern, id=f"calling_{pattern.id}", name=name, value=value, who="losers", replaces=()
    )
    return Line(calling, 1, pattern.calling)


@lru_cache(maxsize=64)
def compiled(book: Book) -> Compiled:
    """``book``, made ready once."""
    return Compiled(book)
