"""The rules of one rule set as its page tells them: the evaluator's registry, with examples."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.rules import (
    CONSISTENCY_RULES,
    DOUBLE_RULES,
    LIMIT_RULES,
    OPTIONS,
    POINT_RULES,
    Option,
    PointRule,
    Rule,
    RuleSet,
)
from scoring.evaluator.scorecard import score
from scoring.evaluator.sets import set_of
from scoring.evaluator.tiles import Wind
from scoring.figures import whole
from scoring.translation import listed, translate

from ..shared.score_steps import ScoreStep, steps
from ..shared.settlements import PaymentCase, settlements
from .sentences import dealer_doubles, staying

# The winner of every example sits South in the East round.
SEAT, PREVAILING = Wind.SOUTH, Wind.EAST
WORKED = "222B 345B 55B 222D GGG"
PAID = 80

# Sets as words: each shows what its rule is worth.
SETS = {
    "chow": ["345B"],
    "pung": ["222B", "999D", "RRR"],
    "kong": ["5555C", "1111B", "NNNN"],
    "pair_dragons": ["RR"],
    "pair_own_wind": ["SS"],
    "pair_prevailing_wind": ["EE"],
    "pair": ["77D"],
}
HANDS = {
    "lucky_sets": "GGG SSS 345B 456C 77D",
    "groups": "222B 444C 666D 999B 33C",
    "sequences": "123B 456B 789B 222C 55D",
    "no_points": "123B 456C 789D 234B 66C",
    "all_green": "234B 234B 666B GGG 88B",
    "no_simples": "111B 999C WWW RRR 11D",
    "terminal_or_honor_in_each": "123B 789C 999D NNN 11C",
    "all_simples": "222B 345B 55B 222D 234D",
    "one_suit_with_honors": "123B 456B 888B NNN 55B",
    "one_suit": "222B 345B 666B 777B 99B",
    "little_three_dragons": "RRR GGG 345B 456C WhWh",
    "big_three_dragons": "RRR GGG WhWhWh 345C 77D",
    "little_four_winds": "EEE SSS WWW 345C NN",
    "big_four_winds": "EEE SSS WWW NNN 55D",
    "all_honors": "EEE SSS RRR GGG WW",
    "all_terminals": "111B 999B 111C 999D 11D",
    "thirteen_orphans": "19B 19C 19D ESWN RGWh Wh",
    "nine_gates": "1112345678999B 5B",
}
# Those of the examples that have their rule only because the winner drew the winning tile.
SELF_DRAWN: set[str] = set()
VALUES = {
    "interpretation": {
        "best": gettext_lazy("the best"),
        "first": gettext_lazy("the first in the book’s order"),
    },
    "consistency": {
        "highest": gettext_lazy("the highest"),
        "listed": gettext_lazy("the first listed"),
    },
    "straights": {
        "same_rank_chows": gettext_lazy("the same chow in all three suits"),
        "same_rank_pungs": gettext_lazy("pungs of the same rank in all three suits"),
    },
    "discarder": {
        "equal": gettext_lazy("no more than the others"),
        "double": gettext_lazy("double"),
        "pays_for_all": gettext_lazy("for all three"),
        "others_half": gettext_lazy("all of it; the others pay half"),
        "split": gettext_lazy("no more than the others; each loser pays a third"),
    },
}


@dataclass(frozen=True, slots=True)
class ExplainedRule:
    """One rule as it is told: ``worth`` in words, ``sets`` with their points, or an example hand.

    ``sets`` are pairs of tiles and points; ``hand`` is a list of words, a set each, and ``self_drawn``
    whether its winner has to have drawn the winning tile.
    """

    id: str
    name: str
    explanation: str
    worth: str
    sets: list[tuple[str, int]] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    self_drawn: bool = False


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """One house option and what these rules decide; ``changed`` if that is not the usual."""

    id: str
    name: str
    explanation: str
    value: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Worked:
    """A hand worked out line by line, and the calculator with that hand entered."""

    url: str
    card: Mapping[str, Any]
    steps: list[ScoreStep]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Everything that the page of a rule set says beyond its plain sentences."""

    points: list[ExplainedRule]
    doubles: list[ExplainedRule]
    consistency: list[ExplainedRule]
    limits: list[ExplainedRule]
    options: list[ChosenOption]
    straights: str
    discarder: str
    dealer_doubles: str
    staying: str
    worked: Worked
    paid: int
    settlements: list[PaymentCase]


