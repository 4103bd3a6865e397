"""Read TOML that anybody may have written."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from scoring.evaluator.problems import HandError, Problem, refuse
from scoring.evaluator.text import Text

from .refusals import BookError, at_line
from .toml_mistakes import EXAMPLE, OVER_LINES, STRING, mistake, place_of_long_number

BYTE_ORDER_MARK = "\ufeff"  # some editors write it before the first character of a file
LONGEST = 200_000  # characters of a file
MOST_DOTS = 60  # of a line, outside of strings: tomllib takes the square of the parts of a name
MOST_DOTS_IN_ALL = 5_000
MOST_TABLES = 1_000
TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
MOST_DIGITS = 18  # Python refuses to write down a whole number of more than 4,300


def parsed(text: str) -> dict[str, Any]:
    """What the TOML ``text`` says.

    :raises BookError: if it is no TOML, or would take too long to read.
    """
    try:
        return _parsed(text)
    except HandError as error:
        raise BookError(error.problems) from None


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise refuse("book", "too_long", "A book has at most {most} characters.", most=LONGEST)
    text = text.removeprefix(BYTE_ORDER_MARK)
    tables = sum(1 for _found in TABLE.finditer(text))
    if tables > MOST_TABLES:
        raise refuse(
            "book",
            "too_many_tables",
            "A book has at most {most} tables: these are {count}.",
            most=MOST_TABLES,
            count=tables,
        )
    in_all = 0
    for number, line in enumerate(text.split("\n"), start=1):
        dots = _dots(line)
        in_all += dots
        if dots > MOST_DOTS:
            raise refuse(
                "book",
                "too_many_dots",
                "Line {line} has more than {most} dots: write fewer.",
                line=number,
                most=MOST_DOTS,
            )
        if in_all > MOST_DOTS_IN_ALL:
            raise refuse(
                "book",
                "too_many_dots",
                "A book has at most {most} dots outside of its texts: write fewer.",
                most=MOST_DOTS_IN_ALL,
            )
    try:
        data = tomllib.loads(text)
        fits = _fits(data)
    except RecursionError:
        raise refuse(
            "book", "too_deep", "The lists of a book lie too deep in each other."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise BookError([Problem("book", "no_toml", mistake(text, str(error)))]) from None
    except ValueError:  # a number that Python does not even read
        fits = False
    if not fits:
        place, field = place_of_long_number(text)
        message = Text.of("A whole number has at most {most} digits.", most=MOST_DIGITS)
        raise BookError([Problem(field, "too_many_digits", at_line(place, message))])
    if not data:
        raise refuse(
            "book",
            "empty",
            "Nothing is written in this book. A book has lines such as {example}.",
            example=EXAMPLE,
        )
    return data


def _dots(line: str) -> int:
    """The dots of ``line`` that may part a name: all, where a string over several lines begins or ends."""
    if any(quotes in line for quotes in OVER_LINES):
        return line.count(".")
    return STRING.sub("", line).count(".")


def _fits(value: object) -> bool:
    """Whether every whole number in ``value`` is one that can be written down."""
    if isinstance(value, Mapping):
        return all(map(_fits, value.values()))
    if isinstance(value, list):
        return all(map(_fits, value))
    return not isinstance(value, int) or abs(value) < 10**MOST_DIGITS
