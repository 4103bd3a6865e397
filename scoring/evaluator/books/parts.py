"""The parts of a book: its head, forms, sets, patterns and tables, from the data of its file."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from scoring.evaluator.text import Text

from .book import REPLACEMENTS, UNITS, Book, Counting, Deal, Example, Form, Pattern, SettlementRules
from .counting import COUNTINGS
from .fields import FieldReader
from .forms import ENGINES as FORM_KINDS
from .forms import tile_forms
from .libraries import LIBRARIES
from .refusals import NO_ROUNDS, ONE_VALUE, out_of_range
from .settlement import DISCARDERS
from .settlement import ENGINES as SETTLEMENT_KINDS

# By name, where the sentence is not that of any number.
OUT_OF_RANGE = {"rounds": NO_ROUNDS, "rounding": out_of_range("rounding", 1)}
EVERYBODY = ("winner", "losers", "all")
TOP = (
    "slug", "name", "edition", "explanation", "sources", "differences", "bonus", "losers_score",
    "circumstances", "replacement", "without", "counting", "settlement", "deal", "form", "set", "pattern", "base", "origin", "engine", "options",
)  # fmt: skip
FORM = (
    "id", "name", "kind", "when", "tiles", "again", "bonus", "concealed", "source", "explanation",
)  # fmt: skip
SET = (
    "id", "name", "each", "open", "concealed", "explanation", "source", "has", "has_open",
)  # fmt: skip
PATTERN = (
    "id", "line", "name", "explanation", "when", "times", "each", *UNITS, "who", "group", "replaces", "kind",
    "replaces_kind", "alone", "beside_limit", "apart", "only_doubles", "for_minimum", "calling", "option",
    "source", "has", "nearly", "off",
)  # fmt: skip


class BookReader(FieldReader):
    """Reads one book, part by part."""

    def book(self) -> Book:
        data = self.data
        self.only("book", data, TOP)
        slug = self.word("book", data, "slug")
        return Book(
            slug=slug,
            name=self.string("book", data, "name"),
            counting=self.table("counting", Counting, {"kind": tuple(COUNTINGS)}),
            forms=tuple(self.forms()),
            patterns=(*self.sets(), *self.patterns()),
            settlement=self.table("settlement", SettlementRules, {"kind": tuple(SETTLEMENT_KINDS)}),
            deal=self.table("deal", Deal, {}),
            edition=self.string("book", data, "edition", ""),
            explanation=self.string("book", data, "explanation", ""),
            sources=tuple(self.strings("book", data, "sources")),
            differences=tuple(self.strings("book", data, "differences")),
            bonus=self.flag("book", data, "bonus"),
            losers_score=self.flag("book", data, "losers_score"),
            circumstances=frozenset(self.strings("book", data, "circumstances")),
            replacement=self.choice("book", data, "replacement", REPLACEMENTS, REPLACEMENTS[0]),
            engine=self.choice("book", data, "engine", ("", *LIBRARIES), ""),
            options=self.options(),
            origin=self.word("book", data, "origin") if "origin" in data else "",
        )

    def forms(self) -> Iterator[Form]:
        for where, entry in self.entries("form", FORM):
            kind = self.choice(where, entry, "kind", tuple(FORM_KINDS))
            tiles, again = self.string(where, entry, "tiles", ""), self.flag(where, entry, "again")
            if kind == "tiles":
                try:
                    tile_forms(tiles, again)
                except ValueError as error:
                    self.refuse(f"{where}: tiles", "bad_tiles", error.args[0])
            if kind == "bonus" and not entry.get("bonus"):
                message = Text("Say how many bonus tiles it takes.")
                self.refuse(f"{where}: bonus", "missing", message)
            yield Form(
                self.word(where, entry, "id"),
                self.string(where, entry, "name"),
                kind,
                self.expression(where, entry, "when", "1"),
                tiles,
                again,
                self.whole(where, entry, "bonus", 0),
                self.flag(where, entry, "concealed"),
                self.string(where, entry, "source", ""),
                self.string(where, entry, "explanation", ""),
            )

    def sets(self) -> Iterator[Pattern]:
        """A set's points, open and concealed: two patterns of the same name."""
        for where, entry in self.entries("set", SET):
            each = self.string(where, entry, "each")
            for side, suffix, other in (("concealed", "", "has_open"), ("open", "_open", "has")):
                if side not in entry:
                    continue
                condition = f"({each}) and {side}"
                yield Pattern(
                    self.word(where, entry, "id") + suffix,
                    self.string(where, entry, "name"),
                    "points",
                    self.worth(where, entry, side),
                    self.parsed(f"{where}: each", f"count({condition})"),
                    line=self.word(where, entry, "id"),
                    explanation=self.string(where, entry, "explanation", ""),
                    each=condition,
                    who="all",
                    source=self.string(where, entry, "source", ""),
                    has=tuple(self.examples(where, entry, "has" + suffix)),
                    nearly=tuple(self.examples(where, entry, other)),
                )

    def patterns(self) -> Iterator[Pattern]:
        for where, entry in self.entries("pattern", PATTERN):
            units = [unit for unit in UNITS if unit in entry]
            if len(units) != 1:
                message = Text.of("Give exactly one of {units}.", units=", ".join(UNITS))
                self.refuse(where, "one_unit", message)
                continue
            each = self.string(where, entry, "each", "")
            when, repeats = (str(entry.get(key, "")) for key in ("when", "times"))
            readable = self.check_conditions(where, entry)
            times = _times(when, repeats, each) if readable else "0"
            yield Pattern(
                self.word(where, entry, "id"),
                self.string(where, entry, "name"),
                units[0],
                self.worth(where, entry, units[0]),
                self.parsed(f"{where}: {'each' if each else 'when'}", times),
                line=self.string(where, entry, "line", str(entry.get("id", ""))),
                explanation=self.string(where, entry, "explanation", ""),
                when=when,
                repeats=repeats,
                each=each,
                who=self.choice(where, entry, "who", EVERYBODY, "winner"),
                group=self.string(where, entry, "group", ""),
                replaces=tuple(self.strings(where, entry, "replaces")),
                kind=self.string(where, entry, "kind", ""),
                replaces_kind=self.string(where, entry, "replaces_kind", ""),
                alone=self.flag(where, entry, "alone"),
                beside_limit=self.flag(where, entry, "beside_limit"),
                apart=self.flag(where, entry, "apart"),
                only_doubles=self.flag(where, entry, "only_doubles"),
                for_minimum=self.flag(where, entry, "for_minimum", True),
                calling=self.whole(where, entry, "calling", 0),
                option=self.string(where, entry, "option", ""),
                source=self.string(where, entry, "source", ""),
                has=tuple(self.examples(where, entry, "has")),
                nearly=tuple(self.examples(where, entry, "nearly")),
            )

    def options(self) -> dict[str, object]:
        """What the library of the book is asked for, by its own choices."""
        entry = self.data.get("options", {})
        choices = LIBRARIES.get(str(self.data.get("engine", "")), {})
        if not isinstance(entry, Mapping):
            self.refuse("options", "no_table", Text.of("“{key}” is a table.", key="options"))
            return {}
        self.only("options", entry, tuple(choices))
        for name in set(choices) & set(entry):
            if entry[name] not in choices[name]:
                allowed = ", ".join(map(str, choices[name])).lower()
                message = Text.of("“{key}” is one of {choices}.", key=name, choices=allowed)
                self.refuse(f"options: {name}", "no_such_value", message)
        return dict(entry)

    def examples(self, where: str, entry: Mapping[str, Any], key: str) -> Iterator[Example]:
        for example in self.listed(where, entry, key):
            if isinstance(example, str):
                yield Example(example)
            elif isinstance(example, Mapping) and isinstance(example.get("hand"), str):
                yield Example(example["hand"], str(example.get("source", "")))
            else:
                self.refuse(f"{where}: {key}", "bad_example", Text("An example is a hand as text."))

    def table(self, key: str, kind: type, choices: Mapping[str, tuple[str, ...]]) -> Any:
        """A table of plain values as a frozen value of ``kind``."""
        entry = self.data.get(key, {})
        if not isinstance(entry, Mapping):
            self.refuse(key, "no_table", Text.of("“{key}” is a table.", key=key))
            entry = {}
        known = {one.name: one for one in fields(kind)}
        self.only(key, entry, tuple(known))
        values: dict[str, Any] = {}
        for name, value in entry.items():
            if name not in known:
                continue
            if isinstance(value, list) and known[name].type in (bool, int, str):
                message = Text.of("“{key}” is one value, not a list.", key=name)
                self.refuse(f"{key}: {name}", ONE_VALUE, message)
            elif name in choices:
                values[name] = self.choice(key, entry, name, choices[name])
            elif known[name].type is bool:
                values[name] = self.flag(key, entry, name)
            elif known[name].type is int:
                values[name] = self.whole(key, entry, name, 0, OUT_OF_RANGE.get(name))
            elif known[name].type is str:
                values[name] = self.string(key, entry, name)
            elif known[name].type == tuple[str, ...]:
                values[name] = tuple(self.strings(key, entry, name))
            else:
                values[name] = tuple(self.figures(key, entry, name))
        if kind is Counting:
            values.setdefault("kind", "points")
        if kind is SettlementRules and (ways := DISCARDERS.get(values.get("kind", ""))):
            values.setdefault("discarder", ways[0])
        return kind(**values)


def _times(when: str, repeats: str, each: str) -> str:
    """How often a hand has a pattern, as one expression of its conditions.

    >>> _times("drawn", "", "pung"), _times("drawn", "", "")
    ('(count(pung)) * ((drawn) != 0)', '(drawn) != 0')
    """
    times = f"count({each})" if each else repeats or "1"
    if not when:
        return times
    return f"({when}) != 0" if times == "1" else f"({times}) * (({when}) != 0)"
