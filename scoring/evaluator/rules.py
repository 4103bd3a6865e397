"""Rule sets as data, and the registry: every point, double and limit rule one entry.

The entries are read three ways: to score, to print a scorecard line, to write the rules page.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from .problems import HandError, Problem
from .sets import Set
from .text import Text
from .tiles import Suit, Tile, Wind

Value = str | int | bool | list[str]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The house options (``rules.md``, Rule sets). Never changes once a hand was scored with it."""

    slug: str = "club"
    name: str = "Club"
    version: int = 1
    limit: int = 500
    rounding: int = 10
    interpretation: str = "best"
    consistency: str = "highest"
    straights: frozenset[str] = frozenset()
    dealer_doubles: bool = True
    dealer_stays_on_win: bool = True
    dealer_stays_on_draw: bool = True
    discarder: str = "equal"

    @classmethod
    def from_options(
        cls, options: Mapping[str, object], *, slug: str, name: str, version: int
    ) -> "RuleSet":
        """A rule set of stored options; what is missing has its default.

        :raises HandError: naming each option that is unknown or has no such value.
        """
        if not isinstance(options, Mapping):
            message = Text("Give the options as names with values.")
            raise HandError([Problem("options", "not_options", message)])
        known = {option.id: option for option in OPTIONS}
        problems = [
            Problem(key, "unknown_option", Text.of("There is no option “{key}”.", key=key))
            for key in options
            if key not in known
        ]
        problems += [
            Problem(key, "no_such_value", known[key].refusal())
            for key, value in options.items()
            if key in known and not known[key].allows(value)
        ]
        if problems:
            raise HandError(problems)
        values: dict[str, object] = dict(options)
        values["straights"] = frozenset(values.get("straights", ()))  # type: ignore[call-overload]
        return cls(slug=slug, name=name, version=version, **values)  # type: ignore[arg-type]

    def options(self) -> dict[str, Value]:
        """Every house option with its value, as JSON keeps it."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return {option.id: _plain(own[option.id]) for option in OPTIONS}


def _plain(value: object) -> Value:
    return sorted(value) if isinstance(value, frozenset) else value  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Option:
    """One house option: what it decides, and what it may be."""

    id: str
    name: str
    explanation: str
    default: Value
    choices: tuple[Value, ...] = ()
    least: int = 0
    most: int = 0

    def allows(self, value: object) -> bool:
        if isinstance(self.default, bool):
            return isinstance(value, bool)
        if isinstance(self.default, list):
            return isinstance(value, list | tuple | frozenset) and all(
                one in self.choices for one in value
            )
        if self.choices:
            return type(value) is type(self.default) and value in self.choices
        return type(value) is int and self.least <= value <= self.most

    def refusal(self) -> Text:
        if isinstance(self.default, bool):
            return Text.of("“{name}” is true or false.", name=self.name)
        if self.choices:
            allowed = ", ".join(map(str, self.choices))
            return Text.of("“{name}” is one of {allowed}.", name=self.name, allowed=allowed)
        return Text.of(
            "“{name}” lies between {least} and {most}.",
            name=self.name,
            least=self.least,
            most=self.most,
        )


OPTIONS = (
    Option("limit", "Limit", "The most a hand can score.", 500, least=20, most=100_000),
    Option("rounding", "Rounding", "Totals are rounded to a multiple of this.", 10, (10, 1)),
    Option(
        "interpretation",
        "Interpretation",
        "Which reading of a hand counts: the best, or the first in the book's order.",
        "best",
        ("best", "first"),
    ),
    Option(
        "consistency",
        "Consistency",
        "Which of the six consistency tests counts: the highest, or the first listed.",
        "highest",
        ("highest", "listed"),
    ),
    Option(
        "straights",
        "Straight variants",
        "What earns the sequences double besides 123, 456, 789 of one suit.",
        [],
        ("same_rank_chows", "same_rank_pungs"),
    ),
    Option("dealer_doubles", "Dealer doubles", "The dealer pays and is paid double.", True),
    Option("dealer_stays_on_win", "Dealer stays on a win", "The dealer deals on.", True),
    Option("dealer_stays_on_draw", "Dealer stays on a draw", "The dealer deals on.", True),
    Option(
        "discarder",
        "Discarder",
        "What the player pays who discarded the winning tile.",
        "equal",
        ("equal", "double", "pays_for_all", "others_half", "split"),
    ),
)

CLUB = RuleSet()
BOOK = RuleSet(slug="book", name="Book", interpretation="first", consistency="listed")
BUILT_IN = (CLUB, BOOK)


@dataclass(frozen=True, slots=True)
class Reading:
    """A hand read as five sets, with all that a rule may look at."""

    sets: tuple[Set, ...]
    tiles: tuple[Tile, ...]
    seat_wind: Wind
    prevailing_wind: Wind
    concealed: bool
    rules: RuleSet

    @property
    def four(self) -> list[Set]:
        """The sets without the pair."""
        return [each for each in self.sets if not each.pair()]

    @property
    def points(self) -> int:
        return 20 + sum(each.points(self.prevailing_wind, self.seat_wind) for each in self.sets)

    def triplets(self, test: Callable[[Set], bool]) -> int:
        return sum(each.triplet() and test(each) for each in self.sets)

    def suits(self) -> set[Suit | None]:
        return {each.suit() for each in self.sets}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it is called, says and is worth, and the test whether a hand has it.

    ``test`` gives how many times it applies; ``worth`` is points or doubles each time.
    """

    id: str
    name: str
    explanation: str
    worth: int
    test: Callable[[Reading], int]
    source: str = "rules.md"


