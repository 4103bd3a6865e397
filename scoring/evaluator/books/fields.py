"""The values of one table of a book: each is checked, and what is wrong is said with its line."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text

from .expressions import Expression, ExpressionError, predicate_of_sets
from .lines import Lines
from .refusals import (
    MOST_WORTH,
    a_text,
    at_line,
    each_in_its_table,
    entry_field,
    figures_out_of_range,
    one_of,
    out_of_range,
    true_or_false,
)


@lru_cache(maxsize=1024)
def expression_of(text: str) -> Expression:
    """Books share what they write alike: most of a new book is as in the one that it changes.

    :raises ExpressionError: as :class:`Expression`.
    """
    return Expression(text)


# The conditions of a pattern, and how each is read.
CONDITIONS: dict[str, Callable[[str], object]] = {
    "when": expression_of,
    "times": expression_of,
    "each": lru_cache(maxsize=256)(predicate_of_sets),
}


class FieldReader:
    """Reads values of ``data`` and gathers in ``problems`` what is wrong; ``text`` is the file, for its lines.

    A value that is refused is read as one that is harmless, so that reading goes on.
    """

    def __init__(self, data: Mapping[str, Any], text: str) -> None:
        self.data, self.text = data, text
        self.problems: list[Problem] = []

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    def entries(self, key: str, known: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        listed = self.data.get(key, [])
        if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
            self.refuse(key, "no_list", each_in_its_table(key))
            return
        for place, entry in enumerate(listed, 1):
            where = entry_field(key, entry, place)
            self.only(where, entry, known)
            yield where, entry

    def only(self, where: str, entry: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for name in entry:
            if not known:
                message = Text.of("Nothing can be set here: leave “{key}” out.", key=name)
                self.refuse(f"{where}: {name}", "unknown_field", message)
            elif name not in known:
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
            message = a_text(key)
            if key not in entry:
                message = Text.of("“{key}” is missing: it is a text.", key=key)
            elif isinstance(value, str):
                message = Text.of("“{key}” is empty: write a text.", key=key)
            self.refuse(f"{where}: {key}", "missing", message)
            return ""
        return value

    def word(self, where: str, entry: Mapping[str, Any], key: str) -> str:
        value = self.string(where, entry, key)
        if value and not all(
            part.isascii() and part.isalnum() and part == part.lower()
            for part in value.replace("-", "_").split("_")
        ):
            message = Text.of("“{key}” has small letters, numbers, - and _ only.", key=key)
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

    def figures(self, where: str, entry: Mapping[str, Any], key: str) -> list[int]:
        values = self.listed(where, entry, key)
        if not all(type(value) is int and 0 <= value <= MOST_WORTH for value in values):
            self.refuse(f"{where}: {key}", "not_whole", figures_out_of_range(key))
            return []
        return values

    def flag(self, where: str, entry: Mapping[str, Any], key: str, default: bool = False) -> bool:
        value = entry.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{where}: {key}", "no_flag", true_or_false(key))
            return default
        return value

    def whole(
        self,
        where: str,
        entry: Mapping[str, Any],
        key: str,
        default: int,
        message: Text | None = None,
    ) -> int:
        value = entry.get(key, default)
        if type(value) is not int or not 0 <= value <= MOST_WORTH:
            self.refuse(f"{where}: {key}", "out_of_range", message or out_of_range(key))
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
            message = one_of(key, filter(None, choices))
            self.refuse(f"{where}: {key}", "no_such_value", message)
            return choices[0]
        return str(value)

    def worth(self, where: str, entry: Mapping[str, Any], key: str) -> Expression:
        """A value: a whole number, or an expression."""
        value = entry[key]
        if isinstance(value, str) and not self._is_a_mere_word(value):
            return self.parsed(f"{where}: {key}", value)
        if type(value) is not int or not 0 <= value <= MOST_WORTH:
            self.refuse(f"{where}: {key}", "out_of_range", out_of_range(key))
            return expression_of("0")
        return expression_of(str(value))

    @staticmethod
    def _is_a_mere_word(text: str) -> bool:
        """Whether ``text`` is a word that means nothing, such as “ten”: a number is what is missing."""
        try:
            expression_of(text)
        except ExpressionError:
            return text.isalpha()
        return False

    def expression(
        self, where: str, entry: Mapping[str, Any], key: str, default: str
    ) -> Expression:
        return self.parsed(f"{where}: {key}", str(entry.get(key, default)))

    def check_conditions(self, where: str, entry: Mapping[str, Any]) -> bool:
        """Refuse what cannot be read of a pattern's conditions, each as it was written; False if that is any."""
        before = len(self.problems)
        for key, read in CONDITIONS.items():
            try:
                read(str(entry.get(key, "1")))
            except ExpressionError as error:
                self.refuse_expression(f"{where}: {key}", error, str(entry[key]))
        return len(self.problems) == before

    def parsed(self, field: str, text: str) -> Expression:
        try:
            return expression_of(text)
        except ExpressionError as error:
            self.refuse_expression(field, error, text)
            return expression_of("0")

    def refuse_expression(self, field: str, error: ExpressionError, text: str) -> None:
        """Say where in the line it is wrong, or where in the expression if that stands in no file."""
        line = self._lines.find(field)
        written = self.text.splitlines()[line - 1] if line else ""
        column = max(written.find(text), 0) + error.column + 1
        what = _as_written(error.message, text.strip())
        message = Text.of("Character {column}: {message}", column=column, message=what)
        if line:
            message = Text.of(
                "Line {line}, character {column}: {message}",
                line=line,
                column=column,
                message=what,
            )
        self.problems.append(Problem(field, "bad_expression", message))

    def refuse_each(self, problems: Iterable[Problem]) -> None:
        """Refuse what was found elsewhere, each with its line."""
        for problem in problems:
            self.refuse(problem.field, problem.code, problem.message)

    def refuse(self, field: str, code: str, message: str) -> None:
        line = self._lines.find(field)
        if line:
            message = at_line(line, message)
        self.problems.append(Problem(field, code, message))


def _as_written(message: Text, text: str) -> Text:
    """``message`` with the part of the expression ``text`` that it names as somebody wrote it.

    Python writes 1,000 as (1, 0).
    """
    params = getattr(message, "params", {})
    if params.get("said", "") in text:
        return message
    parts = {
        ast.unparse(node)[:40]: ast.get_source_segment(text, node) or ""
        for node in ast.walk(ast.parse(text, mode="eval"))
        if isinstance(node, ast.expr)
    }
    named = {**params, "said": parts[params["said"]][:40]}
    return Text.of(template=message.template, **named)
