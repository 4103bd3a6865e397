"""Check whether the examples of a book that is not stored show what they should."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import compress
from time import thread_time
from typing import Any, NamedTuple

from django.utils.translation import gettext_noop

from scoring.evaluator.books.book import Book, Example, Pattern
from scoring.evaluator.books.examples import Judge, has
from scoring.evaluator.books.expressions import ALWAYS, Expression
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text
from scoring.variants.book_rules import why_not_playable

from .book_preview import SECONDS, scorer_of

CONCEALED = "concealed_hand"
KINDS = ("has", "nearly")
MISSING = {
    "has": gettext_noop("“{name}” needs a hand that has it."),
    "nearly": gettext_noop("“{name}” needs a hand that nearly has it."),
}
HOW_TO_KNOW = gettext_noop(
    "Say that your rules know it: tick it under “What the table may say of a hand besides”, or name it in “circumstances”."
)


class Checked(NamedTuple):
    """What is wrong with the examples of a book.

    ``own``: of patterns that no known book has like this. It cannot be published with these.
    ``others``: of patterns of the base, which another change decides against.
    """

    own: list[Problem]
    others: list[Problem]


def checked_examples(book: Book, base: Book | None) -> Checked:
    """What is wrong with the examples of ``book``, a change of ``base``; nothing if no league can play it.

    Examples that take too long are a problem, too.
    """
    checked = Checked([], [])
    if why_not_playable(book):
        return checked
    known, judge, end = _known(base), scorer_of(book).judged, thread_time() + SECONDS
    for pattern in book.patterns:
        own = _shown_by(pattern) not in known
        for kind in KINDS:
            field, examples = f"pattern {pattern.id}: {kind}", getattr(pattern, kind)
            if own and not examples and not _narrows(pattern, base):
                message = Text.of(MISSING[kind], name=pattern.name)
                checked.own.append(Problem(field, "missing", message))
            for example in examples:
                if thread_time() > end:
                    message = Text(gettext_noop("The examples take too long: write fewer."))
                    checked.own.append(Problem(field, "too_slow", message))
                    return checked
                if wrong := _wrong(book, pattern, example, judge, should=kind == "has"):
                    problems = checked.own if own else checked.others
                    problems.append(Problem(field, "wrong_example", wrong))
    return checked


def fitting(
    data: dict[str, Any], changes: Mapping[str, Any], book: Book, base: Book | None
) -> dict[str, Any]:
    """``data``, which is ``book``, without inherited examples of patterns that the ``changes`` only narrow.

    What needs new hands keeps its old ones, and is refused for them. Examples that are written stay.
    """
    written = {entry["id"]: entry for entry in changes.get("pattern", ())}
    if not written or why_not_playable(book):
        return data
    judge, kept = scorer_of(book).judged, {}
    for pattern in book.patterns:
        if pattern.id in written and _narrows(pattern, base):
            inherited = [kind for kind in KINDS if kind not in written[pattern.id]]
            kept[pattern.id] = {kind: _fitting(book, pattern, kind, judge) for kind in inherited}
    entries = data.get("pattern", [])
    fit = [_filtered(entry, kept.get(entry["id"], {})) for entry in entries]
    return data if fit == entries else {**data, "pattern": fit}


def _fitting(book: Book, pattern: Pattern, kind: str, judge: Judge) -> list[bool]:
    """Of each example whether it fits."""
    return [
        _wrong(book, pattern, example, judge, should=kind == "has") is None
        for example in getattr(pattern, kind)
    ]


def _filtered(entry: Mapping[str, Any], kept: Mapping[str, list[bool]]) -> dict[str, Any]:
    return dict(entry) | {
        kind: list(compress(entry[kind], fits)) for kind, fits in kept.items() if kind in entry
    }


def _known(base: Book | None) -> set[tuple[object, ...]]:
    """The patterns of the books that ship, and of ``base``, by all that shows them."""
    books = [load(slug) for slug in shipped()]
    if base is not None:
        books.append(base)
    return {_shown_by(pattern) for book in books for pattern in book.patterns}


def _narrows(pattern: Pattern, base: Book | None) -> bool:
    """Whether it is the base's but for who has it, and whether concealed: that needs no new hands."""
    before = base and base.by_id.get(pattern.id)
    if not before or _condition(before) != _condition(pattern):
        return False
    return (before.who, before.when) != (pattern.who, pattern.when)


def _shown_by(pattern: Pattern) -> tuple[object, ...]:
    """All that decides which hands have the pattern, and the hands that show it."""
    examples = [tuple(one.hand for one in getattr(pattern, kind)) for kind in KINDS]
    return pattern.who, pattern.when, *_condition(pattern), *examples


def _condition(pattern: Pattern) -> tuple[object, ...]:
    """What new hands have to show. Who has it, and that the hand is concealed, needs none."""
    return pattern.id, _asked(pattern.when or ALWAYS.text), pattern.repeats, pattern.each


@lru_cache(maxsize=4096)
def _asked(when: str) -> frozenset[str]:
    """The conditions that must all hold, but that of a concealed hand.

    >>> _asked("(chows == 0 or won) and concealed_hand"), _asked("chows == 0 or won")
    (frozenset({'chows == 0 or won'}), frozenset({'chows == 0 or won'}))
    """
    parts = Expression(when).parts()
    if len(parts) > 1:
        return frozenset().union(*(_asked(part.text) for part in parts))
    return frozenset({when} - {CONCEALED, ALWAYS.text})


def _wrong(
    book: Book, pattern: Pattern, example: Example, judge: Judge, *, should: bool
) -> Text | None:
    """What is wrong with an example; None if it shows what it should."""
    try:
        if has(book, pattern, example, judge) == should:
            return None
    except HandError as error:
        reasons = [problem.message for problem in error.problems[:3]]
        if any(problem.code == "not_in_book" for problem in error.problems[:3]):
            reasons.append(Text(HOW_TO_KNOW))
        why = Text.joined(reasons)
        return Text.of(
            gettext_noop("The hand “{hand}” cannot be: {reason}"), hand=example.hand, reason=why
        )
    if should:
        return Text.of(gettext_noop("The hand “{hand}” does not have “{pattern}”."), hand=example.hand, pattern=pattern.name)  # fmt: skip
    return Text.of(gettext_noop("The hand “{hand}” has “{pattern}”: it must lack something."), hand=example.hand, pattern=pattern.name)  # fmt: skip
