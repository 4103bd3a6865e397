"""A book made ready to score hands: its layout, its judge, and the arrangements of each suit.

Suits are arranged once each, with what their sets add to the packed number that the judge reads; a hand
is then a few additions.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.evaluator.counts import ONE, SUITS

from .book import Book, Form, Pattern
from .counting import NOTHING, BookVerdict, Line
from .expressions import Evaluate, Expression, Slot
from .forms import Groups, arrangements, partial, ways_of
from .hands import FULL, PlayerHand
from .judging import Judge
from .layout import NOTHING_PACKED, Layout, Packed
from .vocabulary import DRAWN, SET_KINDS
from .waits import waits

REMEMBERED = 2**14  # suits in their arrangements
HONORS = 3  # their place in SUITS


class Judged(NamedTuple):
    """One arrangement of a hand and its verdict. ``form`` is None for who did not win."""

    verdict: BookVerdict
    groups: Groups
    form: Form | None


class Way(NamedTuple):
    """One way to split a suit, or the honors, into sets: how many, how many pairs, what they add."""

    groups: Groups
    sets: int
    pairs: int
    sums: int
    bits: int


class Compiled:
    """One book, ready. Make it with :func:`compiled`, which remembers."""

    def __init__(self, book: Book) -> None:
        self.book = book
        expressions = [form.when for form in book.forms]
        for pattern in book.patterns:
            expressions += [pattern.times, pattern.value]
        self.layout = layout = Layout(expressions)
        self.judge = Judge(book, layout)
        self._forms = [(form, self._condition(form), self._one(form)) for form in book.forms]
        self._calling = [
            (pattern, pattern.times.at(layout.places), _for_calling(pattern))
            for pattern in book.patterns
            if pattern.calling
        ]
        self._options = sum(
            layout.one(slot)
            for slot in layout.slots
            if slot.kind == "option" and book.plays(slot.name)
        )
        self._reads_only_place = Slot("hand", "only_place") in layout.places
        self._ways: Callable[..., tuple[Way, ...]] = lru_cache(maxsize=REMEMBERED)(self._ways_of)
        self._last_ways: Callable[..., tuple[Way, ...]] = lru_cache(maxsize=REMEMBERED)(
            self._ways_with_last
        )
        self._hand: Callable[..., int] = lru_cache(maxsize=2**12)(self._of_hand)
        self._bonus: Callable[..., int] = lru_cache(maxsize=2**12)(self._of_bonus)

    def _condition(self, form: Form) -> Evaluate | None:
        """What decides whether an arrangement is of the form; None for a form without conditions."""
        return None if form.unconditional else form.when.at(self.layout.places)

    def _one(self, form: Form) -> int:
        return self.layout.one(Slot("form", form.id))

    # --- from a hand to a packed number ---------------------------------------------------------------

    def pack(self, groups: Groups, hand: PlayerHand, form: int = 0) -> int:
        """All that the book reads of ``hand`` laid out as ``groups``."""
        sets = self._of_sets(groups, hand)
        return self._packed(sets, groups, hand.last) + form + self._facts(hand)

    def _of_sets(self, groups: Groups, hand: PlayerHand) -> Packed:
        seat, prevailing = hand.winds
        packed = NOTHING_PACKED
        for group in groups:
            packed += self.layout.of_set(group, seat, prevailing)
        return packed

    def _packed(self, sets: Packed, groups: Groups, last: int) -> int:
        packed = sets[0] | sets[1]
        for ask, shift in self.layout.shapes:
            packed += ask(groups, last) << shift
        return packed

    def _facts(self, hand: PlayerHand) -> int:
        """What the hand adds besides its sets."""
        only = self._reads_only_place and hand.won and hand.last >= 0 and len(self.waits(hand)) == 1
        whole = hand.won or hand.places >= FULL
        seat, prevailing = hand.winds
        facts = self._hand(hand.won_by, seat, prevailing, hand.flags, whole, only)
        if hand.bonus:
            facts += self._bonus(hand.bonus, seat)
        return facts + self.layout.of_last(hand.last, seat, prevailing) if hand.last >= 0 else facts

    def _of_hand(
        self,
        won_by: str,
        seat: int,
        prevailing: int,
        flags: frozenset[str],
        whole: bool,
        only: bool,
    ) -> int:
        facts = {
            "won": bool(won_by),
            "whole": whole,
            "drawn": won_by in DRAWN,
            "dealer": seat == 0,
            "double_wind": seat == prevailing,
            f"won_by_{won_by}": 1,
            **dict.fromkeys(flags, 1),
        }
        if only:
            facts["only_place"] = 1
        return self.layout.of_hand(facts.items()) + self._options

    def _of_bonus(self, bonus: tuple[str, ...], seat: int) -> int:
        own = str(seat + 1)
        facts = {
            "flowers": sum(tile[0] == "F" for tile in bonus),
            "seasons": sum(tile[0] == "Y" for tile in bonus),
            "own_flower": "F" + own in bonus,
            "own_season": "Y" + own in bonus,
        }
        return self.layout.of_hand(facts.items())

    # --- the whole hand -------------------------------------------------------------------------------

    def judged(self, hand: PlayerHand) -> list[Judged]:
        """Every arrangement of a winning hand with its verdict; empty if it does not win.

        Those that may be declared come first; of these the best, or where the book takes none for
        better, in the order of its forms.
        """
        facts = -1
        judgements: list[Judged] = []
        for form, when, one in self._forms:
            for groups, sets in self._arranged(form, hand):
                if facts < 0:
                    facts = self._facts(hand)
                packed = self._packed(sets, groups, hand.last) + facts + one
                if when is None or when(self.layout.values(packed)):
                    judgements.append(Judged(self.judge(packed, hand.claimed), groups, form))
        if len(judgements) > 1:
            judgements.sort(key=_rank if self.book.counting.best else _may_win, reverse=True)
        return judgements

    def _arranged(self, form: Form, hand: PlayerHand) -> Iterator[tuple[Groups, Packed]]:
        """The arrangements, each with every set marked in turn that the winning tile may have completed."""
        if form.kind == "sets" and not form.concealed:
            return self._in_sets(hand)
        return self._by_engine(form, hand)

    def _by_engine(self, form: Form, hand: PlayerHand) -> Iterator[tuple[Groups, Packed]]:
        """The arrangements as the engine of the form finds them."""
        for groups in arrangements(form, hand):
            for marked in _completed(groups, hand):
                yield marked, self._of_sets(marked, hand)

    def _in_sets(self, hand: PlayerHand) -> Iterator[tuple[Groups, Packed]]:
        """The arrangements in four sets and a pair: suit by suit, as each was arranged before."""
        melds, counts, last = hand.melds, hand.counts, hand.last
        sets, pairs = 5 - len(melds), 1
        declared = NOTHING_PACKED
        seat, prevailing = hand.winds
        for meld in melds:
            if meld.kind not in SET_KINDS:
                return
            pairs -= meld.kind == "pair"
            last = -1 if meld.last else last
            declared += self.layout.of_set(meld, seat, prevailing)
        suits = []
        for place, mask in enumerate(SUITS):
            winds = (seat, prevailing) if place == HONORS else (0, 0)
            if last >= 0 and place == last // 9:
                ways = self._last_ways(counts & mask, last, hand.opens, *winds)
            else:
                ways = self._ways(counts & mask, *winds)
            if not ways:
                return
            suits.append(ways)
        for a, b, c, d in product(*suits):
            if a[1] + b[1] + c[1] + d[1] == sets and a[2] + b[2] + c[2] + d[2] == pairs:
                yield (
                    melds + a[0] + b[0] + c[0] + d[0],
                    Packed(
                        declared[0] + a[3] + b[3] + c[3] + d[3],
                        declared[1] | a[4] | b[4] | c[4] | d[4],
                    ),
                )

    def _ways_of(self, counts: int, seat: int, prevailing: int) -> tuple[Way, ...]:
        return tuple(self._way(groups, seat, prevailing) for groups in ways_of(counts))

    def _ways_with_last(
        self, counts: int, last: int, opens: bool, seat: int, prevailing: int
    ) -> tuple[Way, ...]:
        """The same with each set marked in turn that ``last`` may have completed."""
        return tuple(
            self._way(marked, seat, prevailing)
            for groups in ways_of(counts)
            for marked in _marked(groups, last, opens)
        )

    def _way(self, groups: Groups, seat: int, prevailing: int) -> Way:
        packed = NOTHING_PACKED
        for group in groups:
            packed += self.layout.of_set(group, seat, prevailing)
        return Way(groups, len(groups), sum(group.kind == "pair" for group in groups), *packed)

    def waits(self, hand: PlayerHand) -> tuple[int, ...]:
        """The indexes of all kinds that would have won in place of the winning tile; itself among them."""
        for place, meld in enumerate(hand.melds):
            if meld.last:  # its tiles were in the hand before the last one came
                counts = hand.counts + sum(ONE[index] for index in meld.tiles)
                melds = hand.melds[:place] + hand.melds[place + 1 :]
                return self.waits(replace(hand, counts=counts, melds=melds))
        return waits(self.book.forms, hand, hand.counts - ONE[hand.last], self._meets)

    def completing(self, waiting: PlayerHand) -> tuple[int, ...]:
        """The indexes of all kinds with which ``waiting`` wins."""
        return waits(self.book.forms, waiting, waiting.counts, self._meets)

    def _meets(self, form: Form, groups: Groups, hand: PlayerHand) -> bool:
        """Whether these groups meet the condition of the form."""
        when = self._condition(form)
        if when is None:
            return True
        packed = self.pack(groups, replace(hand, won_by=""), self._one(form))
        return bool(when(self.layout.values(packed)))

    def loser(self, hand: PlayerHand) -> Judged:
        """What the tiles of who did not win are worth; nothing, if there are too many."""
        groups = partial(hand)
        places = hand.places
        if places > FULL:
            return Judged(NOTHING, groups, None)
        packed = self.pack(groups, hand)
        callings = self._called(hand) if self._calling and places == FULL else []
        verdicts = [self.judge(packed), *(self.judge(packed, 0, line) for line in callings)]
        return Judged(max(verdicts, key=lambda verdict: verdict.worth), groups, None)

    def _called(self, hand: PlayerHand) -> list[Line]:
        """What a loser gets for calling for a hand, a line for each such hand."""
        lines = {}
        for index in self.completing(replace(hand, last=-1)):
            whole = replace(hand, counts=hand.counts + ONE[index], last=index, won_by="self_drawn")
            for judged in self.judged(whole):
                assert judged.form is not None
                packed = self.pack(judged.groups, whole, self._one(judged.form))
                values = self.layout.values(packed)
                for pattern, has, line in self._calling:
                    if has(values):
                        lines[pattern.id] = line
        return list(lines.values())


def _rank(judged: Judged) -> tuple[bool, tuple[int, int, int, int, int]]:
    return judged.verdict.rank


def _may_win(judged: Judged) -> bool:
    return judged.verdict.meets_minimum


def _for_calling(pattern: Pattern) -> Line:
    """The line of a loser whose hand lacks one tile for ``pattern``."""
    name, value = f"Calling for {pattern.name}", Expression(str(pattern.calling))
    calling = replace(
        pattern, id=f"calling_{pattern.id}", name=name, value=value, who="losers", replaces=()
    )
    return Line(calling, 1, pattern.calling)


def _completed(groups: Groups, hand: PlayerHand) -> Iterator[Groups]:
    """``groups`` with every set marked in turn that the winning tile may have completed."""
    if hand.last < 0 or any(group.last for group in groups):
        yield groups
    else:
        declared = len(hand.melds)
        for marked in _marked(groups[declared:], hand.last, hand.opens):
            yield groups[:declared] + marked


def _marked(groups: Groups, last: int, opens: bool) -> Iterator[Groups]:
    seen = set()
    for place, group in enumerate(groups):
        if last in group.tiles and group.concealed and group not in seen:
            seen.add(group)
            done = group._replace(last=True, concealed=not opens)
            yield (*groups[:place], done, *groups[place + 1 :])


@lru_cache(maxsize=64)
def compiled(book: Book) -> Compiled:
    """``book``, made ready once."""
    return Compiled(book)
