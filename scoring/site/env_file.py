"""The one file of settings: read by every command, by ``make`` and by the server.

``python -m scoring.site.env_file NAME`` prints a setting, for ``make``: nothing if nobody set it.
"""

import os
import re
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from dotenv.parser import Binding, parse_stream

# Also as a line of other programs, and in the middle of a value whose quotation mark is not closed.
DATABASE_LINE = re.compile(
    r"^[^\S\n]*(?:export\s+|set\s+|Environment=)?[\"']?(?:DATABASE[-_ ]?URLS?\b|(?:postgres|sqlite)\w*://)",
    re.IGNORECASE | re.MULTILINE,
)


def read_env_file(folder: Path) -> Path | None:
    """Take over what the environment does not say from the file that ``ENV_FILE`` names.

    Without that variable it is ``.env`` in ``folder``, if there is one. Empty: none is read. A line that
    sets nothing is named on standard error.

    :raises ImproperlyConfigured: if it cannot be read, has a null character, or loses the name of the database.
    """
    named = os.environ.get("ENV_FILE")
    path = folder / ".env" if named is None else Path(named)
    if named == "" or (named is None and not path.exists()):
        return None
    try:
        # As editors save it, with a mark at its beginning or without. A $ in a password is a $.
        with path.open(encoding="utf-8-sig") as file:
            bindings = list(parse_stream(file))
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The env file {path} cannot be read: {error}") from error
    if broken := next((one for one in bindings if "\0" in one.original.string), None):
        raise ImproperlyConfigured(
            f"Line {_line_of(broken)} of the env file {path} has a null character: save it as plain "
            "text, in UTF-8."
        )
    if "DATABASE_URL" not in os.environ and (
        lost := next(filter(_loses_the_database, bindings), None)
    ):
        raise ImproperlyConfigured(
            f"Line {_line_of(lost)} of the env file {path} names a database and sets nothing. Write "
            "DATABASE_URL=… in capitals, with each quotation mark closed, also of the lines before it, or begin "
            "the line with # if it is a remark: the site must not go on with another database."
        )
    # Of a name that is there twice the last line counts, as in a shell.
    for name, value in {one.key: one.value for one in bindings if one.key}.items():
        if value is not None:
            os.environ.setdefault(name, value)
    for number in filter(None, map(_line_of_nothing, bindings)):
        sys.stderr.write(
            f"Line {number} of the env file {path} sets nothing: write NAME=value, or begin it with # "
            "if it is a remark.\n"
        )
    return path


def _loses_the_database(binding: Binding) -> bool:
    """Whether a line is about the database, but is not read as such."""
    meant = DATABASE_LINE.search(binding.original.string)
    return bool(meant) and (binding.key != "DATABASE_URL" or binding.value is None)


def _line_of_nothing(binding: Binding) -> int | None:
    """The number of a line that is no setting. Its text is not shown: it may be part of a password."""
    if not binding.error and (binding.key is None or binding.value is not None):
        return None
    return _line_of(binding)


def _line_of(binding: Binding) -> int:
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


def keep(path: Path, line: str) -> None:
    """Add ``line`` to the env file, which only its owner reads if it is new.

    :raises OSError: if it cannot be written.
    """
    opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(opened, "r+", encoding="utf-8") as file:
        text = file.read()
        begin = "" if not text or text.endswith("\n") else "\n"
        file.write(f"{begin}{line}\n")


if __name__ == "__main__":
    read_env_file(Path(__file__).resolve().parent.parent.parent)
    sys.stdout.write(os.environ.get(sys.argv[1], ""))
