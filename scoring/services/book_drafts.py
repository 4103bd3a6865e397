"""Rule books that somebody is working on: nothing is stored before one is published."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from time import thread_time
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.evaluator.books.book import UNITS, Book
from scoring.evaluator.books.compiled import Compiled
from scoring.evaluator.books.lines import Lines
from scoring.evaluator.books.loader import (
    BookError,
    as_data,
    from_data,
    frozen,
    on_top,
    parsed,
    read,
    shipped,
    whole,
)
from scoring.evaluator.books.refusals import at_line
from scoring.evaluator.problems import HandError, Problem
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.permissions import User
from scoring.models.problems import as_validation_error
from scoring.translation import translate
from scoring.variants import Scorer, scorer_for
from scoring.variants.book_rules import BookTableRules, why_not_playable

from .book_examples import checked_examples, fitting
from .book_preview import SECONDS, scorer_of, tried
from .rulesets import add_book, check_address

SLUG = "book: slug"
JsonObject = dict[str, Any]


class Draft(NamedTuple):
    """A book that is not stored: ``data`` is all of it; ``below`` is what it is compared with, if anything."""

    data: JsonObject
    book: Book
    below: JsonObject | None

    @property
    def base(self) -> Book | None:
        """The book of ``below``."""
        return frozen(self.below) if self.below else None


class DraftTableRules(BookTableRules):
    """A book that is not stored, as a table would play it. Nothing of it is remembered."""

    @cached_property
    def _scorer(self) -> Scorer:
        return scorer_for(self.book) if self.book.engine else Compiled(self.book)


def draft_rules(given: str | Mapping[str, Any]) -> DraftTableRules:
    """What a table plays by a book that is not stored: its text, or its data.

    :raises ValidationError: with all that is wrong with the book, or why no league can play by it.
    """
    try:
        book = read(given) if isinstance(given, str) else from_data(given)
    except HandError as error:
        raise as_validation_error(error, field="book") from error
    if why := why_not_playable(book):
        raise ValidationError({"book": ValidationError(translate(why), code="not_playable")})
    return DraftTableRules(book)


class ChangedLine(NamedTuple):
    """A line of a card and what it is worth before and after, in its ``unit``; None: the hand has none."""

    label: str
    unit: str
    before: int | None
    after: int | None


class ChangedHand(NamedTuple):
    """A hand whose score is another: None is no win. ``why``, where there are no ``lines`` to tell."""

    hand: str
    before: int | None
    after: int | None
    lines: list[ChangedLine]
    why: str = ""


class Examples(NamedTuple):
    """The examples of both books under both: how many, and those that change."""

    hands: int
    changed: list[ChangedHand]


def base_data(slug: str) -> JsonObject | None:
    """The whole book that the address ``slug`` stands for: stored, or shipped; None if it is neither."""
    stored = RuleSet.objects.filter(slug=slug).prefetch_related("versions").first()
    if stored is not None and (book := stored.latest.named_book) is not None:
        return book
    return whole(as_data(slug)) if slug in shipped() else None


def draft_of_text(text: str) -> Draft:
    """The book that the TOML ``text`` says, whole or on top of one that ships.

    :raises BookError: with everything that is wrong, each with its line where that is known.
    """
    data = parsed(text)
    book = from_data(data, text)
    _check_address(data, text)
    return _draft(book, data)


def draft_of_data(data: Mapping[str, Any]) -> Draft:
    """The same of a book as data.

    :raises BookError: with everything that is wrong.
    """
    book = from_data(data)
    _check_address(data)
    return _draft(book, dict(data))


def _check_address(data: Mapping[str, Any], text: str = "") -> None:
    """:raises BookError: with its line, for a short name in ``data`` that a new book cannot have."""
    try:
        check_address(data.get("slug", ""))
    except ValidationError as error:
        [message], line = error.messages, Lines(text).find(SLUG)
        if line:
            message = at_line(line, message)
        raise BookError([Problem(SLUG, "taken", message)]) from None


def _draft(book: Book, data: JsonObject) -> Draft:
    if "base" in data:
        return _with_fitting(Draft(whole(data), book, whole(as_data(data["base"]))), data)
    return Draft(data, book, base_data(book.slug) or _origin_data(book))


def _origin_data(book: Book) -> JsonObject | None:
    """The whole shipped book that ``book`` was made from; None if this site does not know one."""
    return whole(as_data(book.origin)) if book.origin in shipped() else None


def draft_of_changes(below: Mapping[str, Any], changes: Mapping[str, Any]) -> Draft:
    """``changes`` on top of the whole book ``below``.

    :raises BookError: with everything that is wrong with the result.
    """
    data = on_top(below, changes)
    return _with_fitting(Draft(data, from_data(data), dict(below)), changes)


def _with_fitting(draft: Draft, changes: Mapping[str, Any]) -> Draft:
    """``draft`` without examples of the base that no longer show a pattern that was changed."""
    data = fitting(draft.data, changes, draft.book, draft.base)
    return draft if data is draft.data else draft._replace(data=data, book=from_data(data))


def changed_examples(draft: Draft) -> Examples:
    """The examples of the draft and of its base that score otherwise, and why."""
    books = [book for book in (draft.base, draft.book) if book is not None]
    texts = dict.fromkeys(
        example.hand
        for book in books
        for pattern in book.patterns
        for example in (*pattern.has, *pattern.nearly)
    )
    if draft.base is None:
        return Examples(len(texts), [])
    old, new = ((book, scorer_of(book)) for book in (draft.base, draft.book))
    end = thread_time() + SECONDS
    changed = []
    for text in texts:
        before, after = tried(*old, text, end), tried(*new, text, end)
        if before.card is None and after.card is None:
            continue
        why = " ".join(
            translate(problem.message) for problem in (*before.problems, *after.problems)
        )
        if row := changed_hand(text, before.card, after.card, why):
            changed.append(row)
    return Examples(len(texts), changed)


def changed_hand(
    text: str, before: JsonObject | None, after: JsonObject | None, why: str = ""
) -> ChangedHand | None:
    """What two cards of a hand say differently; None if they score the same."""
    finals = [card["final"] if card else None for card in (before, after)]
    if finals[0] == finals[1]:
        return None
    lines = list(_changed_lines(before or {}, after or {}))
    why = why or (after or {}).get("why") or (before or {}).get("why") or ""
    return ChangedHand(text, finals[0], finals[1], lines, translate(why) if None in finals else "")


def _changed_lines(before: JsonObject, after: JsonObject) -> Iterator[ChangedLine]:
    ours, theirs = _lines_of(before), _lines_of(after)
    for key in {**ours, **theirs}:
        old, new = ours.get(key), theirs.get(key)
        if old != new:
            yield ChangedLine(*key, old, new)


def _lines_of(card: JsonObject) -> dict[tuple[str, str], int]:
    """What each line of a card is worth in all, by its words and its unit."""
    sums: dict[tuple[str, str], int] = {}
    for report in ("point_report", "double_report", "faan_report", "limit_report"):
        for line in card.get(report, ()):
            unit = next(unit for unit in UNITS if unit in line)
            key = (line["label"], unit)
            sums[key] = sums.get(key, 0) + line[unit]
    return sums


def publish(draft: Draft, *, by: User, seen: int | None = None) -> RuleSetVersion:
    """The draft as a rule set that leagues can play by, or as its next version.

    :param seen: the number of the newest version that the draft began from, 0 for rules that are to be new; None asks
        for none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises NewerVersion: if another version came in between.
    :raises BookError: for patterns of one's own without examples that show them.
    :raises ValidationError: for a book that is there already, and as
        :func:`scoring.services.rulesets.add_book`.
    """
    if problems := checked_examples(draft.book, draft.base).own:
        raise BookError(problems)
    slug = draft.book.slug
    if slug in shipped() and draft.data != whole(as_data(slug)):
        message = _("“%(slug)s” is the short name of a book that ships: give yours another one.")
        raise ValidationError({"slug": ValidationError(message % {"slug": slug}, code="taken")})
    if base_data(slug) == draft.data and RuleSet.objects.filter(slug=slug).exists():
        message = _("Nothing is changed: the club has exactly this book already.")
        raise ValidationError({"book": ValidationError(message, code="unchanged")})
    return add_book(draft.data, by=by, seen=seen)
