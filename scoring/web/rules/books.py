"""The page of a rule book that ships: what wins, what each pattern is worth, who pays whom.

The words of a book are its own, in English; what the site says about it is in the reader's language.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book, Example, Form, Pattern, Settlement
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.vocabulary import FLAGS, WON_BY, Group
from scoring.evaluator.counts import tiles_of
from scoring.evaluator.tiles import TILES, Tile
from scoring.figures import whole, worth_in_words
from scoring.translation import translate

WHETHER = re.compile(r"\((.*)\) != 0")  # how a condition is kept: whether it holds
OPEN = "_open"  # what the id of a set's open half ends in


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """An example in tiles: sets on the table, tiles in the hand, and the circumstances in words."""

    melds: list[tuple[list[Tile], bool]]
    tiles: list[Tile]
    circumstances: str
    source: str


@dataclass(slots=True)
class PatternEntry:
    """What one line of a scorecard stands for. ``ids`` are further anchors, of patterns of this line."""

    id: str
    name: str
    explanation: str
    source: str
    condition: str = ""
    worth: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    has: DrawnHand | None = None
    nearly: DrawnHand | None = None


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A way to win: the condition as the book writes it, if there is one, and whether it must be concealed."""

    id: str
    name: str
    condition: str
    concealed: bool


@dataclass(frozen=True, slots=True)
class Section:
    """Patterns that are worth the same kind of thing."""

    id: str
    title: str
    entries: list[PatternEntry]


@dataclass(frozen=True, slots=True)
class BookPage:
    """Everything that the page of a book says."""

    book: Book
    forms: list[FormEntry]
    sections: list[Section]
    counting: list[str]
    settlement: list[str]
    deal: str


def page_of(book: Book) -> BookPage:
    """The page of ``book``."""
    titles = {
        "points": _("Points"),
        "doubles": _("Doubles"),
        "faan": _("Faan"),
        "limit": _("Limit hands"),
    }
    sections = [Section(unit, title, list(_entries(book, unit))) for unit, title in titles.items()]
    return BookPage(
        book,
        [_form(form) for form in book.forms],
        [section for section in sections if section.entries],
        list(_counting(book)),
        list(_settlement(book.settlement)),
        _deal(book),
    )


def _form(form: Form) -> FormEntry:
    condition = "" if form.unconditional else form.when.text
    return FormEntry(form.id, form.name, condition, form.concealed)


def _entries(book: Book, unit: str) -> Iterable[PatternEntry]:
    entries: dict[str, PatternEntry] = {}
    taken = {pattern.line for pattern in book.patterns}
    for pattern in book.patterns:
        if pattern.unit != unit:
            continue
        new = PatternEntry(pattern.line, pattern.name, pattern.explanation, pattern.source)
        entry = entries.setdefault(pattern.line, new)
        _add(entry, pattern)
        if (
            pattern.id,
            pattern.times.text,
        ) not in _shipped_conditions() and not pattern.explanation:
            entry.condition = _condition(pattern)
        if pattern.id not in taken:
            entry.ids.append(pattern.id)
    return entries.values()


@cache
def _shipped_conditions() -> frozenset[tuple[str, str]]:
    """The patterns of the books that come with the site, each with its condition."""
    books = map(load, shipped())
    return frozenset(
        (pattern.id, pattern.times.text) for book in books for pattern in book.patterns
    )


def _add(entry: PatternEntry, pattern: Pattern) -> None:
    """What ``pattern`` says beside the others of the same line."""
    worth = worth_in_words(pattern.unit, pattern.value.text)
    if pattern.id == pattern.line + OPEN:
        worth = _("open: %(worth)s") % {"worth": worth}
    if worth not in entry.worth:
        entry.worth.append(worth)
    entry.notes += [note for note in _notes(pattern) if note not in entry.notes]
    entry.has = entry.has or _drawn(pattern.has)
    entry.nearly = entry.nearly or _drawn(pattern.nearly)


def _condition(pattern: Pattern) -> str:
    """What a pattern of a club's own asks of a hand; empty for a hand of its own, which is a way to win."""
    asked = WHETHER.fullmatch(pattern.times.text)
    text = pattern.each or (asked[1].strip() if asked else pattern.times.text)
    return "" if text.startswith("form(") else text


def _notes(pattern: Pattern) -> Iterator[str]:
    if pattern.who == "all":
        yield _("The losers’ hands have it, too.")
    elif pattern.who == "losers":
        yield _("Only the losers’ hands have it.")
    if pattern.calling and pattern.unit == "limit":
        yield _("Who lacks one tile for it gets %(share)s %% of the limit.") % {
            "share": pattern.calling
        }


def _drawn(examples: tuple[Example, ...]) -> DrawnHand | None:
    """The first of the examples, in tiles."""
    if not examples:
        return None
    hand = parse_player_hand(examples[0].hand)
    return DrawnHand(
        [(_tiles(group), not group.concealed) for group in hand.melds],
        list(tiles_of(hand.counts)),
        circumstances_of(hand),
        examples[0].source,
    )


def _tiles(group: Group) -> list[Tile]:
    return [TILES[index] for index in group.tiles]


