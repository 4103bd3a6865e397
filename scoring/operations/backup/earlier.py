"""Read earlier backups and databases, to notice that another club is meant."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import Error, connection

from scoring.models import Hand

from .postgresql_tools import newest_tool

SQLITE, POSTGRESQL = "sqlite", "postgresql"
MAGIC = {b"SQLite format 3\x00": SQLITE, b"PGDMP": POSTGRESQL}
TABLE = "scoring_hand"


@dataclass(frozen=True, slots=True)
class Former:
    """A backup or database file: of which kind, and how many hands; None if nothing here can tell."""

    path: Path
    kind: str
    hands: int | None


def last_backup(folder: Path) -> Former | None:
    """The newest backup in ``folder``."""
    return next(_backups(folder), None)


def better_known(last: Former | None) -> Former | None:
    """The ``last`` backup if the site's database can hardly be the same club's.

    That is: it has fewer hands, or is of the other kind of database.
    """
    if last is None:
        return None
    fewer = last.hands is not None and last.hands > hands_now()
    return last if fewer or last.kind != connection.vendor else None


def known_elsewhere() -> Former | None:
    """A file in ``var/`` that holds hands, while the site's database holds none."""
    if hands_now():
        return None
    own = settings.VAR_DIR / "club.sqlite3"
    in_use = connection.vendor == SQLITE and own == Path(connection.settings_dict["NAME"])
    backups = _backups(settings.VAR_DIR / "backups")
    first = [] if in_use else list(_read([own]))
    return next((backup for backup in (*first, *backups) if backup.hands), None)


def hands_now() -> int:
    """How many hands the site's database holds; 0 also where it is none of a club yet."""
    with suppress(Error):
        return Hand.objects.count()
    return 0


def _backups(folder: Path) -> Iterator[Former]:
    """The newest first."""
    with suppress(OSError):
        files = [path for path in folder.iterdir() if path.is_file()]
        yield from _read(sorted(files, key=lambda path: path.stat().st_mtime, reverse=True))


def _read(paths: list[Path]) -> Iterator[Former]:
    for path in paths:
        with suppress(OSError):
            with path.open("rb") as file:
                head = file.read(16)
            kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), "")
            if kind:
                yield Former(path, kind, _COUNT[kind](path))


def _in_sqlite(path: Path) -> int | None:
    address = f"{path.absolute().as_uri()}?mode=ro"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as database:
        return int(database.execute(f"SELECT count(*) FROM {TABLE}").fetchone()[0])
    return None


def _in_archive(path: Path) -> int | None:
    """The rows are the lines of the table's data, between COPY and a dot."""
    program = newest_tool("pg_restore")
    if program is None:
        return None
    asked = [program, "--data-only", "--table", TABLE, "--file", "-", str(path)]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as done:
        assert done.stdout is not None
        lines = iter(done.stdout)
        has_table = any(line.startswith(b"COPY ") for line in lines)
        hands = (
            sum(1 for _line in iter(lambda: next(lines, b"\\.\n"), b"\\.\n")) if has_table else 0
        )
        done.stdout.read()
    return hands if done.returncode == 0 else None


_COUNT = {SQLITE: _in_sqlite, POSTGRESQL: _in_archive}
