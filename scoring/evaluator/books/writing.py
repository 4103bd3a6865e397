"""A rule book as the text of its file: what :func:`scoring.evaluator.books.loader.read` reads again."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def to_toml(data: Mapping[str, Any]) -> str:
    """The file of the book ``data``: first its plain values, then tables, then lists of tables.

    >>> print(to_toml({"slug": "ours", "counting": {"limit": 500}, "pattern": [{"id": "pung"}]}))
    slug = "ours"
    <BLANKLINE>
    [counting]
    limit = 500
    <BLANKLINE>
    [[pattern]]
    id = "pung"
    <BLANKLINE>
    """
    return "\n\n".join("\n".join(lines) for lines in _blocks(data)) + "\n"


def _blocks(data: Mapping[str, Any]) -> Iterator[list[str]]:
    plain = {key: value for key, value in data.items() if not _is_table(value)}
    if plain:
        yield _lines(plain)
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield [f"[{key}]", *_lines(value)]
        elif _is_table(value):
            for entry in value:
                yield [f"[[{key}]]", *_lines(entry)]


def _is_table(value: Any) -> bool:
    """Whether ``value`` is a table, or a list of such."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, Mapping) for entry in value)
    return isinstance(value, Mapping)


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(_lines(value)) + "}"
    if isinstance(value, list):
        if len(value) > 1 and not all(isinstance(one, int) for one in value):
            return "[\n" + "".join(f"    {_value(one)},\n" for one in value) + "]"
        return "[" + ", ".join(map(_value, value)) + "]"
    # The escapes of JSON are those of TOML, which besides asks for one of the delete character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
