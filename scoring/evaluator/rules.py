"""The registry: every point, double and limit rule is one entry.

It is read three ways: to score, to print a line of a scorecard, and to write the page of the rules. A
new double is one entry and its tests. Doubles and limits see a hand only by its :class:`Traits`, and
each says which of them it reads: so hands that are equal in what a rule set reads are judged once.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from .rulesets import BOOK, BUILT_IN, CLUB, OPTIONS, Option, RuleSet
from .sets import Set
from .tiles import Wind
from .traits import POINTS, SHIFTS, WIDTHS, Traits, mask_of

WINNING_POINTS = 20
REMEMBERED = 2**13  # verdicts of a rule set
SETS_MASK, POINTS_MASK = mask_of("sets"), mask_of("points")


class Case(NamedTuple):
    """One way to have a rule: the packed traits in ``mask`` are exactly ``value``.

    A hand then has the rule ``times`` times. ``option`` switches the case on, as :meth:`RuleSet.plays`
    says; a case without one always counts.
    """

    mask: int
    value: int
    times: int = 1
    option: str = ""


def has(times: int = 1, **traits: int) -> Case:
    """The case of a hand whose ``traits`` are these; it may have any others.

    :raises ValueError: for a value that no hand can have.

    >>> one_suit, hand = has(suits=1, honors=0), Traits(sets=5, suits=1).pack()
    >>> hand & one_suit.mask == one_suit.value
    True
    """
    return Case(mask_of(*traits), Traits(**traits).pack(), times)


def in_three_suits(trait: str, option: str) -> tuple[Case, ...]:
    """The cases of ``chow_ranks`` or ``pung_ranks`` that have any rank in all three suits.

    >>> len(in_three_suits("chow_ranks", "same_rank_chows"))
    7
    """
    place = Traits._fields.index(trait)
    ranks = [3 << SHIFTS[place] + shift for shift in range(0, WIDTHS[place], 2)]
    return tuple(Case(rank, rank, option=option) for rank in ranks)


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
    source: str = "docs/rules.md, Points"


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


def _wind_pair(*, own: bool, prevailing: bool) -> Callable[[Set, Wind, Wind], bool]:
    def test(tile_set: Set, prevailing_wind: Wind, my_wind: Wind) -> bool:
        code = tile_set.tiles[0].code
        return tile_set.pair() and (code == my_wind, code == prevailing_wind) == (own, prevailing)

    return test


def _kind(kind: str) -> Callable[[Set, Wind, Wind], bool]:
    return lambda tile_set, _prevailing, _own: tile_set.kind == kind


POINT_RULES = (
    PointRule(
        "winning",
        "Winning",
        "A winning hand earns 20 points.",
        WINNING_POINTS,
        lambda _set, _prevailing, _own: False,
    ),
    PointRule("chow", "Chow", "Three in a row of one suit earn nothing.", 0, _kind("chow")),
    PointRule("pung", "Pung", "Three alike: simples 4, terminals and honors 8.", 4, _kind("pung")),
    PointRule(
        "kong", "Kong", "Four alike: simples 16, terminals and honors 32.", 16, _kind("kong")
    ),
    PointRule(
        "pair_dragons",
        "Pair of dragons",
        "A pair of dragons earns 2.",
        2,
        lambda tile_set, _prevailing, _own: tile_set.little_dragon(),
    ),
    PointRule(
        "pair_own_wind",
        "Pair of the own wind",
        "A pair of the winner's own wind earns 2.",
        2,
        _wind_pair(own=True, prevailing=False),
    ),
    PointRule(
        "pair_prevailing_wind",
        "Pair of the prevailing wind",
        "A pair of the prevailing wind earns 2.",
        2,
        _wind_pair(own=False, prevailing=True),
    ),
    PointRule(
        "pair_double_wind",
        "Pair of the double wind",
        "A pair of the own wind that also prevails earns 4.",
        4,
        _wind_pair(own=True, prevailing=True),
    ),
    PointRule("pair", "Any other pair", "Other pairs earn nothing.", 0, _kind("pair")),
)


# Pungs of all three dragons, and of a wind that is both the own and the prevailing one.
MOST_LUCKY = 5

DOUBLE_RULES = (
    Rule(
        "lucky_sets",
        "Lucky sets",
        "Each pung or kong of dragons, own wind or prevailing wind doubles once; a wind that is "
        "both, twice.",
        1,
        tuple(has(times, lucky=times) for times in range(1, MOST_LUCKY + 1)),
        "docs/rules.md, Doubles; the book's luckySets",
    ),
    Rule(
        "groups",
        "Only pungs and kongs",
        "No chow among the four sets.",
        1,
        (has(chows=0),),
        "docs/rules.md, Doubles; the book's groups",
    ),
    Rule(
        "sequences",
        "Straight",
        "Chows 123, 456 and 789 of one suit.",
        1,
        (
            has(straights=1),
            *in_three_suits("chow_ranks", "same_rank_chows"),
            *in_three_suits("pung_ranks", "same_rank_pungs"),
        ),
        "docs/rules.md, Doubles; the book's sequences",
    ),
    Rule(
        "no_points",
        "No points",
        "Every set is worth 0: exactly 20 points.",
        1,
        (has(points=0),),
        "docs/rules.md, Doubles; the book's noPoints",
    ),
    Rule(
        "all_green",
        "All Green",
        "Only 2, 3, 4, 6 and 8 of bamboo, and green dragons.",
        2,
        (has(suits_not_green=0),),
        "docs/rules.md, Doubles",
        option="all_green",
    ),
)


def _consistency(id: str, name: str, explanation: str, worth: int, case: Case) -> Rule:
    source = "docs/rules.md, Doubles; the book's consistency"
    return Rule(id, name, explanation, worth, (case,), source, "consistency")


# In the listed order.
CONSISTENCY_RULES = (
    _consistency(
        "all_simples",
        "All simples",
        "Ranks 2 to 8 only.",
        1,
        has(suits_with_others=0),
    ),
    _consistency(
        "no_simples",
        "No simples",
        "Terminals and honors only.",
        1,
        has(suits_with_simples=0),
    ),
    _consistency(
        "terminal_or_honor_in_each",
        "A terminal or honor in every set",
        "Each set, the pair too, has a terminal or an honor.",
        1,
        has(all_simple_sets=0),
    ),
    _consistency(
        "one_suit_with_honors",
        "One suit with honors",
        "One suit, and honors.",
        1,
        has(suits=1, honors=1),
    ),
    _consistency(
        "one_suit",
        "One suit only",
        "All tiles of one suit.",
        4,
        has(suits=1, honors=0),
    ),
    _consistency(
        "little_three_dragons",
        "Little Three Dragons",
        "Two pungs or kongs of dragons and a pair of the third.",
        1,
        has(dragon_triplets=2, dragon_pairs=1),
    ),
)


def _limit(id: str, name: str, explanation: str, case: Case) -> Rule:
    source = "docs/rules.md, Limit hands"
    return Rule(id, name, explanation, 0, (case,), source, "limit")


LIMIT_RULES = (
    _limit(
        "big_three_dragons",
        "Big Three Dragons",
        "Pungs or kongs of all three dragons.",
        has(dragon_triplets=3),
    ),
    _limit(
        "little_four_winds",
        "Little Four Winds",
        "Pungs or kongs of three winds and a pair of the fourth.",
        has(wind_triplets=3, wind_pairs=1),
    ),
    _limit(
        "big_four_winds",
        "Big Four Winds",
        "Pungs or kongs of all four winds.",
        has(wind_triplets=4),
    ),
    _limit(
        "all_honors",
        "All Honors",
        "Winds and dragons only.",
        has(suits=0, sets=5),
    ),
    _limit(
        "all_terminals",
        "All Terminals",
        "Ones and nines only.",
        has(honors=0, suits_with_simples=0, sets=5),
    ),
    _limit(
        "thirteen_orphans",
        "Thirteen Orphans",
        "One of each terminal and honor, and any one of them again; no sets.",
        has(orphans=1),
    ),
    _limit(
        "nine_gates",
        "Nine Gates",
        "1112345678999 of one suit and any tile of it, without a kong and fully concealed.",
        # Its 14 tiles are five sets: none of them can be a kong.
        has(gates=1, concealed=1),
    ),
)
BY_ID: dict[str, Rule | PointRule] = {
    rule.id: rule for rule in (*POINT_RULES, *DOUBLE_RULES, *CONSISTENCY_RULES, *LIMIT_RULES)
}

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
