"""A rule set as data: the house options, what each decides, and the two sets that come with us."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from .books.book import Book
from .books.loader import load
from .problems import HandError, Problem
from .text import Text

Value = str | int | bool | list[str]
STRAIGHT_VARIANTS = ("same_rank_chows", "same_rank_pungs")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The house options. A version never changes once a hand was scored with it.

    ``limit`` and ``rounding`` are whole points. ``slug`` and ``version`` say which it is.
    """

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
    all_green: bool = False

    def __hash__(self) -> int:
        # It is looked up for every hand: two fields tell nearly all apart, equality the rest.
        return hash((self.slug, self.version))

    @classmethod
    def from_options(
        cls, options: Mapping[str, object], *, slug: str, name: str, version: int
    ) -> "RuleSet":
        """A rule set of stored options; what is missing has its default.

        :raises HandError: naming each option that is unknown or has no such value.

        >>> RuleSet.from_options({"limit": 300}, slug="house", name="House", version=2).limit
        300
        """
        if not isinstance(options, Mapping):
            message = Text("Give the options as names with values.")
            raise HandError([Problem("options", "not_options", message)])
        problems = [problem for item in options.items() if (problem := _problem(*item))]
        if problems:
            raise HandError(problems)
        values: dict[str, object] = dict(options)
        values["straights"] = frozenset(values.get("straights", ()))  # type: ignore[call-overload]
        return cls(slug=slug, name=name, version=version, **values)  # type: ignore[arg-type]

    def plays(self, option: str) -> bool:
        """Whether what ``option`` switches on is played: a straight variant, or a yes-or-no option.

        What no option switches on (``""``) is always played.

        :raises AttributeError: if there is no such option.

        >>> RuleSet().plays(""), RuleSet().plays("same_rank_chows")
        (True, False)
        """
        if option in STRAIGHT_VARIANTS:
            return option in self.straights
        return not option or bool(getattr(self, option))

    def options(self) -> dict[str, Value]:
        """Every house option with its value, as JSON keeps it.

        >>> RuleSet().options()["straights"], RuleSet().options()["limit"]
        ([], 500)
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return {option.id: _plain(own[option.id]) for option in OPTIONS}


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
        """Whether ``value`` is of the right type and one of the choices."""
        if isinstance(self.default, bool):
            return isinstance(value, bool)
        if isinstance(self.default, list):
            listed = isinstance(value, list | tuple | frozenset)
            return listed and all(one in self.choices for one in value)  # type: ignore[attr-defined]
        if self.choices:
            return type(value) is type(self.default) and value in self.choices
        return type(value) is int and self.least <= value <= self.most

    def refusal(self) -> Text:
        """What to say about a value that is not allowed."""
        if isinstance(self.default, bool):
            return Text.of("“{name}” is true or false.", name=self.name)
        allowed = ", ".join(map(str, self.choices))
        if isinstance(self.default, list):
            return Text.of(
                "“{name}” is a list of any of {allowed}.", name=self.name, allowed=allowed
            )
        if self.choices:
            return Text.of("“{name}” is one of {allowed}.", name=self.name, allowed=allowed)
        return Text.of(
            "“{name}” lies between {least} and {most}.",
            name=self.name,
            least=self.least,
            most=self.most,
        )


def _problem(key: str, value: object) -> Problem | None:
    option = BY_ID.get(key)
    if option is None:
        known = ", ".join(BY_ID)
        message = Text.of("There is no option “{key}”: choose from {known}.", key=key, known=known)
        return Problem(str(key), "unknown_option", message)
    return None if option.allows(value) else Problem(key, "no_such_value", option.refusal())


def _plain(value: object) -> Value:
    return sorted(value) if isinstance(value, frozenset) else value  # type: ignore[return-value]


OPTIONS = (
    Option(
        "limit",
        "Limit",
        "The most that a hand can score, and what a limit hand scores. It limits the score, not a "
        "payment: a dealer may owe twice as much.",
        500,
        least=20,
        most=100_000,
    ),
    Option(
        "rounding",
        "Rounding",
        "The total is rounded once, after doubling, to the nearest multiple of this; a half goes up.",
        10,
        (10, 1),
    ),
    Option(
        "interpretation",
        "Interpretation",
        "Which reading of a hand counts if its tiles make five sets in more ways than one: the one "
        "that scores most, or the first in the book’s order (fours, threes, chows, pair, from the "
        "lowest tile).",
        "best",
        ("best", "first"),
    ),
    Option(
        "consistency",
        "Consistency",
        "At most one of the six consistency tests counts: the highest that applies, or the first "
        "that applies in the order in which they are listed.",
        "highest",
        ("highest", "listed"),
    ),
    Option(
        "straights",
        "Straight variants",
        "What else earns the double of a straight, besides chows 123, 456 and 789 of one suit.",
        [],
        STRAIGHT_VARIANTS,
    ),
    Option(
        "all_green",
        "All Green",
        "Whether a hand of green tiles only doubles twice: 2, 3, 4, 6 and 8 of bamboo, and green dragons.",
        False,
    ),
    Option(
        "dealer_doubles",
        "Dealer doubles",
        "Whether the dealer pays double, and is paid double by all three.",
        True,
    ),
    Option(
        "dealer_stays_on_win", "Dealer stays on a win", "Whether a dealer who wins deals on.", True
    ),
    Option(
        "dealer_stays_on_draw",
        "Dealer stays on a draw",
        "Whether the dealer deals on after a hand that nobody won.",
        True,
    ),
    Option(
        "discarder",
        "Discarder",
        "What the player pays who discarded the winning tile. On a self-drawn win there is none.",
        "equal",
        ("equal", "double", "pays_for_all", "others_half", "split"),
    ),
)
BY_ID = {option.id: option for option in OPTIONS}


def of_book(book: Book) -> RuleSet:
    """The rule set of a book that this project's own rules are the base of.

    >>> from scoring.evaluator.books.loader import load
    >>> of_book(load("book")).interpretation, of_book(load("club")) == RuleSet()
    ('first', True)
    """
    counting, deal = book.counting, book.deal
    return RuleSet(
        slug=book.slug,
        name=book.name,
        limit=counting.limit,
        rounding=counting.rounding,
        interpretation="best" if counting.best else "first",
        consistency="listed" if counting.first_of_group else "highest",
        dealer_doubles=book.settlement.dealer_doubles,
        dealer_stays_on_win=deal.stays_on_win,
        dealer_stays_on_draw=deal.stays_on_draw,
        discarder=book.settlement.discarder,
    )


CLUB, BOOK = of_book(load("club")), of_book(load("book"))
BUILT_IN = (CLUB, BOOK)
