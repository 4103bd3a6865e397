"""The registry: every point, double and limit rule of the club's book is one entry, read from its file.

It is read three ways: to score, to print a line of a scorecard, and to write the page of the rules. A
new double is one entry and its tests. Doubles and limits see a hand only by its :class:`Traits`, and
each says which of them it reads: so hands that are equal in what a rule set reads are judged once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from .books.book import Book, Pattern
from .books.expressions import predicate_of_sets
from .books.loader import load
from .books.vocabulary import Group, SetFact
from .cases import Case, cases_of, has
from .rulesets import BOOK, BUILT_IN, CLUB, OPTIONS, Option, RuleSet
from .sets import Set
from .tiles import WINDS, Wind
from .traits import POINTS, mask_of

REMEMBERED = 2**13  # verdicts of a rule set
SETS_MASK, POINTS_MASK = mask_of("sets"), mask_of("points")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule that doubles or limits: a hand has it in any of its ``cases``.

    ``worth`` is in doubles each time; a limit hand is worth the limit of the rule set. ``option``
    switches the rule on, as :meth:`RuleSet.plays` says; a rule without one is always played.
    """

    id: str
    name: str
    explanation: str
    worth: int
    cases: tuple[Case, ...]
    source: str
    group: str = ""
    option: str = ""

    def played(self, rules: RuleSet) -> tuple[Case, ...]:
        """The cases that ``rules`` play; none of a rule whose option is off."""
        if not rules.plays(self.option):
            return ()
        return tuple(case for case in self.cases if rules.plays(case.option))


@dataclass(frozen=True, slots=True)
class PointRule:
    """A rule that gives points to a set; ``worth`` is in whole points, for simples.

    The first whose ``test`` (set, prevailing wind, own wind) holds names the line of the set.
    """

    id: str
    name: str
    explanation: str
    worth: int
    test: Callable[[Set, Wind, Wind], bool]
    source: str


class Verdict(NamedTuple):
    """What a reading of a hand is worth. Whole points; ``limits`` are ids of limit hands."""

    points: int
    doubles: int
    total: int
    final: int
    limits: tuple[str, ...]
    double_lines: tuple[tuple[Rule, int], ...]


def judge(packed: int, rules: RuleSet) -> Verdict:
    """The verdict of ``rules`` on a hand with these packed traits.

    >>> from scoring.evaluator.traits import Traits
    >>> suits = Traits(suits=2, suits_with_simples=2, all_simple_sets=4)
    >>> dragons = Traits(honors=1, suits_with_others=1, lucky=1)
    >>> sets = Traits(sets=5, pairs=1, points=16, chows=1)
    >>> judge(suits.pack() + dragons.pack() + sets.pack(), CLUB)[:4]
    (36, 1, 72, 70)
    """
    points = WINNING_POINTS + (packed & POINTS_MASK) // POINTS
    lines = tuple(double_lines(packed, rules))
    doubles = sum([worth for _rule, worth in lines])
    total = points << doubles
    limits = tuple([rule.id for rule, _times in _had(packed, played(rules).limits)])
    final = rules.limit if limits else min(rounded(total, rules), rules.limit)
    return Verdict(points, doubles, total, final, limits, lines)


