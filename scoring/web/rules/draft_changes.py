"""What a draft says otherwise than the book that it changes: everything, in the reader's words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.evaluator.books.book import UNITS, Book
from scoring.evaluator.books.vocabulary import FLAGS, WON_BY
from scoring.figures import worth_in_words
from scoring.services.book_drafts import Draft
from scoring.translation import translate

from .workshop_words import COUNTING, DEAL, DISCARDERS, SETTLEMENT, WHO, WHOLE

Entry = Mapping[str, Any]
NOTHING = "–"
LISTS = ("form", "set", "pattern")
LABELS = {
    "name": gettext_lazy("Name"),
    "who": gettext_lazy("For whom"),
    "each": gettext_lazy("For each set that is"),
    "times": gettext_lazy("How often"),
    "when": gettext_lazy("Condition"),
    "concealed": gettext_lazy("only concealed"),
    "tiles": gettext_lazy("Its tiles"),
    "explanation": gettext_lazy("Explanation"),
    "has": gettext_lazy("A hand that has it"),
    "nearly": gettext_lazy("A hand that nearly has it"),
}
TABLES: dict[str, Mapping[str, Any]] = {
    "counting": COUNTING,
    "settlement": SETTLEMENT,
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
    return [
        *_options(draft.below, draft.data),
        *_flags(draft.base, draft.book),
        *(change for table in TABLES for change in _table(table, draft.base, draft.book)),
        *(change for key in LISTS for change in _entries(draft.below, draft.data, key)),
    ]


def _options(below: Entry, data: Entry) -> Iterator[DraftChange]:
    if below.get("options", {}) != data.get("options", {}):
        known = [str(one.get("options", {})) for one in (below, data)]
        yield DraftChange(_("Options"), *known)


def _flags(base: Book, book: Book) -> Iterator[DraftChange]:
    for key, label in WHOLE.items():
        if getattr(base, key) != getattr(book, key):
            yield DraftChange(
                str(label), _in_cell(getattr(base, key)), _in_cell(getattr(book, key))
            )
    meanings = {**WON_BY, **FLAGS}
    for name in sorted(base.circumstances ^ book.circumstances):
        asked = (name in base.circumstances, name in book.circumstances)
        yield DraftChange(translate(meanings[name]), *map(_in_cell, asked))


def _table(table: str, base: Book, book: Book) -> Iterator[DraftChange]:
    ours, theirs = getattr(base, table), getattr(book, table)
    for one in fields(ours):
        before, after = getattr(ours, one.name), getattr(theirs, one.name)
        if before != after:
            label = str(TABLES[table].get(one.name, one.name))
            words = DISCARDERS.get(ours.kind, {}) if one.name == "discarder" else {}
            yield DraftChange(
                label, *(_in_cell(words.get(value, value)) for value in (before, after))
            )


def _entries(below: Entry, data: Entry, key: str) -> Iterator[DraftChange]:
    """The patterns, sets or forms that came, went, or say something else."""
    ours, theirs = ({one["id"]: one for one in book.get(key, ())} for book in (below, data))
    for name in {**ours, **theirs}:
        before, after = ours.get(name), theirs.get(name)
        if before is None or after is None:
            entry = before or after or {}
            states = [_whole_entry(one) if one else NOTHING for one in (before, after)]
            yield DraftChange(translate(entry["name"]), *states)
        elif before != after:
            yield from _changed_entry(before, after, key)


def _changed_entry(before: Entry, after: Entry, kind: str) -> Iterator[DraftChange]:
    name = translate(after["name"])
    worth = [_worth(one) for one in (before, after)]
    if worth[0] != worth[1]:
        yield DraftChange(name, *worth)
    for key, label in LABELS.items():
        if before.get(key) != after.get(key) and (kind, key) != ("set", "concealed"):
            texts = [_in_cell(_in_words(key, one.get(key))) for one in (before, after)]
            yield DraftChange(f"{name} – {label}", *texts)


def _whole_entry(entry: Entry) -> str:
    """What an entry is worth, and on which condition; of a form, that it wins."""
    when = entry.get("when", "")
    parts = [_worth(entry) or _("wins"), f"({when})" if when else ""]
    return " ".join(part for part in parts if part)


def _worth(entry: Entry) -> str:
    sides = {"open": _("Open"), "concealed": _("Concealed")}
    worth = [worth_in_words(unit, str(entry[unit])) for unit in UNITS if unit in entry]
    if not isinstance(entry.get("concealed"), bool):  # of a form it is no value
        worth += [f"{label}: {entry[side]}" for side, label in sides.items() if side in entry]
    return "; ".join(worth)


def _in_words(key: str, value: Any) -> Any:
    return WHO.get(value or "winner", value) if key == "who" else value


def _in_cell(value: Any) -> str:
    """A value of a book as a reader sees it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return str(value.get("hand", value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_in_cell, value)) or NOTHING
    return NOTHING if value is None or value == "" else str(value)
