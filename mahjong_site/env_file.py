"""The one file of settings: read by every command, by ``make`` and by the server.

``python -m mahjong_site.env_file NAME`` prints a setting, for ``make``: nothing if nobody set it.
"""

import os
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from dotenv import dotenv_values


def read_env_file(folder: Path) -> Path | None:
    """Take over what the environment does not say from the file that ``ENV_FILE`` names.

    Without that variable it is ``.env`` in ``folder``, if there is one. Empty: none is read.

    :raises ImproperlyConfigured: if it cannot be read.
    """
    named = os.environ.get("ENV_FILE")
    path = folder / ".env" if named is None else Path(named)
    if named == "" or (named is None and not path.exists()):
        return None
    try:
        # As editors save it, with a mark at its beginning or without. A $ in a password is a $.
        with path.open(encoding="utf-8-sig") as file:
            said = dotenv_values(stream=file, interpolate=False)
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The env file {path} cannot be read: {error}") from error
    for name, value in said.items():
        if value is not None:
            os.environ.setdefault(name, value)
    return path


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
    read_env_file(Path(__file__).resolve().parent.parent)
    sys.stdout.write(os.environ.get(sys.argv[1], ""))
