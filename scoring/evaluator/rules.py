"""The registry: every point, double and limit rule is one entry.

It is read three ways: to score, to print a line of a scorecard, and to write the page of the rules. A
new double is one entry and its tests. Doubles and limits see a hand only by its :class:`Traits`, so
hands with equal traits are judged once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .rulesets import BOOK, BUILT_IN, CLUB, OPTIONS, Option, RuleSet
from .sets import Set
from .tiles import Wind
from .traits import Traits, in_three_suits

WINNING_POINTS = 20
REMEMBERED = 2**13  # verdicts of a rule set


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that doubles or limits: ``test`` says how many times a hand has it.

    ``worth`` is in doubles each time; a limit hand is worth the limit of the rule set.
    """

    id: str
    name: str
    explanation: str
    worth: int
    test: Callable[[Traits, RuleSet], int]
    source: str
    group: str = ""


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
    traits = Traits.unpack(packed)
    points = WINNING_POINTS + traits.points
    lines = tuple(double_lines(traits, rules))
    doubles = sum(worth for _rule, worth in lines)
    total = points << doubles
    limits = tuple(rule.id for rule in LIMIT_RULES if rule.test(traits, rules))
    rounded = (total + rules.rounding // 2) // rules.rounding * rules.rounding
    final = rules.limit if limits else min(rounded, rules.limit)
    return Verdict(points, doubles, total, final, limits, lines)


@lru_cache(maxsize=64)
def judge_of(rules: RuleSet) -> Callable[[int], Verdict]:
    """:func:`judge` for one rule set, which remembers its verdicts.

    >>> judge_of(CLUB) is judge_of(CLUB)
    True
    """
    return lru_cache(maxsize=REMEMBERED)(lambda packed: judge(packed, rules))


def double_lines(traits: Traits, rules: RuleSet) -> Iterator[tuple[Rule, int]]:
    """The double rules that a hand has, each with its doubles; of each group at most one.

    >>> found = double_lines(Traits(sets=5, pairs=1, suits=1, points=16), CLUB)
    >>> [(rule.id, doubles) for rule, doubles in found]
    [('groups', 1), ('one_suit', 4)]
    """
    if not traits.sets:  # thirteen orphans: doubles are about sets
        return
    yield from (
        (rule, rule.worth * times) for rule in DOUBLE_RULES if (times := rule.test(traits, rules))
    )
    found = [rule for rule in CONSISTENCY_RULES if rule.test(traits, rules)]
    if found:
        listed = rules.consistency == "listed"
        rule = found[0] if listed else max(found, key=lambda rule: rule.worth)
        yield rule, rule.worth


def point_rule(found: Set, prevailing_wind: Wind, my_wind: Wind) -> PointRule:
    """The rule that names the line of a set.

    >>> from scoring.evaluator.sets import PairSet
    >>> from scoring.evaluator.tiles import tile
    >>> point_rule(PairSet([tile("S"), tile("S")]), Wind.EAST, Wind.SOUTH).id
    'pair_own_wind'
    """
    return next(rule for rule in POINT_RULES if rule.test(found, prevailing_wind, my_wind))


def _wind_pair(*, own: bool, prevailing: bool) -> Callable[[Set, Wind, Wind], bool]:
    def test(found: Set, prevailing_wind: Wind, my_wind: Wind) -> bool:
        code = found.tiles[0].code
        return found.pair() and (code == my_wind, code == prevailing_wind) == (own, prevailing)

    return test


def _kind(kind: str) -> Callable[[Set, Wind, Wind], bool]:
    return lambda found, _prevailing, _own: found.kind == kind


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
        lambda found, _prevailing, _own: found.little_dragon(),
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


def _straight(traits: Traits, rules: RuleSet) -> int:
    chows = "same_rank_chows" in rules.straights and in_three_suits(traits.chow_ranks)
    pungs = "same_rank_pungs" in rules.straights and in_three_suits(traits.pung_ranks)
    return int(traits.straights > 0 or chows or pungs)


DOUBLE_RULES = (
    Rule(
        "lucky_sets",
        "Lucky sets",
        "Each pung or kong of dragons, own wind or prevailing wind doubles once; a wind that is "
        "both, twice.",
        1,
        lambda traits, _rules: traits.lucky,
        "docs/rules.md, Doubles; the book's luckySets",
    ),
    Rule(
        "groups",
        "Only pungs and kongs",
        "No chow among the four sets.",
        1,
        lambda traits, _rules: traits.chows == 0,
        "docs/rules.md, Doubles; the book's groups",
    ),
    Rule(
        "sequences",
        "Straight",
        "Chows 123, 456 and 789 of one suit.",
        1,
        _straight,
        "docs/rules.md, Doubles; the book's sequences",
    ),
    Rule(
        "no_points",
        "No points",
        "Every set is worth 0: exactly 20 points.",
        1,
        lambda traits, _rules: traits.points == 0,
        "docs/rules.md, Doubles; the book's noPoints",
    ),
)


def _consistency(
    id: str, name: str, explanation: str, worth: int, test: Callable[[Traits], bool]
) -> Rule:
    source = "docs/rules.md, Doubles; the book's consistency"
    return Rule(
        id, name, explanation, worth, lambda traits, _rules: test(traits), source, "consistency"
    )


# In the listed order.
CONSISTENCY_RULES = (
    _consistency(
        "all_simples",
        "All simples",
        "Ranks 2 to 8 only.",
        1,
        lambda traits: traits.suits_with_others == 0,
    ),
    _consistency(
        "no_simples",
        "No simples",
        "Terminals and honors only.",
        1,
        lambda traits: traits.suits_with_simples == 0,
    ),
    _consistency(
        "terminal_or_honor_in_each",
        "A terminal or honor in every set",
        "Each set, the pair too, has a terminal or an honor.",
        1,
        lambda traits: traits.all_simple_sets == 0,
    ),
    _consistency(
        "one_suit_with_honors",
        "One suit with honors",
        "One suit, and honors.",
        1,
        lambda traits: traits.suits == 1 and traits.honors == 1,
    ),
    _consistency(
        "one_suit",
        "One suit only",
        "All tiles of one suit.",
        4,
        lambda traits: traits.suits == 1 and traits.honors == 0,
    ),
    _consistency(
        "little_three_dragons",
        "Little Three Dragons",
        "Two pungs or kongs of dragons and a pair of the third.",
        1,
        lambda traits: traits.dragon_triplets == 2 and traits.dragon_pairs == 1,
    ),
)


def _limit(id: str, name: str, explanation: str, test: Callable[[Traits], bool]) -> Rule:
    source = "docs/rules.md, Limit hands"
    return Rule(id, name, explanation, 0, lambda traits, _rules: test(traits), source, "limit")


LIMIT_RULES = (
    _limit(
        "big_three_dragons",
        "Big Three Dragons",
        "Pungs or kongs of all three dragons.",
        lambda traits: traits.dragon_triplets == 3,
    ),
    _limit(
        "little_four_winds",
        "Little Four Winds",
        "Pungs or kongs of three winds and a pair of the fourth.",
        lambda traits: traits.wind_triplets == 3 and traits.wind_pairs == 1,
    ),
    _limit(
        "big_four_winds",
        "Big Four Winds",
        "Pungs or kongs of all four winds.",
        lambda traits: traits.wind_triplets == 4,
    ),
    _limit(
        "all_honors",
        "All Honors",
        "Winds and dragons only.",
        lambda traits: traits.suits == 0 and traits.sets > 0,
    ),
    _limit(
        "all_terminals",
        "All Terminals",
        "Ones and nines only.",
        lambda traits: traits.honors == 0 and traits.suits_with_simples == 0 and traits.sets > 0,
    ),
    _limit(
        "thirteen_orphans",
        "Thirteen Orphans",
        "One of each terminal and honor, and any one of them again; no sets.",
        lambda traits: traits.orphans == 1,
    ),
    _limit(
        "nine_gates",
        "Nine Gates",
        "1112345678999 of one suit and any tile of it, without a kong and fully concealed.",
        # Its 14 tiles are five sets: none of them can be a kong.
        lambda traits: traits.gates == 1 and traits.concealed == 1,
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
    "Option",
    "PointRule",
    "Rule",
    "RuleSet",
    "Verdict",
    "judge",
    "judge_of",
    "point_rule",
]
