"""The form of the workshop: a book's values as inputs, and what was changed as the data of a book."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.evaluator.books.book import UNITS, Book, Counting, Deal, SettlementRules
from scoring.evaluator.books.counting import units_of
from scoring.evaluator.books.libraries import LIBRARIES
from scoring.evaluator.books.settings import (
    bonus_is_read,
    losers_can_settle,
    settings_read,
    unread,
)
from scoring.evaluator.books.settlement import DISCARDERS
from scoring.evaluator.books.vocabulary import FLAGS, WON_BY
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text
from scoring.translation import translate

from .workshop_conditions import is_concealed, shown_condition
from .workshop_inputs import Input, Sent
from .workshop_rows import FormRow, OwnHand, PatternRow, SetRow, figure_of, hand_of
from .workshop_words import (
    DEAL,
    DISCARDER_NAMES,
    KINDS,
    OPTION_VALUES,
    OPTIONS,
    SETTLEMENT,
    WHO,
    WHOLE,
    counting_labels,
    unit_names,
)

MOST_OWN = 20


class WorkshopForm:
    """``below``: the whole data of the book that is changed, which is ``book``."""

    def __init__(
        self,
        sent: Mapping[str, str] | None,
        below: Mapping[str, Any],
        book: Book,
        *,
        may_follow: bool,
    ) -> None:
        """:param may_follow: whether the result may be the next version of ``book``'s own rule set."""
        self.below, self.book = below, book
        self.sent = ask = Sent(sent)
        first = book.name if may_follow else ""
        self.name = ask.text("name", _("Name of your rules"), first)
        ours = _("%(rules)s, with changes of our own.") % {"rules": book.name}
        about = book.explanation if may_follow else ours
        self.about = ask.text("about", _("What your rules are"), about)
        label, choices = become_choices(book.name)
        choices = choices if may_follow else choices[1:]
        self.become = ask.select("become", label, choices, choices[0][0])
        names = unit_names(book)
        self.units = [(unit, names[unit]) for unit in UNITS if unit in self._units()]
        self.patterns = (
            [] if book.engine else [self._pattern(one) for one in below.get("pattern", ())]
        )
        self.sets = [] if book.engine else [self._set(one) for one in below.get("set", ())]
        self.forms = [] if book.engine else [self._form(one) for one in below.get("form", ())]
        counting = counting_labels(book)
        self.tables = {
            "counting": list(self._table("counting", book.counting, counting)),
            "settlement": list(self._table("settlement", book.settlement, SETTLEMENT)),
            "deal": list(self._table("deal", book.deal, DEAL)),
        }
        self.options = list(self._options())
        can_count = {"bonus": bonus_is_read(book), "losers_score": losers_can_settle(book)}
        self.flags = [
            ask.check(f"book-{key}", str(label), getattr(book, key))
            for key, label in WHOLE.items()
            if can_count[key] or getattr(book, key)
        ]
        known = book.circumstances
        ways = [] if book.engine else [name for name in (*WON_BY, *FLAGS) if name not in known]
        meanings = {**WON_BY, **FLAGS}
        self.circumstances = [ask.check(f"know-{name}", translate(meanings[name])) for name in ways]
        self.own = [] if book.engine else list(self._owns())

    def begin_new_rules(self, name: str, about: str) -> None:
        """Let the form begin with what was typed before somebody came here for rules of their own."""
        self.name.value = name
        self.about.value = about or self.about.value
        self.become.value = "new"

    @property
    def becomes_next(self) -> bool:
        """Whether the result is the next version of the rule set that is changed."""
        return bool(self.become.value == "next")

    @property
    def groups(self) -> list[tuple[str, str, list[PatternRow], bool]]:
        """The patterns by what they are worth: the unit, its name, the rows, whether one is wrong."""
        groups_of_rows = []
        for unit, name in unit_names(self.book).items():
            rows = [row for row in self.patterns if row.unit_before == unit]
            if rows:
                wrong = any(one.errors for row in rows for one in row.all)
                groups_of_rows.append((unit, name, rows, wrong))
        return groups_of_rows

    # --- what was changed -----------------------------------------------------------------------------

    def changes(self, slug: str) -> dict[str, Any]:
        """The changes as the data of a book on top of ``below``."""
        changes: dict[str, Any] = {"slug": slug, "name": self.name.value.strip() or self.book.name}
        if (about := self.about.value.strip()) != self.book.explanation:
            changes["explanation"] = about
        if self.book.edition and not self.becomes_next:
            changes["edition"] = ""  # it is the base's
        changes |= self._changed_flags()
        if known := [one.name.removeprefix("know-") for one in self.circumstances if one.value]:
            changes["circumstances"] = known
        parts: dict[str, Any] = {"options": dict(self._changed_options())}
        parts |= {key: dict(self._changed_values(key, one)) for key, one in self.tables.items()}
        parts |= self._changed_entries()
        return changes | {key: part for key, part in parts.items() if part}

    def _changed_flags(self) -> dict[str, bool]:
        now = {one.name.removeprefix("book-"): bool(one.value) for one in self.flags}
        return {key: value for key, value in now.items() if value != getattr(self.book, key)}

    def _changed_entries(self) -> dict[str, list[dict[str, Any]]]:
        """The ways to win, sets and patterns that are others, and those of the club's own."""
        own = [hand for hand in self.own if not hand.empty]
        lists = {
            "form": [*(row.change() for row in self.forms), *(hand.form() for hand in own)],
            "set": [row.change() for row in self.sets],
            "pattern": [
                *(row.change() for row in self.patterns),
                *(hand.pattern() for hand in own),
            ],
        }
        return {key: [entry for entry in entries if entry] for key, entries in lists.items()}

    def _changed_options(self) -> Iterator[tuple[str, Any]]:
        choices = LIBRARIES.get(self.book.engine, {})
        for one in self.options:
            key = one.name.removeprefix("options-")
            if one.value != self.book.options.get(key, choices[key][0]):
                yield key, one.value

    def _changed_values(self, table: str, inputs: Iterable[Input]) -> Iterator[tuple[str, Any]]:
        now = getattr(self.book, table)
        for one in inputs:
            key = one.name.removeprefix(f"{table}-")
            before = getattr(now, key)
            value: Any = bool(one.value) if one.kind == "check" else one.value
            if one.kind == "number":
                value = one.figure
            elif key == "table":
                before, value = list(before), _numbers(one.value)
            if value != before:
                yield key, value

    # --- what is wrong --------------------------------------------------------------------------------

    @property
    def inputs(self) -> dict[str, Input]:
        """Every input by its name."""
        every_input = [
            self.name,
            self.become,
            self.about,
            *self.options,
            *self.flags,
            *self.circumstances,
        ]
        every_input += [one for inputs in self.tables.values() for one in inputs]
        every_input += [one for row in self._rows for one in row.all]
        return {one.name: one for one in every_input}

    @property
    def _rows(self) -> "list[PatternRow | SetRow | FormRow | OwnHand]":
        return [*self.patterns, *self.sets, *self.forms, *self.own]

    def refuse(self, error: HandError) -> list[tuple[str, str, str]]:
        """Each problem of ``error`` at its input; the input's name and label (or nothing) and the sentence."""
        inputs, summary = self.inputs, []
        rows = {one.name: row.name for row in self._rows for one in row.all}
        for problem in error.problems:
            one = inputs.get(self._place(problem))
            if one is None:
                summary.append(("", "", translate(problem.message)))
                continue
            sentence = translate(_by_label(problem.message, one))
            one.errors.append(sentence)
            of = rows.get(one.name, one.label)
            label = one.label if of == one.label else f"{of} – {one.label}"
            summary.append((one.name, label, sentence))
        return summary

    def refuse_fields(self, error: ValidationError) -> list[tuple[str, str, str]]:
        """The same for what a service refuses: by its field where the form has an input of that name."""
        inputs, summary = self.inputs, []
        for field, sentences in error.message_dict.items():
            one = inputs.get(field)
            if one is not None:
                one.errors += sentences
            named = (one.name, one.label) if one else ("", "")
            summary += [(*named, sentence) for sentence in sentences]
        return summary

    def _place(self, problem: Problem) -> str:
        """The name of the input that a problem is about."""
        where, _colon, key = problem.field.partition(": ")
        kind, _space, name = where.partition(" ")
        if kind in (*self.tables, "options", *WHOLE):
            return f"book-{kind}" if kind in WHOLE else f"{kind}-{key}"
        own = {hand.id: hand.place for hand in self.own}
        if kind in ("pattern", "form") and name in own:
            hand = self.own[own[name]]
            place = {"": "value", "id": "name", **dict.fromkeys(UNITS, "value")}.get(key, key)
            return f"own-{own[name]}-{place if place in hand.inputs else 'name'}"
        if kind == "pattern":
            place = f"p-{name}-{key}"
            return place if place in self.inputs else f"p-{name}-value"
        if kind == "form":
            return f"f-{name}-when"
        if kind == "set":
            return f"s-{name}-{key or 'open'}"
        return "name"

    # --- inputs ---------------------------------------------------------------------------------------

    def _units(self) -> set[str]:
        used = {unit for one in self.below.get("pattern", ()) for unit in UNITS if unit in one}
        return {*used, *units_of(self.book.counting)}

    def _pattern(self, entry: Mapping[str, Any]) -> PatternRow:
        name, where = translate(entry["name"]), f"p-{entry['id']}"
        unit = next(unit for unit in UNITS if unit in entry)
        ask = self.sent
        inputs = {
            "on": ask.check_of(where, "on", name, True),
            "value": ask.text(f"{where}-value", _("Value"), entry[unit]),
            "unit": ask.select(f"{where}-unit", _("Unit"), self.units, unit),
            "who": ask.select(f"{where}-who", _("For whom"), _who(), entry.get("who", "winner")),
            "concealed": ask.check_of(
                where, "concealed", _("only concealed"), is_concealed(str(entry.get("when", "")))
            ),
            **self._condition(where, entry),
            **self._examples(where, entry),
        }
        return PatternRow(entry["id"], name, inputs, entry, entry.get("explanation", ""), unit)

    def _condition(self, where: str, entry: Mapping[str, Any]) -> dict[str, Input]:
        """What decides who has a pattern: how often, for which sets, and on what condition."""
        ask, inputs = self.sent, {}
        if "each" in entry:
            label = _("For each set that is")
            inputs["each"] = ask.text(f"{where}-each", label, entry["each"], "words", words="set")
        if "times" in entry:
            label = _("How often")
            inputs["times"] = ask.text(
                f"{where}-times", label, entry["times"], "words", words="hand"
            )
        when = shown_condition(str(entry.get("when", "")))
        inputs["when"] = ask.text(f"{where}-when", _("Condition"), when, "words", words="hand")
        return inputs

    def _examples(self, where: str, entry: Mapping[str, Any]) -> dict[str, Input]:
        labels = {"has": _("A hand that has it"), "nearly": _("A hand that nearly has it")}
        return {
            key: self.sent.text(
                f"{where}-{key}", label, "\n".join(map(hand_of, entry.get(key, ()))), "lines"
            )
            for key, label in labels.items()
        }

    def _set(self, entry: Mapping[str, Any]) -> SetRow:
        where, ask = f"s-{entry['id']}", self.sent
        inputs = {"on": ask.check_of(where, "on", translate(entry["name"]), True)}
        for side, label in (("open", _("Open")), ("concealed", _("Concealed"))):
            if side in entry:
                inputs[side] = ask.text(f"{where}-{side}", label, entry[side])
        return SetRow(entry["id"], translate(entry["name"]), inputs, entry)

    def _form(self, entry: Mapping[str, Any]) -> FormRow:
        where, ask = f"f-{entry['id']}", self.sent
        inputs = {
            "on": ask.check_of(where, "on", translate(entry["name"]), True),
            "when": ask.text(
                f"{where}-when", _("wins only if"), entry.get("when", ""), "words", words="hand"
            ),
            "explanation": self._explanation(where, entry.get("explanation", "")),
            "concealed": ask.check_of(
                where, "concealed", _("only concealed"), bool(entry.get("concealed"))
            ),
        }
        return FormRow(entry["id"], translate(entry["name"]), inputs, entry)

    def _explanation(self, where: str, first: str = "") -> Input:
        label = _("The condition in a sentence")
        hint = _("what the table is told whose hand does not meet it")
        return self.sent.text(f"{where}-explanation", label, first, help=hint)

    def _table(
        self, table: str, now: Counting | SettlementRules | Deal, labels: Mapping[str, Any]
    ) -> Iterator[Input]:
        """What something of the book reads, and what it says in vain, which can be taken back."""
        asked = {
            *settings_read(self.book)[table],
            *(key for of, key in unread(self.book) if of == table),
        }
        ask = self.sent
        for one in fields(now):
            key, name = one.name, f"{table}-{one.name}"
            if key not in labels or key not in asked:
                continue
            value, label = getattr(now, key), str(labels[key])
            if key == "discarder":
                kind = self.book.settlement.kind
                choices = {
                    choice: str(DISCARDER_NAMES[choice]) for choice in DISCARDERS.get(kind, ())
                }
                choices.setdefault(value, value)
                yield ask.select(name, label, list(choices.items()), value)
            elif isinstance(value, bool):
                yield ask.check(name, label, value)
            elif isinstance(value, tuple):
                yield ask.text(name, label, ", ".join(map(str, value)))
            else:
                yield ask.text(name, label, value, "number")

    def _options(self) -> Iterator[Input]:
        """What the library of the book can be asked for."""
        for key, values in LIBRARIES.get(self.book.engine, {}).items():
            name, label = f"options-{key}", str(OPTIONS[key])
            chosen = self.book.options.get(key, values[0])
            if isinstance(chosen, bool):
                yield self.sent.check(name, label, chosen)
            else:
                choices = [(str(value), str(OPTION_VALUES[str(value)])) for value in values]
                yield self.sent.select(name, label, choices, str(chosen))

    def _owns(self) -> Iterator[OwnHand]:
        data = self.sent.data or {}
        count = min(Input("", "", value=data.get("own-count", 1)).number or 1, MOST_OWN)
        more = "add" in data and count < MOST_OWN
        taken = {one["id"] for key in ("pattern", "form", "set") for one in self.below.get(key, ())}
        taken |= {pattern.id for pattern in self.book.patterns}
        for place in range(count + more):
            hand = self._own(place, taken)
            taken.add(hand.id)
            yield hand

    def _own(self, place: int, taken: set[str]) -> OwnHand:
        ask, where = self.sent, f"own-{place}"
        kinds = [(kind, str(words)) for kind, words in KINDS.items()]
        suits = [("any", _("in any suits")), ("these", _("in these suits only"))]
        hand = _("such as 222B* 345B 55B 222D GGG; last=G; won_by=discard")
        inputs = {
            "name": ask.text(f"{where}-name", _("Name")),
            "kind": ask.select(f"{where}-kind", _("What it is"), kinds, "pattern"),
            "tiles": ask.text(
                f"{where}-tiles",
                _("Its tiles"),
                help=_("Tap the tiles, or type them: 123456789B E S W N"),
            ),
            "suits": ask.select(f"{where}-suits", _("Suits"), suits, "any"),
            "again": ask.check(f"{where}-again", _("and any one of these tiles once more")),
            "when": ask.text(f"{where}-when", _("Condition"), kind="words", words="hand"),
            "explanation": self._explanation(where),
            "concealed": ask.check(f"{where}-concealed", _("only concealed")),
            "value": ask.text(f"{where}-value", _("Value"), "1"),
            "unit": ask.select(f"{where}-unit", _("Unit"), self.units, self.units[0][0]),
            "who": ask.select(f"{where}-who", _("For whom"), _who(), "winner"),
            "has": ask.text(f"{where}-has", _("A hand that has it"), kind="lines", help=hand),
            "nearly": ask.text(f"{where}-nearly", _("A hand that nearly has it"), kind="lines"),
        }
        return OwnHand(place, _free_id(inputs["name"].value, taken), inputs)


def become_choices(name: str) -> tuple[str, list[tuple[str, str]]]:
    """What changed rules may become, where the rule set ``name`` is there: its next version, or others."""
    next_one = _("the next version of %(rules)s") % {"rules": name}
    return _("They become"), [("next", next_one), ("new", _("new rules beside the others"))]


def _by_label(message: str, one: Input) -> str:
    """``message`` with what the form calls an input for the key of a file."""
    if isinstance(message, Text) and "key" in getattr(message, "params", {}):
        return Text.of(message.template, **{**message.params, "key": one.label})
    return message


def _who() -> list[tuple[str, str]]:
    return [(who, str(words)) for who, words in WHO.items()]


def _free_id(name: str, taken: set[str]) -> str:
    wanted = slugify(name).replace("-", "_")[:40].strip("_") or "own"
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted}_{number}"
    return free


def _numbers(text: str) -> list[Any]:
    """The numbers of a list, whatever stands between them."""
    return [figure_of(part) for part in re.split(r"[,;\s]+", text) if part]