def rounded(total: int, rules: RuleSet) -> int:
    """``total`` to the nearest multiple that the rules name; a half goes up.

    >>> rounded(75, CLUB), rounded(74, CLUB)
    (80, 70)
    """
    return (total + rules.rounding // 2) // rules.rounding * rules.rounding


@lru_cache(maxsize=64)
def judge_of(rules: RuleSet) -> Callable[[int], Verdict]:
    """:func:`judge` for one rule set, which remembers its verdicts by the traits that it reads.

    >>> judge_of(CLUB) is judge_of(CLUB)
    True
    """
    remembered = lru_cache(maxsize=REMEMBERED)(lambda masked: judge(masked, rules))
    mask = traits_read(rules)
    return lambda packed: remembered(packed & mask)


def traits_read(rules: RuleSet) -> int:
    """The bits of packed traits that change a verdict of ``rules``: what any of its cases reads.

    >>> traits_read(CLUB) & mask_of("self_drawn", "chow_ranks")
    0
    """
    entries = (*DOUBLE_RULES, *CONSISTENCY_RULES, *LIMIT_RULES)
    masks = [case.mask for rule in entries for case in rule.played(rules)]
    return reduce(or_, masks, SETS_MASK | POINTS_MASK)


Cases = tuple[tuple[Rule, int, int, int], ...]  # rule, mask, value, times


class Played(NamedTuple):
    """The cases that a rule set knows, in the order of the registry."""

    doubles: Cases
    consistency: Cases
    limits: Cases


@lru_cache(maxsize=64)
def played(rules: RuleSet) -> Played:
    """What of the registry ``rules`` play.

    >>> [rule.id for rule, _mask, _value, _times in played(CLUB).limits][:2]
    ['big_three_dragons', 'little_four_winds']
    """
    groups = (DOUBLE_RULES, CONSISTENCY_RULES, LIMIT_RULES)
    return Played(
        *[
            tuple((rule, *case[:3]) for rule in group for case in rule.played(rules))
            for group in groups
        ]
    )


def double_lines(packed: int, rules: RuleSet) -> Iterator[tuple[Rule, int]]:
    """The double rules that a hand has, each with its doubles; of each group at most one.

    >>> from scoring.evaluator.traits import Traits
    >>> lines = double_lines(Traits(sets=5, pairs=1, suits=1, points=16).pack(), CLUB)
    >>> [(rule.id, doubles) for rule, doubles in lines]
    [('groups', 1), ('one_suit', 4)]
    """
    if not packed & SETS_MASK:  # thirteen orphans: doubles are about sets
        return
    doubles, consistency, _limits = played(rules)
    yield from ((rule, rule.worth * times) for rule, times in _had(packed, doubles))
    if had := [rule for rule, _times in _had(packed, consistency)]:
        listed = rules.consistency == "listed"
        rule = had[0] if listed else max(had, key=lambda rule: rule.worth)
        yield rule, rule.worth


def _had(packed: int, cases: Cases) -> Iterable[tuple[Rule, int]]:
    """The rules of which the hand has a case, each once."""
    had = {rule.id: (rule, times) for rule, mask, value, times in cases if packed & mask == value}
    return had.values()


def point_rule(tile_set: Set, prevailing_wind: Wind, my_wind: Wind) -> PointRule:
    """The rule that names the line of a set.

    >>> from scoring.evaluator.sets import PairSet
    >>> from scoring.evaluator.tiles import tile
    >>> point_rule(PairSet([tile("S"), tile("S")]), Wind.EAST, Wind.SOUTH).id
    'pair_own_wind'
    """
    return next(rule for rule in POINT_RULES if rule.test(tile_set, prevailing_wind, my_wind))


def _set_test(patterns: Sequence[Pattern]) -> Callable[[Set, Wind, Wind], bool]:
    """Whether a set is what any of ``patterns`` counts."""
    tests = [predicate_of_sets(pattern.each) for pattern in patterns if pattern.each]

    def test(tile_set: Set, prevailing_wind: Wind, my_wind: Wind) -> bool:
        tiles = tuple(tile.index for tile in tile_set.tiles)
        group = Group(tile_set.kind, tiles, tile_set.concealed)
        fact = SetFact(group, WINDS.index(my_wind), WINDS.index(prevailing_wind))
        return any(one(fact) for one in tests)

    return test


def _point_rules(book: Book) -> Iterator[PointRule]:
    """The patterns of a book that are points, those of one line together."""
    of_points = [pattern for pattern in book.patterns if pattern.unit == "points"]
    for line in dict.fromkeys(pattern.line for pattern in of_points):
        patterns = [pattern for pattern in of_points if pattern.line == line]
        first = patterns[0]
        worth = first.value(())
        yield PointRule(
            line, first.name, first.explanation, worth, _set_test(patterns), first.source
        )


def _rules(book: Book, unit: str, group: str = "") -> Iterator[Rule]:
    """The patterns of a book that double or limit, of one group."""
    for one in book.patterns:
        if one.unit == unit and one.group == group:
            worth = one.value(()) if unit == "doubles" else 0
            of = group or ("limit" if unit == "limit" else "")
            yield Rule(
                one.id,
                one.name,
                one.explanation,
                worth,
                cases_of(one.times.text),
                one.source,
                of,
                one.option,
            )


THE_CLUBS = load("club")
POINT_RULES = tuple(_point_rules(THE_CLUBS))
DOUBLE_RULES = tuple(_rules(THE_CLUBS, "doubles"))
CONSISTENCY_RULES = tuple(_rules(THE_CLUBS, "doubles", "consistency"))  # in the listed order
LIMIT_RULES = tuple(_rules(THE_CLUBS, "limit"))
WINNING_POINTS = POINT_RULES[0].worth
ENTRIES: tuple[Rule | PointRule, ...] = (
    *POINT_RULES,
    *DOUBLE_RULES,
    *CONSISTENCY_RULES,
    *LIMIT_RULES,
)
BY_ID = {rule.id: rule for rule in ENTRIES}

__all__ = [
    "BOOK",
    "BUILT_IN",
    "BY_ID",
    "CLUB",
    "CONSISTENCY_RULES",
    "DOUBLE_RULES",
    "LIMIT_RULES",
    "OPTIONS",
    "POINT_RULES",
    "Case",
    "Option",
    "PointRule",
    "Rule",
    "RuleSet",
    "Verdict",
    "has",
    "judge",
    "judge_of",
    "played",
    "point_rule",
    "rounded",
    "traits_read",
]
