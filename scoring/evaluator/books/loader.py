"""Read a rule book from TOML, and refuse a bad one with a sentence, a line and a field."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text

from .book import (
    UNITS,
    Book,
    Counting,
    Deal,
    Example,
    Form,
    Pattern,
    Settlement,
)
from .counting import COUNTINGS
from .expressions import Expression, ExpressionError
from .forms import ENGINES as FORM_KINDS
from .forms import tile_forms
from .libraries import LIBRARIES
from .settlement import ENGINES as SETTLEMENT_KINDS
from .vocabulary import BESIDE, FLAGS, WON_BY

FOLDER = Path(__file__).parent / "data"
LONGEST = 200_000  # characters of a file
MOST_PATTERNS = 400
MOST_FORMS = 100
MOST_WORTH = 100_000
EVERYBODY = ("winner", "losers", "all")


class BookError(HandError):
    """What is wrong with a book: each problem's field says where, such as ``pattern pung: doubles``."""


def shipped() -> tuple[str, ...]:
    """The slugs of the books that come with the site."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@lru_cache(maxsize=64)
def load(slug: str) -> Book:
    """A book that comes with the site.

    :raises KeyError: if there is none of this slug.
    """
    path = FOLDER / f"{slug}.toml"
    if slug not in shipped():
        raise KeyError(slug)
    return read(path.read_text(encoding="utf-8"))


def read(text: str) -> Book:
    """The book in ``text``.

    :raises BookError: with everything that is wrong, each with its line where that is known.
    """
    if len(text) > LONGEST:
        raise BookError(
            [
                _problem(
                    "book",
                    "too_long",
                    Text.of("A book has at most {most} characters.", most=LONGEST),
                )
            ]
        )
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BookError(
            [_problem("book", "no_toml", Text.of("This is no TOML: {why}", why=str(error)))]
        ) from None
    return from_data(data, text)


def from_data(data: Mapping[str, Any], text: str = "") -> Book:
    """The book that ``data`` says, as :func:`read`; a book with a ``base`` changes that one.

    :raises BookError: as :func:`read`.
    """
    if "base" in data:
        data = _changed(data, text)
    return _Reader(data, text).book()


def frozen(data: Mapping[str, Any]) -> Book:
    """The book of ``data`` that was :func:`whole` when it was stored, and never changes; read once.

    :raises BookError: as :func:`read`.
    """
    if not isinstance(data, Mapping):
        raise BookError(
            [_problem("book", "no_book", Text("A rule book is a table of names and values."))]
        )
    return _frozen(json.dumps(data, sort_keys=True))


@lru_cache(maxsize=64)
def _frozen(text: str) -> Book:
    return from_data(json.loads(text))


def whole(data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with all that it takes over from its base: what is stored of a book, for good.

    :raises BookError: as :func:`read`.
    """
    merged = _changed(data, "") if "base" in data else dict(data)
    from_data(merged)
    return merged


def as_data(slug: str) -> dict[str, Any]:
    """The file of a shipped book, as data."""
    if slug not in shipped():
        raise KeyError(slug)
    return tomllib.loads((FOLDER / f"{slug}.toml").read_text(encoding="utf-8"))