def rulebook_of(rules: RuleSet) -> Rulebook:
    """The page of ``rules``, with every example worked out by these very rules."""
    card = score(WORKED, SEAT, PREVAILING, rules=rules).as_dict()
    limit = _points(rules.limit)
    return Rulebook(
        points=[_point_entry(rule) for rule in POINT_RULES],
        doubles=[_hand_entry(rule, _doubles(rule.worth)) for rule in _played(DOUBLE_RULES, rules)],
        consistency=[
            _hand_entry(rule, _doubles(rule.worth)) for rule in _played(CONSISTENCY_RULES, rules)
        ],
        limits=[_hand_entry(rule, limit) for rule in _played(LIMIT_RULES, rules)],
        options=_choices(rules),
        straights=words_of("straights", rules.options()["straights"]),
        discarder=words_of("discarder", rules.discarder),
        dealer_doubles=dealer_doubles(),
        staying=staying(rules.dealer_stays_on_win, rules.dealer_stays_on_draw),
        worked=Worked(_address(rules), card, steps(card, rules)),
        paid=PAID,
        settlements=[
            *settlements(PAID, rules, winner=Wind.SOUTH),
            *settlements(PAID, rules, winner=Wind.EAST),
        ],
    )


def _played(entries: Iterable[Rule], rules: RuleSet) -> list[Rule]:
    return [rule for rule in entries if rules.plays(rule.option)]


def _address(rules: RuleSet) -> str:
    hand = {"tiles": WORKED, "seat": SEAT.value, "prevailing": PREVAILING.value}
    return f"{reverse('calculator')}?{urlencode({**hand, 'ruleset': rules.slug})}"


def _point_entry(rule: PointRule) -> ExplainedRule:
    sets = [(word, _worth(word)) for word in SETS.get(rule.id, [])]
    different = sorted({points for _word, points in sets} or {rule.worth})
    worth = _(" or ").join(map(str, different))
    return ExplainedRule(
        rule.id, translate(rule.name), translate(rule.explanation), worth, sets=sets
    )


def _hand_entry(rule: Rule, worth: str) -> ExplainedRule:
    return ExplainedRule(
        rule.id,
        translate(rule.name),
        translate(rule.explanation),
        worth,
        hand=HANDS.get(rule.id, "").split(),
        self_drawn=rule.id in SELF_DRAWN,
    )


def _worth(word: str) -> int:
    """What the set ``word`` scores for South in the East round, in whole points."""
    tile_set = set_of(parse_tiles(word))
    assert tile_set is not None
    return tile_set.points(PREVAILING, SEAT)


def _points(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", points) % {"count": whole(points)}


def _doubles(doubles: int) -> str:
    return ngettext("%(count)s double", "%(count)s doubles", doubles) % {"count": doubles}


def _choices(rules: RuleSet) -> list[ChosenOption]:
    values = rules.options()
    return [_choice(option, values[option.id]) for option in OPTIONS]


def _choice(option: Option, value: object) -> ChosenOption:
    changed = value != option.default
    value = words_of(option.id, value)
    return ChosenOption(
        option.id, translate(option.name), translate(option.explanation), value, changed
    )


def words_of(option: str, value: object) -> str:
    """What an option decides, in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return str(VALUES.get(option, {}).get(value, value))
    if isinstance(value, Iterable):
        return listed(words_of(option, part) for part in value) or _("nothing else")
    if (option, value) == ("rounding", 1):
        return _("not at all")
    return str(value)
