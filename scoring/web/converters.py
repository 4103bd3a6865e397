"""Parts of an address."""

from datetime import date


class DayConverter:
    """A day as ``2026-03-31``."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """:raises ValueError: for a day that no calendar has; then it is no such address."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


class CodeConverter:
    """The code of a table, in small or capital letters: a letter is among them, as in no number of a row."""

    regex = "(?=[0-9]*[a-zA-Z])[0-9a-zA-Z]{18}"

    def to_python(self, value: str) -> str:
        return value.lower()

    def to_url(self, value: str) -> str:
        return value


class AlphanumericConverter:
    """Letters and digits: the key of an account in a link to a new password."""

    regex = "[0-9A-Za-z]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SheetConverter:
    """The kind of a file for a spreadsheet, as its name ends."""

    regex = "csv|xlsx"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
