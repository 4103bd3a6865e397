"""Where PostgreSQL's own programs are, of a version that understands the server."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from django.db import connection
from django.utils.translation import gettext as _

from .errors import BackupRefused

PATTERNS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/*pq*/bin",
            "/opt/homebrew/opt/postgresql*/bin")  # fmt: skip


def tool(name: str) -> str:
    """The path of ``pg_dump`` or ``pg_restore``: of the server's version, or the next newer one.

    They are looked for in ``PG_BIN``, where packages put them, and in ``PATH``.

    :raises BackupRefused: if there is none.
    """
    return _tool(name, _server_version())


def any_tool(name: str) -> str:
    """The oldest there is, for what needs no server.

    :raises BackupRefused: if there is none.
    """
    return _tool(name, 0)


def _tool(name: str, wanted: int) -> str:
    found = {}
    for folder in _folders(name):
        version = _version(folder / name)
        if version is not None and version >= wanted:
            found.setdefault(version, folder / name)
    if not found:
        raise BackupRefused(
            _(
                "No %(name)s of PostgreSQL %(version)s or newer was found. On Debian: "
                "apt install postgresql-client. Elsewhere: say in PG_BIN where it is."
            )
            % {"name": name, "version": wanted}
        )
    return str(found[min(found)])


def _server_version() -> int:
    with connection.cursor():
        return connection.pg_version // 10_000


def _folders(name: str) -> Iterator[Path]:
    if named := os.environ.get("PG_BIN"):
        yield Path(named)
    for pattern in PATTERNS:
        yield from map(Path, sorted(glob(pattern)))
    if on_path := shutil.which(name):
        yield Path(on_path).parent


def _version(program: Path) -> int | None:
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    match = re.search(r"\) (\d+)", asked.stdout)
    return int(match[1]) if match else None