def circumstances_of(hand: PlayerHand) -> str:
    """How the hand was won, and what else counts, as a list."""
    parts = []
    if hand.last >= 0:
        parts.append(_("winning tile: %(tile)s") % {"tile": translate(TILES[hand.last].name)})
    if hand.won_by:
        parts.append(translate(WON_BY[hand.won_by]))
    parts += [translate(FLAGS[flag]) for flag in sorted(hand.flags)]
    if hand.bonus:
        parts.append(_("bonus tiles: %(codes)s") % {"codes": ", ".join(hand.bonus)})
    return "; ".join(parts)


def _counting(book: Book) -> Iterator[str]:
    """From the lines of a hand to its score."""
    counting = book.counting
    if counting.kind == "points":
        yield _("The points are doubled as often as the hand has doubles.")
        if counting.rounding > 1:
            yield _("The result is rounded to the nearest %(step)s.") % {"step": counting.rounding}
        if counting.limit:
            yield _("The limit is %(limit)s.") % {"limit": whole(counting.limit)}
        if counting.minimum:
            yield _("A hand needs at least %(least)s doubles to win.") % {"least": counting.minimum}
    elif counting.kind == "faan":
        yield _("The faan are added up, and a table says how many points they are.")
        if counting.minimum:
            yield _("A hand needs at least %(least)s faan to win.") % {"least": counting.minimum}
    elif counting.kind == "card":
        yield _("The value of the line, as the card says it, is doubled as often as listed here.")
    else:
        yield _("The points are added up.")
        if counting.minimum:
            yield _("A hand needs at least %(least)s points to win.") % {"least": counting.minimum}
    if counting.table:
        rows = [f"{faan}: {whole(points)}" for faan, points in enumerate(counting.table)]
        yield _("Faan and points: %(rows)s.") % {"rows": ", ".join(rows[counting.minimum :])}


def _settlement(settlement: Settlement) -> Iterator[str]:
    """Who pays whom."""
    sentences = {
        "shares": _("Each loser pays the winner’s score."),
        "portions": _("Each loser pays the winner’s score when the last tile was drawn."),
        "threshold": _("Each loser pays the winner’s score up to a threshold."),
        "base": _(
            "Each loser pays %(base)s. Who discarded the winning tile pays the winner’s score besides; "
            "when it was drawn, each loser does."
        )
        % {"base": settlement.base},
        "costs": _(
            "On a discard, only who discarded pays. When the winning tile was drawn, each loser pays a "
            "share; the dealer pays and gets more."
        ),
    }
    yield sentences[settlement.kind]
    if settlement.kind == "shares":
        yield {
            "double": _("Who discarded the winning tile pays double."),
            "pays_for_all": _("Who discarded the winning tile pays for all three."),
            "alone": _("Only who discarded the winning tile pays."),
        }.get(settlement.discarder, "")
        if settlement.dealer_doubles:
            yield _("The dealer pays double, and is paid double.")
    elif settlement.kind == "portions":
        if settlement.discarder == "half":
            yield _("On a discard, who discarded it pays all of it, and the others half.")
        else:
            yield _("On a discard, who discarded it pays two portions, and the others nothing.")
    elif settlement.kind == "threshold":
        yield _("Who discarded the winning tile pays what lies above %(threshold)s for all.") % {
            "threshold": whole(settlement.threshold)
        }
    elif settlement.kind == "costs":
        yield from _table(settlement)
    if settlement.losers_settle:
        yield _("The losers settle among themselves, too: each pair pays the difference.")


def _table(settlement: Settlement) -> Iterator[str]:
    """Counters and sticks, and who is paid after a draw."""
    if settlement.counter:
        yield _(
            "Each counter adds %(all)s: from who discarded, or %(each)s from each when self-drawn. "
            "There is one more after a draw and after a win of the dealer; another win takes them away."
        ) % {"all": whole(3 * settlement.counter), "each": whole(settlement.counter)}
    if settlement.stick:
        yield _(
            "Who declares riichi puts a stick of %(stick)s on the table. The next winner takes all "
            "sticks that lie there."
        ) % {"stick": whole(settlement.stick)}
    if settlement.left_to_first:
        yield _("Sticks that are left at the end of the game go to the first player.")
    if settlement.draw:
        yield _(
            "After a draw, those who were not calling for a last tile pay %(draw)s in all to those who were."
        ) % {"draw": whole(settlement.draw)}
    yield _(
        "In leagues one player wins: of several on one discard, the nearest after who discarded."
    )


def _deal(book: Book) -> str:
    if book.deal.only_calling:
        return _(
            "The dealer deals again after winning, and after a draw while calling for a last tile; "
            "otherwise the deal passes on, and the seat winds with it."
        )
    if book.deal.stays_on_win and book.deal.stays_on_draw:
        return _(
            "The dealer deals again after winning and after a drawn hand; otherwise the deal passes on, and the seat winds with it."
        )
    if book.deal.stays_on_win:
        return _(
            "The dealer deals again after winning; otherwise the deal passes on, and the seat winds with it."
        )
    if book.deal.stays_on_draw:
        return _(
            "The dealer deals again after a drawn hand; otherwise the deal passes on, and the seat winds with it."
        )
    return _("After every hand the deal passes on, and the seat winds with it.")
