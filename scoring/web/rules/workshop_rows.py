"""Lines of the workshop: patterns, sets, ways to win and hands of the club's own, and what was changed in each."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from .workshop_conditions import is_concealed, shown_condition, with_concealed, without_concealed
from .workshop_inputs import Input

CONDITIONS = ("each", "times", "when")
EXAMPLES = ("has", "nearly")
NAME_OF_A_TILE = re.compile(r"[1-9]+[abcBCD]")
SUITS = "BCD"


@dataclass(slots=True)
class WorkshopRow:
    """An ``entry`` of the book as one line of the form, with an input "on" that switches it off."""

    id: str
    name: str
    inputs: dict[str, Input]
    entry: Mapping[str, Any]

    @property
    def all(self) -> list[Input]:
        return list(self.inputs.values())

    def change(self) -> dict[str, Any]:
        """What the form says of it otherwise than the book; empty if nothing is."""
        if not self.inputs["on"].value:
            return {"id": self.id, "off": True}
        values = self.changed_values()
        return {"id": self.id, **values} if values else {}

    def changed_values(self) -> dict[str, Any]:
        """The values that are others than in the book, by their keys."""
        raise NotImplementedError


@dataclass(slots=True)
class PatternRow(WorkshopRow):
    """A pattern: what it is worth, who has it, whether only concealed; its condition and its examples."""

    explanation: str
    unit_before: str

    @property
    def details(self) -> list[Input]:
        """The condition and the examples, which are folded."""
        return [self.inputs[key] for key in (*CONDITIONS, *EXAMPLES) if key in self.inputs]

    @property
    def opened(self) -> bool:
        """Whether something is wrong with one of them."""
        return any(one.errors for one in self.details)

    def changed_values(self) -> dict[str, Any]:
        change: dict[str, Any] = {}
        unit, value = self.inputs["unit"].value, self.inputs["value"].figure
        if (unit, value) != (self.unit_before, figure_of(self.entry[self.unit_before])):
            change[unit] = value
        who = self.inputs["who"].value
        if who != self.entry.get("who", "winner"):
            change["who"] = who
        return change | self._changed_condition() | dict(self._changed_examples())

    def _changed_condition(self) -> dict[str, str]:
        change: dict[str, str] = {
            key: self.inputs[key].value.strip() or "1"
            for key in ("times", "each")
            if key in self.inputs and self.inputs[key].value.strip() != str(self.entry[key])
        }
        before, when = str(self.entry.get("when", "")), self.inputs["when"].value.strip()
        concealed = bool(self.inputs["concealed"].value)
        if when != shown_condition(before):
            change["when"] = with_concealed(when) if concealed else when or "1"
        elif concealed != is_concealed(before):
            change["when"] = with_concealed(before) if concealed else without_concealed(before)
        return change

    def _changed_examples(self) -> Iterator[tuple[str, list[Any]]]:
        """The hands of the form where they are others; those that stay keep their source."""
        for key in EXAMPLES:
            before = {hand_of(example): example for example in self.entry.get(key, ())}
            if (lines := self.inputs[key].lines) != list(before):
                yield key, [before.get(line, line) for line in lines]


@dataclass(slots=True)
class SetRow(WorkshopRow):
    """The points of a kind of set, open and concealed."""

    def changed_values(self) -> dict[str, Any]:
        sides = {
            side: self.inputs[side].figure for side in ("open", "concealed") if side in self.inputs
        }
        return {
            side: worth for side, worth in sides.items() if worth != figure_of(self.entry[side])
        }


@dataclass(slots=True)
class FormRow(WorkshopRow):
    """A way to win, and its condition, also in a sentence: a changed condition needs another one."""

    def changed_values(self) -> dict[str, Any]:
        change: dict[str, Any] = {}
        explanation = self.inputs["explanation"].value.strip()
        if explanation != self.entry.get("explanation", ""):
            change["explanation"] = explanation
        when = self.inputs["when"].value.strip()
        if when != str(self.entry.get("when", "")):
            change["when"] = when or "1"
        concealed = bool(self.inputs["concealed"].value)
        if concealed != bool(self.entry.get("concealed")):
            change["concealed"] = concealed
        return change


@dataclass(slots=True)
class OwnHand:
    """A pattern of the club's own; of certain tiles, or of another form, also a way to win."""

    place: int
    id: str
    inputs: dict[str, Input]

    @property
    def all(self) -> list[Input]:
        return list(self.inputs.values())

    @property
    def empty(self) -> bool:
        return not any(
            str(self.inputs[key].value).strip()
            for key in ("name", "when", "tiles", "has", "nearly")
        )

    @property
    def name(self) -> str:
        """What it is called; while it has no name, by its number."""
        number = {"number": self.place + 1}
        return str(self.inputs["name"].value).strip() or _("Hand %(number)s") % number

    def pattern(self) -> dict[str, Any]:
        values = {key: one.value for key, one in self.inputs.items()}
        when = values["when"].strip()
        if values["kind"] != "pattern":
            when = f"form({self.id})"
        elif values["concealed"]:
            when = with_concealed(when)
        pattern = {"id": self.id, "name": self.name, "when": when or "1"}
        pattern[values["unit"]] = self.inputs["value"].figure
        if values["who"] != "winner":
            pattern["who"] = values["who"]
        if explanation := values["explanation"].strip():
            pattern["explanation"] = explanation
        return pattern | {"has": self.inputs["has"].lines, "nearly": self.inputs["nearly"].lines}

    def form(self) -> dict[str, Any]:
        """The way to win; empty for a pattern of any hand."""
        values = {key: one.value for key, one in self.inputs.items()}
        if values["kind"] == "pattern":
            return {}
        form = {"id": self.id, "name": self.name, "kind": values["kind"]}
        if values["kind"] == "tiles":
            form["tiles"] = form_tiles(values["tiles"], any_suits=values["suits"] == "any")
        if values["again"]:
            form["again"] = True
        for key in ("when", "explanation"):
            if values[key].strip():
                form[key] = values[key].strip()
        return form | ({"concealed": True} if values["concealed"] else {})


def form_tiles(text: str, *, any_suits: bool) -> str:
    """Tiles as a form says them: suits by a, b and c where any suits will do, honors one by one.

    >>> form_tiles("123456789C ESWN", any_suits=True), form_tiles("19B 19D RWhG", any_suits=False)
    ('123456789a E S W N', '19B 19D R Wh G')
    """
    tokens: list[str] = []
    for token in text.split():
        honors = re.findall(r"Wh|[ESWNRG]", token)
        tokens += honors if "".join(honors) == token else [token]
    if any_suits:
        named = [
            token[-1] for token in tokens if NAME_OF_A_TILE.fullmatch(token) and token[-1] in SUITS
        ]
        letters = dict(zip(dict.fromkeys(named), "abc", strict=False))
        tokens = [
            token[:-1] + letters.get(token[-1], token[-1]) if token[-1:] in SUITS else token
            for token in tokens
        ]
    return " ".join(tokens)


def figure_of(value: Any) -> int | str:
    return Input("", "", value=value).figure


def hand_of(example: Any) -> str:
    """The hand of an example, which may be a table with its source."""
    return str(example["hand"] if isinstance(example, Mapping) else example)
