"""Say where a text is no TOML, and what to write instead, in sentences that an organiser understands.

Python's parser says it in its own English. Its words only tell which sentence of ours it is.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scoring.evaluator.text import Text

from .refusals import LISTS, at_line, each_in_its_table

EXAMPLE = 'base = "dmjl"'
LONGEST_EXAMPLE = 40  # characters of what somebody wrote without quotes
STRING = re.compile(r""""(?:[^"\\]|\\.)*"?|'[^']*'?""")
OVER_LINES = ('"""', "'''")
TEXT_OVER_LINES = re.compile(r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''")
PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")
HEADER = re.compile(r"\s*\[\[?\s*([^\]]*?)\s*(?:\]|$)")
LAST_KEY = re.compile(r"""([\w."-]+)\s*=[^=]*$""")  # a quoted one is written as ""
NEXT_KEY = re.compile(r"\s*[\w.-]+\s*=")
ID = re.compile(r"""\s*id\s*=\s*["']([^"']*)["']""")
QUOTES = "\"'“”„‘’‚«»「」『』"
LONG_NUMBER = re.compile(
    r"(?<![\w.-])[+-]?(?:0x[\da-fA-F_]{15,}|0o[0-7_]{20,}|0b[01_]{60,}|\d[\d_]{18,})(?![\w.:-])"
)


class Stop(NamedTuple):
    """Where reading stopped: the ``lines`` up to there, whose last one is not whole, and the ``rest`` of that."""

    lines: list[str]
    rest: str

    @property
    def before(self) -> str:
        """What stands before it on its line, its texts emptied."""
        return STRING.sub('""', self.lines[-1])

    @property
    def table(self) -> str:
        """The name of the table that begins on its line; empty if none does."""
        header = HEADER.match(self.lines[-1])
        return header[1] if header else ""

    @property
    def key(self) -> str:
        """The name whose value was read last; empty if it has no plain name."""
        keys = (LAST_KEY.search(STRING.sub('""', line)) for line in reversed(self.lines))
        key = next((key[1] for key in keys if key), "")
        return "" if '"' in key else key


def mistake(text: str, reason: str) -> Text:
    """What is wrong with ``text``, of which the parser says ``reason`` in its own words."""
    stop = _stop(text, reason)
    line = len(stop.lines)
    for words, sentence in SENTENCES:
        if reason.startswith(words) and (message := sentence(stop)):
            return at_line(line, message)
    return Text.of(
        "Line {line} is no TOML. A book has lines such as {example}.", line=line, example=EXAMPLE
    )


def _stop(text: str, reason: str) -> Stop:
    lines = text.split("\n")
    if place := PLACE.search(reason):
        line, column = int(place[1]), int(place[2]) - 1
        whole = lines[line - 1]
        return Stop([*lines[: line - 1], whole[:column]], whole[column:].strip())
    written = text.rstrip()
    if reason.startswith(UNFINISHED):  # it begins with the last quotes of its kind
        three = next((one for one in OVER_LINES if text.count(one) % 2), "'")
        if "'" in reason or three in OVER_LINES:
            written = text[: text.rfind(three)]
    return Stop(written.split("\n"), "")


def _twice(stop: Stop) -> Text | None:
    if stop.table in LISTS:
        return each_in_its_table(stop.table)
    if stop.table:
        return Text.of(
            "[{table}] is there already: write all of its lines in one place.", table=stop.table
        )
    if not stop.key:
        return None
    return Text.of("“{key}” has a value already: leave one of the two out.", key=stop.key)


def _no_value(stop: Stop) -> Text:
    if stop.rest[:1] in ("", "#", "="):
        return Text("A value is missing here: a number, true or false, or words in quotes.")
    if not stop.before.strip() and NEXT_KEY.match(stop.rest):
        return _unfinished_list(stop)
    word = stop.rest.partition("#")[0].strip(f"{QUOTES},] ")[:LONGEST_EXAMPLE]
    if word.lower() in ("true", "false"):
        return Text.of("Write “{word}” in small letters.", word=word.lower())
    example = f'{stop.key} = "{word}"' if LAST_KEY.search(stop.before) else f'"{word}"'
    return Text.of("Write words in straight quotes, such as {example}.", example=example)


def _more_on_the_line(_stop: Stop) -> Text:
    return Text(
        "Nothing may follow a value on its line: write a number as 1000, not as 1,000 or 01000, "
        "and words in quotes."
    )


def _unfinished_text(_stop: Stop) -> Text:
    return Text("A text begins here and has no end: put the same quotes behind it.")


def _unfinished_list(_stop: Stop) -> Text:
    return Text("Up to here a list has no end: put a comma between its values, and ] behind them.")


def _unfinished_table(_stop: Stop) -> Text:
    return Text(
        "Up to here a table has no end: put a comma between its values, and close its braces."
    )


def _no_brackets(stop: Stop) -> Text:
    double = stop.lines[-1].lstrip().startswith("[[")
    example = f"[[{stop.table}]]" if double else f"[{stop.table}]"
    return Text.of("Close the brackets around the name of a table: {example}.", example=example)


def _no_statement(_stop: Stop) -> Text:
    return Text.of(
        "Write a name, = and a value, such as {example}; a remark begins with #.", example=EXAMPLE
    )


def _backslash(_stop: Stop) -> Text:
    return Text("In a text a backslash is written twice.")


def _unseen(_stop: Stop) -> Text:
    return Text("There is a character that nobody can see: type the line again.")


UNFINISHED = ("Unterminated string", "Expected \"'")
# How the parser begins, the longer words first.
SENTENCES: tuple[tuple[str | tuple[str, ...], Callable[[Stop], Text | None]], ...] = (
    (("Cannot ", "Duplicate inline table key"), _twice),
    ("Invalid value", _no_value),
    ("Expected newline", _more_on_the_line),
    ((*UNFINISHED, r"Illegal character '\n'", r"Found invalid character '\n'"), _unfinished_text),
    ("Unclosed array", _unfinished_list),
    ("Unclosed inline table", _unfinished_table),
    ("Expected ']", _no_brackets),
    (("Expected '='", "Invalid statement", "Invalid initial character"), _no_statement),
    (("Unescaped", "Invalid hex value", "Escaped character"), _backslash),
    (("Illegal character", "Found invalid character"), _unseen),
)


def place_of_long_number(text: str) -> tuple[int, str]:
    """The line and the field of the first number of ``text``, TOML, that is too long."""
    hidden = TEXT_OVER_LINES.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = [STRING.sub('""', line).partition("#")[0] for line in hidden.split("\n")]
    numbers = (number for number, line in enumerate(lines, 1) if LONG_NUMBER.search(line))
    line = next(numbers, len(lines))
    key = Stop(lines[:line], "").key
    where = _entry(text.split("\n"), line) or "book"
    return line, f"{where}: {key}" if key else where


def _entry(lines: list[str], line: int) -> str:
    """The table to which ``line`` belongs, such as ``counting`` or ``pattern pung``; empty for none."""
    headers = [(place, table) for place, table in _headers(lines) if place < line]
    if not headers:
        return ""
    place, table = headers[-1]
    if table not in LISTS:
        return table
    following = next((one for one, _table in _headers(lines) if one > place), len(lines) + 1)
    ids = (ID.match(one) for one in lines[place : following - 1])
    number = sum(1 for _place, other in headers if other == table)
    return f"{table} {next((one[1] for one in ids if one), number)}"


def _headers(lines: list[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if header := HEADER.match(line):
            yield number, header[1]
