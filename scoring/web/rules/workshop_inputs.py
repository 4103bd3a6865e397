"""The inputs of the workshop by their names, with what was sent or what the book says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.typed_numbers import without_marks

Choices = Sequence[tuple[str, str]]


@dataclass(slots=True)
class Input:
    """One control of the page.

    ``kind``: "text", "number", "check", "select", "lines" (a text of several lines) or "words" (an
    expression). ``words`` says which words it is completed with: of a "hand" or of a "set".
    """

    name: str
    label: str
    kind: str = "text"
    value: Any = ""
    choices: Choices = ()
    help: str = ""
    words: str = ""
    errors: list[str] = field(default_factory=list)

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        """The choices, and which one is chosen."""
        return [(value, label, value == self.value) for value, label in self.choices]

    @property
    def number(self) -> int | None:
        """The whole number that was entered; None if it is none."""
        text = without_marks(str(self.value).strip())
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None

    @property
    def figure(self) -> int | str:
        """A number, or the text that was entered in its place, which the loader refuses or reads."""
        number = self.number
        return str(self.value).strip() if number is None else number

    @property
    def lines(self) -> list[str]:
        """The lines that are not blank."""
        return [line.strip() for line in str(self.value).splitlines() if line.strip()]


class Sent:
    """What was sent, or nothing: then every input has its first value."""

    def __init__(self, data: Mapping[str, str] | None) -> None:
        self.data = data
        # A box that is not ticked is not sent. It counts as such only where the whole form came.
        self.whole = data is not None and "whole" in data
        # A row that came in between was not on the page; one that was always sends something.
        self.rows = frozenset(name.rpartition("-")[0] for name in data or ())

    def text(
        self, name: str, label: str, first: Any = "", kind: str = "text", **more: Any
    ) -> Input:
        value = first if self.data is None else self.data.get(name, first)
        return Input(name, label, kind, str(value).replace("\x00", ""), **more)

    def check(self, name: str, label: str, first: bool = False, **more: Any) -> Input:
        value = name in (self.data or {}) if self.whole else first
        return Input(name, label, "check", value, **more)

    def check_of(self, row: str, key: str, label: str, first: bool = False) -> Input:
        """The box ``key`` of a ``row``; of one that was not on the page, as the book has it."""
        name = f"{row}-{key}"
        if row in self.rows:
            return self.check(name, label, first)
        return Input(name, label, "check", first)

    def select(
        self, name: str, label: str, choices: Choices, first: str = "", **more: Any
    ) -> Input:
        chosen = self.text(name, label, first, "select", choices=choices, **more)
        if chosen.value not in dict(choices):
            chosen.value = first
        return chosen
