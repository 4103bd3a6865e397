"""A rule book: what its file says, checked, as values that never change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .expressions import ALWAYS, Expression

# What a pattern is worth is one of these; a share of the limit is in percent.
UNITS = ("points", "doubles", "faan", "limit")
# Of what a tile is the replacement with which somebody wins: the first unless a book says otherwise.
REPLACEMENTS = ("kong_or_bonus", "kong")


@dataclass(frozen=True, slots=True)
class Example:
    """A hand that has a pattern, or nearly has it, with the text in which it stands."""

    hand: str
    source: str = ""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Something that a hand may have, and what that is worth.

    ``times`` says how often a hand has it. The file says that in three parts: the condition ``when``,
    how often it ``repeats``, and ``each``, which makes it a line for each set that is such. ``who`` has it: the "winner", the "losers" or "all". Of the patterns of one ``group`` only the best counts;
    those that it ``replaces`` do not count beside it, nor do those whose ``kind`` is its
    ``replaces_kind``. A pattern that is ``alone`` replaces all others but such. ``line`` is the id of its
    line on a scorecard. Lines ``beside_limit`` are added to a limit hand, with their own doubles. Doubles
    that are ``apart`` are the only ones for all points but those beside a limit hand; those that are
    also ``only_doubles`` leave no line to others but those beside a limit hand. ``calling`` is the
    share of the limit, in percent, or the doubles, that a loser gets whose hand lacks one tile for it.
    """

    id: str
    name: str
    unit: str
    value: Expression
    times: Expression
    line: str = ""
    explanation: str = ""
    when: str = ""
    repeats: str = ""
    each: str = ""
    who: str = "winner"
    group: str = ""
    replaces: tuple[str, ...] = ()
    kind: str = ""
    replaces_kind: str = ""
    alone: bool = False
    beside_limit: bool = False
    apart: bool = False
    only_doubles: bool = False
    for_minimum: bool = True
    calling: int = 0
    option: str = ""
    source: str = ""
    has: tuple[Example, ...] = ()
    nearly: tuple[Example, ...] = ()


@dataclass(frozen=True, eq=False)
class Form:
    """A way in which tiles win. ``kind`` names the engine that finds it; ``when`` is its condition.

    ``tiles`` describes a form of "tiles": ranks before a suit letter a, b or c (any suits, all
    different), honors by their letters, and ``again`` of its kinds once more. A form of "bonus" takes
    that many ``bonus`` tiles. ``explanation`` says its condition in a sentence.
    """

    id: str
    name: str
    kind: str
    when: Expression
    tiles: str = ""
    again: bool = False
    bonus: int = 0
    concealed: bool = False
    source: str = ""
    explanation: str = ""

    @property
    def unconditional(self) -> bool:
        """Whether every arrangement of this kind is of this form."""
        return self.when.text == ALWAYS.text


@dataclass(frozen=True, slots=True)
class Counting:
    """How lines become a score, in whole points.

    ``kind`` "points": points, doubled; rounded to ``rounding``, at most ``limit`` unless the roof is
    off. "faan": a sum of faan, at most ``maximum``, looked up in ``table``, or by itself where there is
    none; what has fewer than ``minimum`` may not be declared. "sum": a sum of points, at most ``maximum``, at least ``least``.
    "card": the value of a line of a card, doubled.
    """

    kind: str
    limit: int = 0
    rounding: int = 1
    roof: bool = True
    minimum: int = 0
    maximum: int = 0
    least: int = 0
    table: tuple[int, ...] = ()
    best: bool = True
    first_of_group: bool = False


@dataclass(frozen=True, slots=True)
class SettlementRules:
    """Who pays how much. ``kind``: "shares" of the score, or as ``settlement`` says.

    Who declares a win without having one pays each other player ``false_win`` times the highest score.
    ``liability``: a player may have to pay for everybody; ``liable_for``: with which patterns alone, by their ids. Of "costs": each counter adds ``counter`` to what each player pays, a ``stick`` lies on the table
    for each who staked one, and at a draw those who do not call pay ``draw`` in all. At the end of a
    game, sticks that lie on the table go to the first if ``left_to_first``. ``places``, ``start`` and ``target``
    are told to who reads the rules; the standing rules of a league work them out.
    """

    kind: str = "shares"
    dealer_doubles: bool = True
    losers_settle: bool = False
    discarder: str = "equal"
    false_win: int = 0
    liability: bool = False
    liable_for: tuple[str, ...] = ()
    threshold: int = 0
    base: int = 1
    counter: int = 0
    stick: int = 0
    draw: int = 0
    left_to_first: bool = False
    start: int = 0
    target: int = 0
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """Whether the dealer deals on; after a draw perhaps only while calling for a last tile.

    A game is over after so many ``rounds``, at most four. ``abortive``: a hand may be broken off before
    the wall runs out; then the dealer deals again.
    """

    stays_on_win: bool = True
    stays_on_draw: bool = True
    only_calling: bool = False
    abortive: bool = False
    rounds: int = 4


@dataclass(frozen=True, eq=False)
class Book:
    """All that a rule book says.

    Where an ``engine`` is named, a library judges the hands, as its ``options`` say
    (``scoring.variants``); the patterns are then what it may find, for who reads the rules. ``origin``
    is the slug of the shipped book that it was made from, where that is known.
    """

    slug: str
    name: str
    counting: Counting
    forms: tuple[Form, ...]
    patterns: tuple[Pattern, ...]
    settlement: SettlementRules = SettlementRules()
    deal: Deal = Deal()
    edition: str = ""
    explanation: str = ""
    sources: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    bonus: bool = False
    losers_score: bool = False
    circumstances: frozenset[str] = frozenset()
    replacement: str = REPLACEMENTS[0]
    engine: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    origin: str = ""

    @property
    def replaces_bonus(self) -> bool:
        """Whether who drew the replacement of a bonus tile has won on a replacement."""
        return self.replacement == "kong_or_bonus" and not self.engine

    @cached_property
    def winning_bonus(self) -> int:
        """How many bonus tiles win by themselves, whatever the other tiles are; 0 if none do."""
        return min((form.bonus for form in self.forms if self.bonus and form.bonus), default=0)

    @cached_property
    def by_id(self) -> dict[str, Pattern]:
        """Its patterns by their ids."""
        return {pattern.id: pattern for pattern in self.patterns}

    def plays(self, option: str) -> bool:
        """Whether this option is switched on."""
        return bool(self.options.get(option))