def _changed(data: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A base book's data with the changes of ``data``: tables by key, patterns and forms by id.

    A pattern with ``off = true`` is not played; circumstances are known besides those of the base.
    """
    base = data["base"]
    if base not in shipped():
        message = Text.of(
            "There is no book “{base}”: choose from {known}.", base=base, known=", ".join(shipped())
        )
        raise BookError([_problem("base", "unknown_book", message)])
    merged = as_data(base)
    if "base" in merged:
        merged = _changed(merged, text)
    if merged.get("engine"):
        _refuse_values(merged["engine"], data)
    for key, value in data.items():
        if key in ("pattern", "form", "set"):
            merged[key] = _merged_list(merged.get(key, []), value)
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = {**merged[key], **value}
        elif key == "circumstances" and isinstance(value, list):
            merged[key] = [*merged.get(key, []), *value]
        elif key != "base":
            merged[key] = value
    return merged


def _refuse_values(engine: str, data: Mapping[str, Any]) -> None:
    """:raises BookError: for patterns or forms of a book whose library has its own."""
    template = "The hands of this book are scored by {engine}, whose values cannot be changed."
    message = Text.of(template, engine=engine)
    keys = [key for key in ("pattern", "form", "set", "engine") if key in data]
    if keys:
        raise BookError([_problem(key, "of_a_library", message) for key in keys])


def _merged_list(old: list[dict[str, Any]], new: Any) -> Any:
    if not isinstance(new, list):
        return new  # refused where it is read
    merged = {entry["id"]: entry for entry in old}
    for entry in new:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
            return new
        before = merged.get(entry["id"], {})
        if any(unit in entry for unit in UNITS):
            before = {key: value for key, value in before.items() if key not in UNITS}
        merged[entry["id"]] = {**before, **entry}
    return [entry for entry in merged.values() if not entry.get("off")]


def _problem(field: str, code: str, message: str) -> Problem:
    return Problem(field, code, message)


class _Reader:
    """Reads one book and gathers all that is wrong with it."""

    def __init__(self, data: Mapping[str, Any], text: str) -> None:
        self.data, self.text = data, text
        self.problems: list[Problem] = []

    def book(self) -> Book:
        data = self.data
        self.only("book", data, TOP)
        slug = self.word("book", data, "slug")
        book = Book(
            slug=slug,
            name=self.string("book", data, "name"),
            counting=self.table("counting", Counting, {"kind": tuple(COUNTINGS)}),
            forms=tuple(self.forms()),
            patterns=(*self.sets(), *self.patterns()),
            settlement=self.table("settlement", Settlement, {"kind": tuple(SETTLEMENT_KINDS)}),
            deal=self.table("deal", Deal, {}),
            edition=self.string("book", data, "edition", ""),
            explanation=self.string("book", data, "explanation", ""),
            sources=tuple(self.strings("book", data, "sources")),
            differences=tuple(self.strings("book", data, "differences")),
            bonus=self.flag("book", data, "bonus"),
            losers_score=self.flag("book", data, "losers_score"),
            circumstances=frozenset(self.strings("book", data, "circumstances")),
            engine=self.choice("book", data, "engine", ("", *LIBRARIES), ""),
            options=self.options(),
        )
        self.check(book)
        if self.problems:
            raise BookError(self.problems)
        return book

    # --- parts ----------------------------------------------------------------------------------------

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
            times = f"count({each})" if each else str(entry.get("times", "1"))
            if "when" in entry:
                times = (
                    f"({times}) * (({entry['when']}) != 0)"
                    if times != "1"
                    else f"({entry['when']}) != 0"
                )
            yield Pattern(
                self.word(where, entry, "id"),
                self.string(where, entry, "name"),
                units[0],
                self.worth(where, entry, units[0]),
                self.parsed(f"{where}: {'each' if each else 'when'}", times),
                line=self.string(where, entry, "line", str(entry.get("id", ""))),
                explanation=self.string(where, entry, "explanation", ""),
                each=each,
                who=self.choice(where, entry, "who", EVERYBODY, "winner"),
                group=self.string(where, entry, "group", ""),
                replaces=tuple(self.strings(where, entry, "replaces")),
                kind=self.string(where, entry, "kind", ""),
                replaces_kind=self.string(where, entry, "replaces_kind", ""),
                alone=self.flag(where, entry, "alone"),
                beside_limit=self.flag(where, entry, "beside_limit"),
                apart=self.flag(where, entry, "apart"),
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
        for said in self.listed(where, entry, key):
            if isinstance(said, str):
                yield Example(said)
            elif isinstance(said, Mapping) and isinstance(said.get("hand"), str):
                yield Example(said["hand"], str(said.get("source", "")))
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
            if name in choices:
                values[name] = self.choice(key, entry, name, choices[name])
            elif isinstance(value, list):
                values[name] = tuple(value)
                if not all(type(one) is int and 0 <= one <= MOST_WORTH for one in value):
                    self.refuse(f"{key}: {name}", "not_whole", _out_of_range(name))
            elif known[name].type is bool:
                values[name] = self.flag(key, entry, name)
            elif known[name].type is int:
                values[name] = self.whole(key, entry, name, 0)
            elif known[name].type is str:
                values[name] = self.string(key, entry, name)
            else:
                self.listed(key, entry, name)
        if kind is Counting:
            values.setdefault("kind", "points")
        return kind(**values)

    def check(self, book: Book) -> None:
        """What is wrong between the parts of a book."""
        ids = [pattern.id for pattern in book.patterns]
        for twice in sorted({one for one in ids if ids.count(one) > 1}):
            self.refuse(
                f"pattern {twice}", "twice", Text.of("There are two patterns “{id}”.", id=twice)
            )
        if len(ids) > MOST_PATTERNS:
            self.refuse(
                "pattern",
                "too_many",
                Text.of("A book has at most {most} patterns.", most=MOST_PATTERNS),
            )
        if len(book.forms) > MOST_FORMS:
            self.refuse(
                "form", "too_many", Text.of("A book has at most {most} forms.", most=MOST_FORMS)
            )
        for pattern in book.patterns:
            for other in pattern.replaces:
                if other not in ids:
                    message = Text.of(
                        "It replaces “{other}”, which is not in the book.", other=other
                    )
                    self.refuse(f"pattern {pattern.id}: replaces", "unknown_pattern", message)
            self.check_kinds(pattern, book)
        for circle in _circles(book):
            message = Text.of("These replace each other in a circle: {ids}.", ids=", ".join(circle))
            self.refuse(f"pattern {circle[0]}: replaces", "circle", message)
        known = {**WON_BY, **FLAGS, **BESIDE}
        for name in sorted(book.circumstances - set(known)):
            message = Text.of(
                "“{name}” is not known: choose from {names}.", name=name, names=", ".join(known)
            )
            self.refuse("circumstances", "unknown", message)
        if not book.counting.rounding:
            self.refuse("counting: rounding", "out_of_range", _out_of_range("rounding"))
        if not book.forms and book.counting.kind != "card":
            self.refuse("form", "missing", Text("A book needs a form in which a hand wins."))
        faan = book.counting
        if faan.kind == "faan" and faan.maximum and len(faan.table) <= faan.maximum:
            message = Text.of("Give points for 0 to {most} faan.", most=book.counting.maximum)
            self.refuse("counting: table", "too_short", message)

        self.check_halves(book)

    def check_kinds(self, pattern: Pattern, book: Book) -> None:
        """What a pattern says of the kinds of others."""
        kind = pattern.replaces_kind
        if not kind:
            return
        where = f"pattern {pattern.id}: replaces_kind"
        if kind == pattern.kind:
            self.refuse(where, "replaces_itself", Text("A pattern cannot replace its own kind."))
        elif all(other.kind != kind for other in book.patterns):
            message = Text.of("No pattern of the book is of the kind “{kind}”.", kind=kind)
            self.refuse(where, "unknown_kind", message)

    def check_halves(self, book: Book) -> None:
        """Whether all amounts are whole where some players pay half."""
        counting, settlement = book.counting, book.settlement
        table = counting.table[counting.minimum : counting.maximum + 1]
        if settlement.discarder == "half" and any(one * settlement.base % 2 for one in table):
            message = Text("Where some pay half, every amount must be even: choose another base.")
            self.refuse("settlement: base", "odd", message)

    # --- values ---------------------------------------------------------------------------------------

    def entries(self, key: str, known: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        listed = self.data.get(key, [])
        if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
            self.refuse(
                key, "no_list", Text.of("Write each as a table of its own: [[{key}]].", key=key)
            )
            return
        for place, entry in enumerate(listed, 1):
            where = f"{key} {entry.get('id', place)}"
            self.only(where, entry, known)
            yield where, entry

    def only(self, where: str, entry: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for name in entry:
            if name not in known:
                message = Text.of(
                    "“{name}” is not known here: choose from {names}.",
                    name=name,
                    names=", ".join(known),
                )
                self.refuse(f"{where}: {name}", "unknown_field", message)

    def string(
        self, where: str, entry: Mapping[str, Any], key: str, default: str | None = None
    ) -> str:
        value = entry.get(key, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            self.refuse(f"{where}: {key}", "missing", Text.of("“{key}” is a text.", key=key))
            return ""
        return value

    def word(self, where: str, entry: Mapping[str, Any], key: str) -> str:
        value = self.string(where, entry, key)
        if value and not all(
            part.isascii() and part.isalnum() and part == part.lower()
            for part in value.replace("-", "_").split("_")
        ):
            message = Text.of("“{key}” has small letters, numbers and _ only.", key=key)
            self.refuse(f"{where}: {key}", "bad_id", message)
        return value

    def strings(self, where: str, entry: Mapping[str, Any], key: str) -> list[str]:
        values = self.listed(where, entry, key)
        if not all(isinstance(value, str) for value in values):
            self.refuse(
                f"{where}: {key}", "no_texts", Text.of("“{key}” is a list of texts.", key=key)
            )
            return []
        return values

    def listed(self, where: str, entry: Mapping[str, Any], key: str) -> list[Any]:
        value = entry.get(key, [])
        if not isinstance(value, list):
            self.refuse(f"{where}: {key}", "no_list", Text.of("“{key}” is a list.", key=key))
            return []
        return value

    def flag(self, where: str, entry: Mapping[str, Any], key: str, default: bool = False) -> bool:
        value = entry.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{where}: {key}", "no_flag", Text.of("“{key}” is true or false.", key=key))
            return default
        return value

    def whole(self, where: str, entry: Mapping[str, Any], key: str, default: int) -> int:
        value = entry.get(key, default)
        if type(value) is not int or not 0 <= value <= MOST_WORTH:
            self.refuse(f"{where}: {key}", "out_of_range", _out_of_range(key))
            return default
        return value

    def choice(
        self,
        where: str,
        entry: Mapping[str, Any],
        key: str,
        choices: tuple[str, ...],
        default: str | None = None,
    ) -> str:
        value = entry.get(key, default)
        if value not in choices:
            message = Text.of("“{key}” is one of {choices}.", key=key, choices=", ".join(choices))
            self.refuse(f"{where}: {key}", "no_such_value", message)
            return choices[0]
        return str(value)

    def worth(self, where: str, entry: Mapping[str, Any], key: str) -> Expression:
        """A value: a whole number, or an expression."""
        value = entry[key]
        if isinstance(value, str):
            return self.parsed(f"{where}: {key}", value)
        if type(value) is not int or not 0 <= value <= MOST_WORTH:
            self.refuse(f"{where}: {key}", "out_of_range", _out_of_range(key))
            return Expression("0")
        return Expression(str(value))

    def expression(
        self, where: str, entry: Mapping[str, Any], key: str, default: str
    ) -> Expression:
        return self.parsed(f"{where}: {key}", str(entry.get(key, default)))

    def parsed(self, field: str, text: str) -> Expression:
        try:
            return Expression(text)
        except ExpressionError as error:
            self.refuse(field, "bad_expression", error.message, text)
            return Expression("0")

    def refuse(self, field: str, code: str, message: str, at: str = "") -> None:
        line = self._line(field, at)
        if line:
            message = Text.of("Line {line}: {message}", line=line, message=message)
        self.problems.append(_problem(field, code, message))

    def _line(self, field: str, at: str) -> int:
        """The line of ``field`` in the file, from 1; 0 if it is not told there."""
        where, _colon, key = field.partition(": ")
        _kind, _space, name = where.partition(" ")
        lines = self.text.splitlines()
        start = 0
        if name:
            ids = [i for i, line in enumerate(lines) if line.replace(" ", "") == f'id="{name}"']
            start = ids[0] if ids else 0
            while start and not lines[start].startswith("[["):
                start -= 1
        for number in range(start, len(lines)):
            if number > start and lines[number].startswith("[") and name:
                break
            if key and lines[number].split("=")[0].strip() == key:
                return number + 1
        return start + 1 if name and lines else 0


def _out_of_range(key: str) -> Text:
    return Text.of("“{key}” is a whole number from 0 to {most}.", key=key, most=MOST_WORTH)


def _circles(book: Book) -> list[list[str]]:
    """Patterns that replace one another in a circle: the first that is found."""
    try:
        TopologicalSorter({one.id: one.replaces for one in book.patterns}).prepare()
    except CycleError as error:
        return [error.args[1][:-1]]
    return []


TOP = (
    "slug", "name", "edition", "explanation", "sources", "differences", "bonus", "losers_score",
    "circumstances", "counting", "settlement", "deal", "form", "set", "pattern", "base", "engine", "options",
)  # fmt: skip
FORM = (
    "id", "name", "kind", "when", "tiles", "again", "bonus", "concealed", "source", "explanation",
)  # fmt: skip
SET = (
    "id", "name", "each", "open", "concealed", "explanation", "source", "has", "has_open",
)  # fmt: skip
PATTERN = (
    "id", "line", "name", "explanation", "when", "times", "each", *UNITS, "who", "group", "replaces", "kind",
    "replaces_kind", "alone", "beside_limit", "apart", "for_minimum", "calling", "option", "source",
    "has", "nearly", "off",
)  # fmt: skip
