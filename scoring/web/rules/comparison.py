"""Two rule sets, line by line: what they say, and the hands and payments that come out differently."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
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

from .books import FormEntry, circumstances_of, page_of
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

    ``options`` is empty where a book is compared with options.
    """

    options: list[OptionLine]
    hands: list[HandLine]
    payments: list[PaymentLine]

    @property
    def differs(self) -> bool:
        return any(line.differs for line in (*self.options, *self.hands, *self.payments))


def compare(one: TableRules, other: TableRules) -> Comparison:
    """``one`` and ``other``, worked out by both."""
    return Comparison(
        options=_options(one, other), hands=_hands(one, other), payments=payments(one, other)
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
    if isinstance(one, BookTableRules) and isinstance(other, BookTableRules):
        return [line for line in _lines(one.book, other.book) if line.differs]
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


def _lines(one: Book, other: Book) -> Iterator[OptionLine]:
    """Each line of two books, and what either says of it; a dash where it has no such line."""
    ours, theirs = _statements(one), _statements(other)
    for key in {**ours, **theirs}:
        first, second = ours.get(key, ("", "–")), theirs.get(key, ("", "–"))
        yield OptionLine(first[0] or second[0], "", first[1], second[1])


def _statements(book: Book) -> dict[str, tuple[str, str]]:
    """What a book says, by what it is about: a name and the words."""
    page = page_of(book)
    statements = {f"form {form.id}": (translate(form.name), _form(form)) for form in page.forms}
    for section in page.sections:
        for entry in section.entries:
            statements[f"{section.id} {entry.id}"] = (
                translate(entry.name),
                "; ".join([*entry.worth, *entry.notes]),
            )
    for key, name, sentences in (
        ("counting", _("From points to score"), page.counting),
        ("settlement", _("Who pays whom"), page.settlement),
        ("deal", _("The deal"), [page.deal]),
    ):
        statements[key] = (name, " ".join(sentences))
    return statements


def _form(form: FormEntry) -> str:
    """Whether a form wins always, or on which condition; and whether only concealed."""
    wins = (
        _("wins if %(condition)s") % {"condition": form.condition} if form.condition else _("wins")
    )
    only = _("only concealed")
    return f"{wins} ({only})" if form.concealed else wins


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
    scores = [0, 0, west, 0]
    scores[winner] = PAID
    paid = [rules.settle(Paid(scores, winner, EAST, discarder, None)) for rules in (one, other)]
    return PaymentLine(words % {"final": PAID, "west": west}, *paid)


def columns() -> list[str]:
    """The heads of the columns of payments: the seats."""
    return [translate(wind.label) for wind in WINDS]