def _pairs(reading: Reading, *, own: bool, prevailing: bool, dragon: bool = False) -> int:
    for each in reading.sets:
        if each.pair() and dragon:
            return int(each.dragon())
        if each.pair() and each.wind():
            code = each.tiles[0].code
            winds = (code == reading.seat_wind.value, code == reading.prevailing_wind.value)
            return int(winds == (own, prevailing))
    return 0


def _kind(kind: str) -> Callable[[Reading], int]:
    return lambda reading: sum(each.kind == kind for each in reading.sets)


POINT_RULES = (
    Rule("winning", "Winning", "A winning hand earns 20 points.", 20, lambda _r: 1),
    Rule("chow", "Chow", "Three in a row of one suit earn nothing.", 0, _kind("chow")),
    Rule("pung", "Pung", "Three alike: simples 4, terminals and honors 8.", 4, _kind("pung")),
    Rule("kong", "Kong", "Four alike: simples 16, terminals and honors 32.", 16, _kind("kong")),
    Rule(
        "pair_dragons",
        "Pair of dragons",
        "A pair of dragons earns 2.",
        2,
        lambda r: _pairs(r, own=False, prevailing=False, dragon=True),
    ),
    Rule(
        "pair_own_wind",
        "Pair of the own wind",
        "A pair of the winner's own wind earns 2.",
        2,
        lambda r: _pairs(r, own=True, prevailing=False),
    ),
    Rule(
        "pair_prevailing_wind",
        "Pair of the prevailing wind",
        "A pair of the prevailing wind earns 2.",
        2,
        lambda r: _pairs(r, own=False, prevailing=True),
    ),
    Rule(
        "pair_double_wind",
        "Pair of the double wind",
        "A pair of the own wind that also prevails earns 4.",
        4,
        lambda r: _pairs(r, own=True, prevailing=True),
    ),
)


def lucky_sets(reading: Reading) -> int:
    """One for each pung or kong of dragons, own or prevailing wind; two if the wind is both."""
    lucky = [s for s in reading.sets if s.lucky(reading.prevailing_wind, reading.seat_wind)]
    double = reading.seat_wind == reading.prevailing_wind
    return len(lucky) + sum(double and each.wind() for each in lucky)


def _sequences(reading: Reading) -> int:
    chows = {(s.sequence_suit(), s.sequence_rank()) for s in reading.sets if s.kind == "chow"}
    pungs = {(s.suit(), s.tiles[0].index % 9) for s in reading.sets if s.triplet() and s.suit()}
    variants = reading.rules.straights
    return int(
        any(all((suit, rank) in chows for rank in (1, 4, 7)) for suit in Suit)
        or ("same_rank_chows" in variants and _same_rank(chows))
        or ("same_rank_pungs" in variants and _same_rank(pungs))
    )


def _same_rank(found: set[tuple[Suit | None, int | None]]) -> bool:
    return 3 in Counter(rank for _suit, rank in found).values()


