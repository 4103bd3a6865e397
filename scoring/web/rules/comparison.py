"""Two rule sets, line by line: their options, and the hands and payments that come out differently."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.evaluator.payments import settle
from scoring.evaluator.rules import OPTIONS, RuleSet
from scoring.evaluator.scorecard import score
from scoring.evaluator.tiles import WINDS
from scoring.translation import translate

from .rulebook import HANDS, PAID, PREVAILING, SEAT, words_of

EAST, SOUTH, WEST = 0, 1, 2
# Hands that some option decides about, besides those of the rules page.
DECIDED = [
    "222B 345B 666B 777B 88B",
    "111222333B 789B 99C",
    "234B 234C 234D 999B 55C",
    "222B 222C 222D 789B 55C",
    "222B 345C 678D 123D EE",
]


class ComparedLine:
    """Something that two rule sets are asked about, ``one`` and the ``other``."""

    __slots__ = ()
    one: object
    other: object

    @property
    def differs(self) -> bool:
        return self.one != self.other


@dataclass(frozen=True, slots=True)
class OptionLine(ComparedLine):
    """One house option and what either rule set decides, in words."""

    name: str
    explanation: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class HandLine(ComparedLine):
    """A hand, a word a set, and its final score by either, for South in the East round."""

    hand: list[str]
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class PaymentLine(ComparedLine):
    """How a hand was won, and what East to North win or pay by either."""

    words: str
    one: tuple[int, ...]
    other: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All options; only those hands and payments that differ."""

    options: list[OptionLine]
    hands: list[HandLine]
    payments: list[PaymentLine]

    @property
    def differs(self) -> bool:
        return any(line.differs for line in self.options)


def compare(one: RuleSet, other: RuleSet) -> Comparison:
    """``one`` and ``other``, worked out by both."""
    hands = [_hand(hand, one, other) for hand in dict.fromkeys([*HANDS.values(), *DECIDED])]
    payments = [
        _payment(_("South wins %(final)s, on East’s discard"), SOUTH, EAST, one, other),
        _payment(_("South wins %(final)s, on West’s discard"), SOUTH, WEST, one, other),
        _payment(_("South wins %(final)s, self-drawn"), SOUTH, None, one, other),
        _payment(_("East wins %(final)s, on South’s discard"), EAST, SOUTH, one, other),
    ]
    return Comparison(
        options=_options(one, other),
        hands=[line for line in hands if line.differs],
        payments=[line for line in payments if line.differs],
    )


def _options(one: RuleSet, other: RuleSet) -> list[OptionLine]:
    ours, theirs = one.options(), other.options()
    return [
        OptionLine(
            translate(option.name),
            translate(option.explanation),
            words_of(option.id, ours[option.id]),
            words_of(option.id, theirs[option.id]),
        )
        for option in OPTIONS
    ]


def _hand(hand: str, one: RuleSet, other: RuleSet) -> HandLine:
    finals = [score(hand, SEAT, PREVAILING, rules=rules).final or 0 for rules in (one, other)]
    return HandLine(hand.split(), *finals)


def _payment(
    words: str, winner: int, discarder: int | None, one: RuleSet, other: RuleSet
) -> PaymentLine:
    paid = [
        settle(PAID, winner=winner, dealer=EAST, discarder=discarder, rules=rules)
        for rules in (one, other)
    ]
    return PaymentLine(words % {"final": PAID}, *paid)


def columns() -> list[str]:
    """The heads of the columns of payments: the seats."""
    return [translate(wind.label) for wind in WINDS]
