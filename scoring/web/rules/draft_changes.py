"""Tell in words how one rule book differs from another: of a draft, and of two versions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.circumstances import in_words
from scoring.evaluator.books.book import UNITS, Book
from scoring.evaluator.books.loader import frozen
from scoring.evaluator.books.refusals import LISTS
from scoring.evaluator.books.vocabulary import BESIDE
from scoring.figures import whole, worth_in_words
from scoring.services.book_drafts import Draft
from scoring.translation import translate

from . import sentences
from .workshop_words import (
    COUNTING,
    DEAL,
    DISCARDER_NAMES,
    OPTION_VALUES,
    OPTIONS,
    SETTLEMENT,
    WHO,
    WHOLE,
    counting_labels,
)

Entry = Mapping[str, Any]
NOTHING = "–"
LABELS = {
    "name": gettext_lazy("Name"),
    "who": gettext_lazy("For whom"),
    "each": gettext_lazy("For each set that is"),
    "times": gettext_lazy("How often"),
    "when": gettext_lazy("Condition"),
    "concealed": gettext_lazy("only concealed"),
    "tiles": gettext_lazy("Its tiles"),
    "again": gettext_lazy("and any one of these tiles once more"),
    "bonus": gettext_lazy("Bonus tiles that it takes"),
    "group": gettext_lazy("Does not count together with others of the group"),
    "replaces": gettext_lazy("Does not count together with"),
    "kind": gettext_lazy("Kind"),
    "replaces_kind": gettext_lazy("Does not count together with others of the kind"),
    "alone": gettext_lazy("Nothing else counts beside it"),
    "beside_limit": gettext_lazy("Is added to a limit hand"),
    "apart": gettext_lazy("Only its doubles count for the points"),
    "only_doubles": gettext_lazy("Other doubles have no line beside it"),
    "for_minimum": gettext_lazy("Helps to reach the minimum"),
    "calling": gettext_lazy("What a loser gets who lacks one tile for it"),
    "option": gettext_lazy("Counts only with the option"),
    "explanation": gettext_lazy("Explanation"),
    "has": gettext_lazy("A hand that has it"),
    "nearly": gettext_lazy("A hand that nearly has it"),
}
USUAL = {"who": "winner", "for_minimum": True}  # what an entry says that does not say it
WORDS = ("name", "explanation", "has", "nearly")  # what changes no score
TABLES: dict[str, Mapping[str, Any]] = {
    "counting": {
        "best": gettext_lazy("The best arrangement of the tiles counts"),
        "first_of_group": gettext_lazy("Of patterns that do not count together, the first counts"),
        **COUNTING,
    },
    "settlement": {
        "false_win": gettext_lazy("A false win costs so many times the highest score"),
        "liable_for": gettext_lazy("With which hands somebody pays for everybody"),
        "start": gettext_lazy("Points at the start"),
        "target": gettext_lazy("Points to hand in"),
        "places": gettext_lazy("Places"),
        **SETTLEMENT,
    },
    "deal": DEAL,
}


class DraftChange(NamedTuple):
    """One thing that is changed, by its ``name``, and what either book says of it."""

    name: str
    before: str
    after: str


def draft_changes(draft: Draft) -> list[DraftChange]:
    """Everything that ``draft`` says otherwise than its base; nothing where it has none."""
    if draft.below is None or draft.base is None:
        return []
    return list(_changes(draft.below, draft.data, draft.base, draft.book, LABELS))


def rule_changes(one: Entry, other: Entry) -> list[DraftChange]:
    """What the whole book ``other`` plays otherwise than ``one``: not names, sentences and examples."""
    labels = {key: label for key, label in LABELS.items() if key not in WORDS}
    return list(_changes(one, other, frozen(one), frozen(other), labels))


def _changes(
    below: Entry, data: Entry, base: Book, book: Book, labels: Mapping[str, Any]
) -> Iterator[DraftChange]:
    """``labels``: the keys of an entry that are compared, and what they are called."""
    yield from _options(below, data)
    yield from _flags(base, book)
    yield from _kinds(base, book)
    for table in TABLES:
        yield from _table(table, base, book)
    for key in LISTS:
        yield from _entries(below, data, key, labels)


def _options(below: Entry, data: Entry) -> Iterator[DraftChange]:
    ours, theirs = below.get("options", {}), data.get("options", {})
    for key in {**ours, **theirs}:
        if ours.get(key) != theirs.get(key):
            shown = [OPTION_VALUES.get(one.get(key), one.get(key)) for one in (ours, theirs)]
            yield DraftChange(str(OPTIONS[key]), *map(_in_cell, shown))


def _flags(base: Book, book: Book) -> Iterator[DraftChange]:
    replaces = _("A win on the replacement of a flower or season counts as one after a kong")
    for key, label in {
        **WHOLE, "replaces_bonus": replaces, "engine": _("What scores the hands")
    }.items():  # fmt: skip
        if getattr(base, key) != getattr(book, key):
            yield DraftChange(
                str(label), _in_cell(getattr(base, key)), _in_cell(getattr(book, key))
            )
    for name in sorted(base.circumstances ^ book.circumstances):
        asked = (name in base.circumstances, name in book.circumstances)
        label = translate(BESIDE[name]) if name in BESIDE else in_words(name)
        yield DraftChange(_("The table may say: %(what)s") % {"what": label}, *map(_in_cell, asked))


def _kinds(base: Book, book: Book) -> Iterator[DraftChange]:
    """How scores and payments come about, where that is not of one kind: all that both say of it."""
    if base.counting.kind != book.counting.kind:
        words = [" ".join(sentences.counting(one)) for one in (base, book)]
        yield DraftChange(_("From points to score"), *words)
    if base.settlement.kind != book.settlement.kind:
        words = [" ".join(sentences.settlement(one)) for one in (base, book)]
        yield DraftChange(_("Who pays whom"), *words)


def _table(table: str, base: Book, book: Book) -> Iterator[DraftChange]:
    ours, theirs = getattr(base, table), getattr(book, table)
    kind = getattr(ours, "kind", "")
    if kind != getattr(theirs, "kind", ""):
        return
    labels = TABLES[table]
    if table == "counting":
        labels = {**labels, **counting_labels(book)}
    for one in fields(ours):
        before, after = getattr(ours, one.name), getattr(theirs, one.name)
        if before != after:
            words = DISCARDER_NAMES if one.name == "discarder" else {}
            cells = [_in_cell(words.get(value, value)) for value in (before, after)]
            yield DraftChange(str(labels[one.name]), *cells)


def _entries(
    below: Entry, data: Entry, key: str, labels: Mapping[str, Any]
) -> Iterator[DraftChange]:
    """The patterns, sets or forms that came, went, or say something else."""
    ours, theirs = ({one["id"]: one for one in book.get(key, ())} for book in (below, data))
    for name in {**ours, **theirs}:
        before, after = ours.get(name), theirs.get(name)
        if before is None or after is None:
            entry = before or after or {}
            states = [_whole_entry(one) if one else NOTHING for one in (before, after)]
            yield DraftChange(translate(entry["name"]), *states)
        elif before != after:
            yield from _changed_entry(before, after, key, labels)


def _changed_entry(
    before: Entry, after: Entry, kind: str, labels: Mapping[str, Any]
) -> Iterator[DraftChange]:
    name = translate(after["name"])
    worth = [_worth(one) for one in (before, after)]
    if worth[0] != worth[1]:
        yield DraftChange(name, *worth)
    for key, label in labels.items():
        values = [one.get(key, USUAL.get(key)) or None for one in (before, after)]
        if values[0] != values[1] and (kind, key) != ("set", "concealed"):
            values = [bool(value) for value in values] if True in values else values
            texts = [_in_cell(_in_words(key, value)) for value in values]
            yield DraftChange(f"{name} – {label}", *texts)


def _whole_entry(entry: Entry) -> str:
    """What an entry is worth, and on which condition; of a form, that it wins."""
    condition = translate(entry.get("explanation", "")) or entry.get("when", "")
    parts = [_worth(entry) or _("wins"), f"({condition})" if condition else ""]
    return " ".join(part for part in parts if part)


def _worth(entry: Entry) -> str:
    sides = {"open": _("Open"), "concealed": _("Concealed")}
    worth = [worth_in_words(unit, str(entry[unit])) for unit in UNITS if unit in entry]
    if not isinstance(entry.get("concealed"), bool):  # of a form it is no value
        worth += [f"{label}: {entry[side]}" for side, label in sides.items() if side in entry]
    return "; ".join(worth)


def _in_words(key: str, value: Any) -> Any:
    return WHO.get(value, value) if key == "who" else value


def _in_cell(value: Any) -> str:
    """A value of a book as a reader sees it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return whole(value)
    if isinstance(value, Mapping):
        return str(value.get("hand", value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_in_cell, value)) or NOTHING
    return NOTHING if value is None or value == "" else str(value)
