"""The page of a rule book that ships: what wins, what each pattern is worth, who pays whom.

The words of a book are its own, in English; what the site says about it is in the reader's language.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book, Example, Form, Pattern
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.expressions import Expression, Slot
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.vocabulary import FLAGS, OF_BONUS_TILES, WON_BY, Group
from scoring.evaluator.counts import tiles_of
from scoring.evaluator.tiles import TILES, Tile
from scoring.figures import faan_title, worth_in_words
from scoring.translation import translate

from . import sentences

CONCEALED = Expression("claimed_nothing")
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
    """What one line of a scorecard stands for. ``ids`` are further anchors, of patterns of this line.

    ``conditions`` are those that no shipped book tells in a sentence: a label, and what the book asks.
    """

    id: str
    name: str
    explanation: str
    source: str
    conditions: list[tuple[str, str]] = field(default_factory=list)
    worth: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    has: DrawnHand | None = None
    nearly: DrawnHand | None = None


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A way to win: its condition in a sentence or, without one, as the book writes it; if it has any."""

    id: str
    name: str
    explanation: str
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
    deal: list[str]
    left_to_leagues: list[str]
    origin: Book | None


def page_of(book: Book) -> BookPage:
    """The page of ``book``."""
    titles = {
        "points": _("Points"),
        "doubles": _("Doubles"),
        "faan": faan_title(book.engine),
        "limit": _("Limit hands"),
    }
    sections = [Section(unit, title, list(_entries(book, unit))) for unit, title in titles.items()]
    return BookPage(
        book,
        [_form(form) for form in book.forms if _known(form, book)],
        [section for section in sections if section.entries],
        list(sentences.counting(book)),
        list(sentences.settlement(book)),
        list(sentences.deal(book)),
        list(sentences.left_to_leagues(book)),
        load(book.origin) if book.origin in shipped() else None,
    )


def _form(form: Form) -> FormEntry:
    condition = "" if form.unconditional or form.explanation else form.when.text
    explanation = "" if form.unconditional else translate(form.explanation)
    return FormEntry(form.id, form.name, explanation, condition, form.concealed)


def _known(form: Form, book: Book) -> bool:
    """Whether a hand can win in this form: one of bonus tiles only where these are played."""
    return book.bonus or form.kind != "bonus"


def _entries(book: Book, unit: str) -> Iterable[PatternEntry]:
    entries: dict[str, PatternEntry] = {}
    taken = {pattern.line for pattern in book.patterns}
    for pattern in book.patterns:
        if pattern.unit != unit or not _happens(pattern, book):
            continue
        has_words = _has_own_words(pattern)
        explanation = pattern.explanation if has_words else ""
        new = PatternEntry(pattern.line, pattern.name, explanation, pattern.source)
        entry = entries.setdefault(pattern.line, new)
        _add(entry, pattern, book)
        if not has_words or (not _is_shipped(pattern) and not pattern.explanation):
            entry.conditions += _conditions(pattern)
        if pattern.id not in taken:
            entry.ids.append(pattern.id)
    return entries.values()


def _happens(pattern: Pattern, book: Book) -> bool:
    """Whether some hand of the book can have it: not if it asks for what the book does not play."""
    if pattern.option and not book.plays(pattern.option):
        return False
    if pattern.who == "losers" and not book.losers_score:
        return False
    absent = {Slot("form", form.id) for form in book.forms if not _known(form, book)}
    if not book.bonus:
        absent |= {Slot("hand", fact) for fact in OF_BONUS_TILES}
    asked = pattern.times.slots
    return not asked or not absent.issuperset(asked) or bool(pattern.times([0] * len(asked)))


@cache
def _shipped_sentences() -> Mapping[tuple[str, str], frozenset[str]]:
    """The conditions that each pattern has in the books that come with the site, by its id and its explanation."""
    texts_by_pattern: dict[tuple[str, str], set[str]] = {}
    for pattern in (pattern for book in map(load, shipped()) for pattern in book.patterns):
        texts_by_pattern.setdefault((pattern.id, pattern.explanation), set()).add(
            pattern.times.text
        )
    return {key: frozenset(texts) for key, texts in texts_by_pattern.items()}


def _has_own_words(pattern: Pattern) -> bool:
    """Whether its explanation tells its condition, not the one that it has in a book that ships."""
    conditions = _shipped_sentences().get((pattern.id, pattern.explanation))
    return conditions is None or pattern.times.text in conditions


def _is_shipped(pattern: Pattern) -> bool:
    return (pattern.id, pattern.explanation) in _shipped_sentences()


def _add(entry: PatternEntry, pattern: Pattern, book: Book) -> None:
    """What ``pattern`` says beside the others of the same line."""
    worths = list(_worths(pattern, book))
    if pattern.id == pattern.line + OPEN:
        worths = [_when_open(worth) for worth in worths]
    entry.worth += [worth for worth in worths if worth not in entry.worth]
    notes = _notes(pattern) if book.losers_score else ()
    entry.notes += [note for note in notes if note not in entry.notes]
    entry.has = entry.has or _drawn(pattern.has)
    entry.nearly = entry.nearly or _drawn(pattern.nearly)


def _worths(pattern: Pattern, book: Book) -> Iterator[str]:
    """What ``pattern`` is worth; where that depends on open sets alone, first without any."""
    value = pattern.value
    if value.slots != CONCEALED.slots:
        yield worth_in_words(pattern.unit, value.text, book.engine)
        return
    concealed, opened = (str(value([count])) for count in (0, 1))
    yield worth_in_words(pattern.unit, concealed, book.engine)
    yield _when_open(worth_in_words(pattern.unit, opened, book.engine))


def _when_open(worth: str) -> str:
    return _("open: %(worth)s") % {"worth": worth}


def _conditions(pattern: Pattern) -> Iterator[tuple[str, str]]:
    """What a pattern of a club's own asks of a hand; nothing of its own form, which is a way to win."""
    if pattern.each:
        yield _("For each set that is"), pattern.each
    elif pattern.repeats not in ("", "1"):
        yield _("How often"), pattern.repeats
    when = pattern.when.strip()
    if when and not when.startswith("form("):
        yield _("Condition"), when


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
