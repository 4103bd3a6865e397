"""Find the line of a book's text on which each of its values stands."""

import re
from collections import Counter

from .toml import parsed

HEADER = re.compile(r"\s*\[\[?\s*([\w-]+)\s*\]")
KEY = re.compile(r"\s*([\w-]+)\s*[.=]")
Place = tuple[str, int]  # a table, and which one of that name, from 1
TOP: Place = ("", 0)


class Lines:
    """The lines of ``text``, TOML that can be read, by fields such as ``pattern pung: doubles``.

    >>> lines = Lines('slug = "a"\\n[[form]]\\nid = "x"\\n[[pattern]] # mine\\nid = "x"\\ndoubles = 1')
    >>> lines.find("pattern x: doubles"), lines.find("form x"), lines.find("book: slug"), lines.find("deal")
    (6, 2, 1, 0)
    """

    def __init__(self, text: str) -> None:
        self._starts: dict[Place, int] = {}
        self._keys: dict[tuple[Place, str], int] = {}
        self._data = parsed(text) if text else {}
        place, tables = TOP, Counter[str]()
        for number, line in enumerate(text.splitlines(), 1):
            if header := HEADER.match(line):
                tables[header[1]] += 1
                place = header[1], tables[header[1]]
                self._starts[place] = number
            elif key := KEY.match(line):
                self._keys.setdefault((place, key[1]), number)

    def find(self, field: str) -> int:
        """The line of ``field``, or else of its table, from 1; 0 if the text does not have that."""
        where, _colon, key = field.partition(": ")
        kind, _space, name = where.partition(" ")
        place = TOP if kind == "book" else (kind, self._place(kind, name))
        number = self._keys.get((place, key)) or self._starts.get(place)
        if not number and kind == "book":
            number = self._starts.get((key, 1))
        return number or self._keys.get((TOP, kind), 0)

    def _place(self, kind: str, name: str) -> int:
        """Which one of its kind has the id ``name``; without an id it is named by its place."""
        if not name:
            return 1
        listed = self._data.get(kind)
        entries = listed if isinstance(listed, list) else []
        ids = [entry.get("id") if isinstance(entry, dict) else None for entry in entries]
        if name in map(str, ids):
            return [*map(str, ids)].index(name) + 1
        return int(name) if name.isdecimal() else 0
