"""Find PostgreSQL's own programs, of a version that understands the server."""

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
    wanted, programs = _server_version(), _programs(name)
    suitable = [version for version in programs if version >= wanted]
    if not suitable:
        raise BackupRefused(
            _(
                "No %(name)s of PostgreSQL %(version)s or newer was found. On Debian: "
                "apt install postgresql-client. Elsewhere: say in PG_BIN where it is."
            )
            % {"name": name, "version": wanted}
        )
    return str(programs[min(suitable)])


def newest_tool(name: str) -> str | None:
    """The newest there is: it reads what any older one has written. None if there is none."""
    programs = _programs(name)
    return str(programs[max(programs)]) if programs else None


def _programs(name: str) -> dict[int, Path]:
    """By version; of one version the first that is found."""
    programs: dict[int, Path] = {}
    for folder in _folders(name):
        version = _version(folder / name)
        if version is not None:
            programs.setdefault(version, folder / name)
    return programs


def _server_version() -> int:
    with connection.cursor() as cursor:
        version: int = cursor.connection.info.server_version
    return version // 10_000


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
