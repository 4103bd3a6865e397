"""Two rule sets, line by line: what they say, and the hands and payments that come out differently."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.possible import check_for
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import OPTIONS, RuleSet
from scoring.evaluator.scorecard import score
from scoring.evaluator.table_rules import Paid, TableRules
from scoring.evaluator.tiles import WINDS
from scoring.services.book_scores import card_of
from scoring.translation import translate
from scoring.variants import MissingLibrary, scorer_for
from scoring.variants.book_rules import BookTableRules

from .books import circumstances_of
from .draft_changes import Entry, rule_changes
from .rulebook import HANDS, PAID, PREVAILING, SEAT, words_of

EAST, SOUTH, WEST = 0, 1, 2
WEST_HAS = 16  # points of a loser's hand, in a payment that shows whether losers settle
MOST_HANDS = 60  # of those that differ
# Hands that some option decides about, besides those of the rules page.
DECIDED = [
    "222B 345B 666B 777B 88B",
    "111222333B 789B 99C",
    "234B 234C 234D 999B 55C",
    "222B 222C 222D 789B 55C",
    "222B 345C 678D 123D EE",
]
AS_USUAL = f"won_by=discard; seat={SEAT.value}; prevailing={PREVAILING.value}"


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
    """One house option, or line of a book, and what either rule set decides, in words."""

    name: str
    explanation: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class HandLine(ComparedLine):
    """A hand, a word a set, how it was won (``circumstances``), and its final score by either.

    A score is None where the hand does not win.
    """

    hand: list[str]
    one: int | None
    other: int | None
    circumstances: str = ""


@dataclass(frozen=True, slots=True)
class PaymentLine(ComparedLine):
    """How a hand was won, and what East to North win or pay by either."""

    words: str
    one: tuple[int, ...]
    other: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All options, or the lines of two books that differ; only those hands and payments that differ.

    ``options`` is empty where a book is compared with options: these are ``mixed``.
    """

    mixed: bool
    options: list[OptionLine]
    hands: list[HandLine]
    payments: list[PaymentLine]

    @property
    def differs(self) -> bool:
        return any(line.differs for line in (*self.options, *self.hands, *self.payments))


def compare(one: TableRules, other: TableRules, books: Sequence[Entry] = ()) -> Comparison:
    """``one`` and ``other``, worked out by both.

    :param books: the data of the two, where both are rule books.
    """
    return Comparison(
        mixed=isinstance(one, BookTableRules) != isinstance(other, BookTableRules),
        options=_lines(*books) if books else _options(one, other),
        hands=_hands(one, other),
        payments=payments(one, other),
    )


def payments(one: TableRules, other: TableRules) -> list[PaymentLine]:
    """Who pays what for the same scores by either rules, where that is not the same."""
    lines = [
        _payment(_("South wins %(final)s, on East’s discard"), SOUTH, EAST, one, other),
        _payment(_("South wins %(final)s, on West’s discard"), SOUTH, WEST, one, other),
        _payment(_("South wins %(final)s, self-drawn"), SOUTH, None, one, other),
        _payment(_("East wins %(final)s, on South’s discard"), EAST, SOUTH, one, other),
    ]
    if _losers_settle(one) or _losers_settle(other):
        words = _("South wins %(final)s, on East’s discard; West’s hand has %(west)s, North’s none")
        lines.append(_payment(words, SOUTH, EAST, one, other, west=WEST_HAS))
    return [line for line in lines if line.differs]


def _losers_settle(rules: TableRules) -> bool:
    return isinstance(rules, BookTableRules) and rules.book.settlement.losers_settle


# --- what they say ------------------------------------------------------------------------------------


def _options(one: TableRules, other: TableRules) -> list[OptionLine]:
    if isinstance(one, OptionTableRules) and isinstance(other, OptionTableRules):
        return _house_options(one.rules, other.rules)
    return []


def _house_options(one: RuleSet, other: RuleSet) -> list[OptionLine]:
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


def _lines(one: Entry, other: Entry) -> list[OptionLine]:
    """What differs in the rules of two books."""
    return [
        OptionLine(change.name, "", change.before, change.after)
        for change in rule_changes(one, other)
    ]


# --- what comes of it ---------------------------------------------------------------------------------


def _hands(one: TableRules, other: TableRules) -> list[HandLine]:
    """The hands that come out differently: of the rules page, and the examples of the books."""
    lines = []
    for text in _texts(one, other):
        finals = [_final(text, rules) for rules in (one, other)]
        if all(known for known, _score in finals) and finals[0] != finals[1]:
            lines.append(_line(text, finals[0][1], finals[1][1]))
        if len(lines) == MOST_HANDS:
            break
    return lines


def _texts(one: TableRules, other: TableRules) -> list[str]:
    texts = [f"{hand}; {AS_USUAL}" for hand in (*HANDS.values(), *DECIDED)]
    for rules in (one, other):
        if isinstance(rules, BookTableRules):
            patterns = rules.book.patterns
            texts += [example.hand for pattern in patterns for example in pattern.has]
    return list(dict.fromkeys(texts))


def _line(text: str, one: int | None, other: int | None) -> HandLine:
    tiles, _semicolon, rest = text.partition(";")
    words = tiles.replace("*", "").replace("#", "").split()
    circumstances = "" if rest.strip() == AS_USUAL else circumstances_of(parse_player_hand(text))
    return HandLine(words, one, other, circumstances)


def _final(text: str, rules: TableRules) -> tuple[bool, int | None]:
    """Whether the rules know such a hand, and its final score; None if it does not win."""
    try:
        hand = parse_player_hand(text)
        if isinstance(rules, BookTableRules):
            check_for(rules.book, hand)
            return True, card_of(rules.book, hand, scorer_for(rules.book)).as_dict()["final"]
        assert isinstance(rules, OptionTableRules)
        if not _plain(hand):
            return False, None
        tiles = text.partition(";")[0]
        return True, score(tiles, hand.seat, hand.prevailing, rules=rules.rules).final
    except (HandError, MissingLibrary):
        return False, None


def _plain(hand: PlayerHand) -> bool:
    """Whether rules of options know all that is said of ``hand``."""
    beside = hand.bonus or hand.flags or hand.claimed or hand.dora_indicators
    claimed = any(meld.claimed for meld in hand.melds)
    return hand.won_by in ("discard", "self_drawn") and not beside and not claimed


def _payment(
    words: str,
    winner: int,
    discarder: int | None,
    one: TableRules,
    other: TableRules,
    west: int = 0,
) -> PaymentLine:
    paid = Paid.of(winner, PAID, dealer=EAST, discarder=discarder, losers={WEST: west})
    amounts = [rules.settle(paid) for rules in (one, other)]
    return PaymentLine(words % {"final": PAID, "west": west}, *amounts)


def columns() -> list[str]:
    """The heads of the columns of payments: the seats."""
    return [translate(wind.label) for wind in WINDS]
