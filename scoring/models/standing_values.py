"""Readers of the values in standing rules: each takes what JSON holds and returns it as the code uses it.

A reader raises :class:`SettingsError` with every problem of the value, each with the way to it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.unseen import unseen_in

from .refusals import UNSEEN_CHARACTER

Reader = Callable[[Any], Any]
# Further than any real league counts, and small enough for a column of the table.
LARGEST_NUMBER = 1_000_000


class SettingsProblem(NamedTuple):
    """What is wrong at ``path``, such as ``("tables", 0, "minimum", "count")``."""

    path: tuple[str | int, ...]
    code: str
    message: str | Promise


class SettingsError(Exception):
    """Values that no standing rules can have: all ``problems``, not only the first."""

    def __init__(self, problems: Sequence[SettingsProblem]) -> None:
        super().__init__(", ".join(f"{problem.path}: {problem.code}" for problem in problems))
        self.problems = list(problems)


def refusal(code: str, message: str | Promise, *path: str | int) -> SettingsError:
    """One problem: of the value itself, or of what lies at ``path`` in it."""
    return SettingsError([SettingsProblem(path, code, message)])


def whole(least: int, most: int) -> Reader:
    """A whole number from ``least`` to ``most``."""

    def read(value: Any) -> int:
        # Python takes true for 1; who wrote it meant no number.
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            message = _("Give a whole number from {least} to {most}.")
            raise refusal("invalid", format_lazy(message, least=least, most=most))
        return value

    return read


def number(value: Any) -> Fraction:
    """A number with at most one decimal, as JSON has it: 20, -3, 0.5."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        exact = Decimal(str(value))
        if exact.is_finite() and abs(exact) <= LARGEST_NUMBER and exact * 10 % 1 == 0:
            return Fraction(exact)
    raise refusal("invalid", _("Give a number with at most one decimal, such as 20 or −0.5."))


def number_as_json(value: Fraction) -> int | float:
    """``value`` as it is stored and sent: whole where it is whole."""
    return int(value) if value.denominator == 1 else float(value)


def text(longest: int) -> Reader:
    """A name of 1 to ``longest`` characters, with single spaces."""

    def read(value: Any) -> str:
        name = " ".join(value.split()) if isinstance(value, str) else ""
        if unseen := unseen_in(name):
            raise refusal("invisible", str(UNSEEN_CHARACTER) % {"code": unseen})
        if not 0 < len(name) <= longest or not name.isprintable():
            message = _("Give a name of 1 to {longest} characters.")
            raise refusal("invalid", format_lazy(message, longest=longest))
        return name

    return read


def choice(names: Iterable[str]) -> Reader:
    """One of ``names``."""
    known = list(names)

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            message = _("Choose one of {names}.")
            raise refusal("unknown", format_lazy(message, names=", ".join(known)))
        return value

    return read


def optional(reader: Reader) -> Reader:
    """What ``reader`` reads, or null."""
    return lambda value: None if value is None else reader(value)


def listing(reader: Reader, *, least: int = 0, most: int) -> Reader:
    """A list of ``least`` to ``most`` values, as a tuple."""

    def read(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list | tuple) or not least <= len(values) <= most:
            message = (
                _("Give a list of {most} values.")
                if least == most
                else _("Give a list of {least} to {most} values.")
            )
            raise refusal("invalid", format_lazy(message, least=least, most=most))
        return tuple(all_of((place, reader, value) for place, value in enumerate(values)).values())

    return read


def different(reader: Reader) -> Reader:
    """What ``reader`` reads as a list, of which no two are the same."""

    def read(values: Any) -> tuple[Any, ...]:
        items: tuple[Any, ...] = reader(values)
        if len(set(items)) < len(items):
            raise refusal("twice", _("Name each only once."))
        return items

    return read


def group(kind: type, **readers: Reader) -> Reader:
    """An object with a value for each field of the dataclass ``kind``, which says what can be left out."""
    required = {field.name for field in fields(kind) if field.default is MISSING}

    def read(values: Any) -> Any:
        by_name = named(values, readers)
        missing = sorted(required - by_name.keys())
        if missing:
            message = _("This is required.")
            raise SettingsError([SettingsProblem((name,), "required", message) for name in missing])
        return kind(**by_name)

    return read


def named(values: Any, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The ``values`` of an object, each read by the reader of its name.

    :raises SettingsError: also for a name that has no reader.
    """
    if not isinstance(values, Mapping):
        raise refusal("invalid", _("Give an object with a value for each name."))
    known = ", ".join(readers)
    message = format_lazy(_("There is no such setting. Choose of {names}."), names=known)
    unknown = [
        SettingsProblem((str(name),), "unknown_field", message)
        for name in values
        if name not in readers
    ]
    try:
        by_name = all_of((name, readers[name], values[name]) for name in readers if name in values)
    except SettingsError as error:
        raise SettingsError([*unknown, *error.problems]) from error
    if unknown:
        raise SettingsError(unknown)
    return by_name


def all_of(parts: Iterable[tuple[Any, Reader, Any]]) -> dict[Any, Any]:
    """Each value read by its reader, by its key.

    :raises SettingsError: with the problems of all of them, each at its key.
    """
    read_values: dict[Any, Any] = {}
    problems: list[SettingsProblem] = []
    for key, reader, value in parts:
        try:
            read_values[key] = reader(value)
        except SettingsError as error:
            problems += [one._replace(path=(key, *one.path)) for one in error.problems]
    if problems:
        raise SettingsError(problems)
    return read_values