DOUBLE_RULES = (
    Rule(
        "lucky_sets",
        "Lucky sets",
        "Each pung or kong of dragons, own wind or prevailing wind doubles once; a wind that is "
        "both, twice.",
        1,
        lucky_sets,
    ),
    Rule(
        "groups",
        "Only pungs and kongs",
        "No chow among the four sets.",
        1,
        lambda r: int(all(each.triplet() for each in r.four)),
    ),
    Rule("sequences", "Straight", "Chows 123, 456 and 789 of one suit.", 1, _sequences),
    Rule(
        "no_points",
        "No points",
        "Every set is worth 0: exactly 20 points.",
        1,
        lambda r: int(r.points == 20),
    ),
)

CONSISTENCY_RULES = (
    Rule(
        "no_simples",
        "No simples",
        "Terminals and honors only.",
        1,
        lambda r: int(all(each.no_simple() for each in r.sets)),
    ),
    Rule(
        "terminal_or_honor_in_each",
        "A terminal or honor in every set",
        "Each set, the pair too, has a terminal or an honor.",
        1,
        lambda r: int(all(each.one_term_honor() for each in r.sets)),
    ),
    Rule(
        "all_simples",
        "All simples",
        "Ranks 2 to 8 only.",
        1,
        lambda r: int(all(each.all_simple() for each in r.sets)),
    ),
    Rule(
        "one_suit_with_honors",
        "One suit with honors",
        "One suit, and honors.",
        1,
        lambda r: int(len(r.suits()) == 2 and None in r.suits()),
    ),
    Rule(
        "one_suit",
        "One suit only",
        "All tiles of one suit.",
        4,
        lambda r: int(len(r.suits()) == 1 and None not in r.suits()),
    ),
    Rule(
        "little_three_dragons",
        "Little Three Dragons",
        "Two pungs or kongs of dragons and a pair of the third.",
        1,
        lambda r: int(r.triplets(Set.dragon) == 2 and any(each.little_dragon() for each in r.sets)),
    ),
)


def double_lines(reading: Reading) -> Iterator[tuple[Rule, int, str]]:
    """The double rules that ``reading`` has, with their doubles and their group."""
    for rule in DOUBLE_RULES:
        times = rule.test(reading)
        if times:
            yield rule, rule.worth * times, ""
    found = [rule for rule in CONSISTENCY_RULES if rule.test(reading)]
    if found:
        listed = reading.rules.consistency == "listed"
        rule = found[0] if listed else max(found, key=lambda rule: rule.worth)
        yield rule, rule.worth, "consistency"


GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


def thirteen_orphans(tiles: Sequence[Tile]) -> bool:
    """One of each terminal and honor, and one of them again; 14 tiles."""
    return len(tiles) == 14 and len(set(tiles)) == 13 and not any(each.simple for each in tiles)


def _nine_gates(reading: Reading) -> int:
    if len(reading.tiles) != 14 or not reading.concealed or len(reading.suits()) != 1:
        return 0
    if None in reading.suits():
        return 0
    counts = Counter(each.index % 9 for each in reading.tiles)
    return int(all(counts[rank] >= need for rank, need in enumerate(GATES)))


LIMIT_RULES = (
    Rule(
        "big_three_dragons",
        "Big Three Dragons",
        "Pungs or kongs of all three dragons.",
        0,
        lambda r: int(r.triplets(Set.dragon) == 3),
    ),
    Rule(
        "little_four_winds",
        "Little Four Winds",
        "Pungs or kongs of three winds and a pair of the fourth.",
        0,
        lambda r: int(r.triplets(Set.wind) == 3 and any(s.pair() and s.wind() for s in r.sets)),
    ),
    Rule(
        "big_four_winds",
        "Big Four Winds",
        "Pungs or kongs of all four winds.",
        0,
        lambda r: int(r.triplets(Set.wind) == 4),
    ),
    Rule(
        "all_honors",
        "All Honors",
        "Winds and dragons only.",
        0,
        lambda r: int(bool(r.sets) and r.suits() == {None}),
    ),
    Rule(
        "all_terminals",
        "All Terminals",
        "Ones and nines only.",
        0,
        lambda r: int(
            bool(r.sets) and None not in r.suits() and all(each.no_simple() for each in r.sets)
        ),
    ),
    Rule(
        "thirteen_orphans",
        "Thirteen Orphans",
        "One of each terminal and honor, and any one of them again.",
        0,
        lambda r: int(thirteen_orphans(r.tiles)),
    ),
    Rule(
        "nine_gates",
        "Nine Gates",
        "1112345678999 of one suit and any tile of it, fully concealed.",
        0,
        _nine_gates,
    ),
)
