"""Backups of SQLite by its own online backup: a copy of one moment, with or against the traffic."""

import fcntl
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from django.db import connection
from django.utils.translation import gettext as _

from .errors import NO_BACKUP, NOT_PUT_ASIDE, BackupRefused
from .numbers import last_numbers
from .protocols import Rows, Scratch, stamp

MAGIC = b"SQLite format 3\x00"
# Folders beside the database, and in them the copy of what was there before.
SCRATCH = ".restored-"
FORMER = "former"
# The files that SQLite may keep beside a database.
BESIDE = ("-wal", "-shm", "-journal")
# How long to wait for somebody who is just saving a hand, in seconds.
PATIENCE = 60


class SqliteScratch:
    """A copy of a backup in a folder of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"sqlite:///{quote(str(path))}"

    def rows(self) -> Rows:
        with closing(_opened(self.path)) as database:
            return _rows(database)

    def migrations(self) -> set[tuple[str, str]]:
        with closing(_opened(self.path)) as database:
            if "django_migrations" not in _tables(database):
                return set()
            return set(database.execute("SELECT app, name FROM django_migrations"))

    def damage(self) -> str:
        with closing(_opened(self.path)) as database:
            try:
                [(result,), *more] = database.execute("PRAGMA integrity_check(1)").fetchall()
                orphans = database.execute("PRAGMA foreign_key_check").fetchall()
            except sqlite3.DatabaseError as error:
                return str(error)
        if result != "ok" or more:
            return str(result)
        if orphans:
            return _("%(number)s rows name others that are not there") % {"number": len(orphans)}
        return ""


class Sqlite:
    """The site's database file. There may be none yet, where a backup goes to a new machine."""

    def __init__(self) -> None:
        self.path = Path(connection.settings_dict["NAME"])

    def dump(self, path: Path) -> Rows:
        if not self.path.is_file():
            raise BackupRefused(_("There is no database %(path)s.") % {"path": self.path})
        with closing(_opened(self.path)) as live, closing(_opened(path)) as copy:
            # The rows are counted and copied in one read transaction: of one moment.
            live.execute("BEGIN DEFERRED")
            rows = _rows(live)
            live.backup(copy)
            # In a file of its own, not beside a journal.
            copy.execute("PRAGMA journal_mode=DELETE")
        return rows

    @contextmanager
    def scratch(self, path: Path) -> Iterator[SqliteScratch]:
        _require_sqlite(path)
        with self._own_folder() as folder:
            copy = folder / "club.sqlite3"
            shutil.copyfile(path, copy)
            yield SqliteScratch(copy)

    def tidy(self) -> list[str]:
        messages = []
        for folder in self.path.parent.glob(f"{SCRATCH}*"):
            with _locked(folder) as is_mine:
                if not is_mine:
                    continue  # of a process that is still at work
                messages += self._clear(folder)
        return messages

    def _clear(self, folder: Path) -> list[str]:
        """Throw ``folder`` away, but keep what was there before if it has been replaced."""
        kept = [
            self._keep(copy)
            for copy in folder.glob(f"{FORMER}.*")
            if copy.suffix == f".{_mark(self.path)}"
        ]
        shutil.rmtree(folder)
        return kept

    @contextmanager
    def _own_folder(self) -> Iterator[Path]:
        """A folder that goes away at the end; one that a killed process leaves, ``tidy`` takes away."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=self.path.parent))
            with _locked(folder) as is_mine:
                # Else somebody tidied up in the moment before it was locked.
                if is_mine and folder.exists():
                    try:
                        yield folder
                    finally:
                        self._clear(folder)
                    return

    def put_in_place(self, scratch: Scratch) -> str:
        """Keeps the live database aside and copies the scratch into it, in one transaction.

        Who saves meanwhile waits, so every hand is in one of the two. The file itself stays: running
        workers keep it open, and find the new content with their next query. Numbers that were given
        are not given again: a phone may hold a hand of a game that the backup does not have.
        """
        assert isinstance(scratch, SqliteScratch)
        connection.close()
        if self.path.is_file():
            try:
                return self._replace_content(scratch.path)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise BackupRefused(NOT_PUT_ASIDE % {"said": f"{error}."}) from error
        return self._replace_file(scratch.path)

    def _replace_file(self, whole: Path) -> str:
        """Where there is no database, or a damaged one: keep that aside, too, and what lies beside it."""
        with closing(_opened(whole)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            _go_on_after(last_numbers({}, _numbers("main", database)), database)
        whole.chmod(0o600)
        kept = self._kept_path()
        # A journal would be played into the file that comes in the place of its own.
        for ending in (*BESIDE, ""):
            with suppress(FileNotFoundError):
                os.replace(f"{self.path}{ending}", f"{kept}{ending}")
        os.replace(whole, self.path)
        return str(kept) if kept.exists() else ""

    def _replace_content(self, whole: Path) -> str:
        """:raises sqlite3.DatabaseError: if what is there is damaged; then nothing is changed."""
        # The mark is written in the same transaction. Whoever finds this copy after the process was
        # killed knows by it whether the copy is what was there before, or still what is there.
        mark = secrets.randbelow(2**31)
        former = whole.with_name(f"{FORMER}.{mark}")
        former.touch(0o600)
        with closing(_opened(self.path)) as live:
            live.execute("ATTACH ? AS restored", [str(whole)])
            live.execute("PRAGMA foreign_keys = OFF")
            live.execute("BEGIN IMMEDIATE")
            self.dump(former)
            before, restored = (_numbers(database, live) for database in ("main", "restored"))
            last = last_numbers(before, restored)
            _empty(live)
            _fill(live)
            _go_on_after(last, live)
            live.execute(f"PRAGMA main.application_id = {mark}")
            live.execute("COMMIT")
        return self._keep(former)

    def _keep(self, former: Path) -> str:
        kept = self._kept_path()
        os.replace(former, kept)
        return str(kept)

    def _kept_path(self) -> Path:
        return self.path.with_name(f"{self.path.name}.before-restore-{stamp()}")


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Whether ``folder`` belongs to this process meanwhile: the lock ends with the process."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(handle)


def _mark(path: Path) -> int | None:
    """The mark of the last restore into the database ``path``."""
    if not path.is_file():
        return None
    with closing(_opened(path)) as database:
        try:
            return int(database.execute("PRAGMA application_id").fetchone()[0])
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                return None
            raise


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is no database or a damaged one, not locked, full or read-only."""
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _empty(live: sqlite3.Connection) -> None:
    # A trigger would speak up for its rows; the indexes go with their tables.
    for kind in ("trigger", "view", "table"):
        for name, _sql in _things("main", kind, live):
            live.execute(f'DROP {kind} main."{name}"')


def _fill(live: sqlite3.Connection) -> None:
    """Everything of the attached ``restored``: rows before the triggers that guard them."""
    for name, sql in _things("restored", "table", live):
        live.execute(sql)
        live.execute(f'INSERT INTO main."{name}" SELECT * FROM restored."{name}"')
    for kind in ("index", "view", "trigger"):
        for _name, sql in _things("restored", kind, live):
            live.execute(sql)


def _numbers(database: str, live: sqlite3.Connection) -> dict[str, int]:
    """The last number that was given to a row of each table, also to one that is gone."""
    # SQLite makes this table with the first one that has such numbers.
    if not live.execute(
        f"SELECT 1 FROM {database}.sqlite_master WHERE name = 'sqlite_sequence'"
    ).fetchone():
        return {}
    return dict(live.execute(f"SELECT name, seq FROM {database}.sqlite_sequence"))


def _go_on_after(last: Mapping[str, int], live: sqlite3.Connection) -> None:
    for table in _tables(live):
        if table in last:
            live.execute("DELETE FROM main.sqlite_sequence WHERE name = ?", [table])
            live.execute("INSERT INTO main.sqlite_sequence VALUES (?, ?)", [table, last[table]])


def _things(database: str, kind: str, live: sqlite3.Connection) -> list[tuple[str, str]]:
    """Names and definitions, without what SQLite makes by itself."""
    return live.execute(
        f"SELECT name, sql FROM {database}.sqlite_master "
        "WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
        [kind],
    ).fetchall()


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)


def _tables(database: sqlite3.Connection) -> list[str]:
    return [name for name, _sql in _things("main", "table", database)]


def _rows(database: sqlite3.Connection) -> dict[str, int]:
    return {
        table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        for table in _tables(database)
    }


def _require_sqlite(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if head.startswith(b"PGDMP"):
        raise BackupRefused(
            _(
                "%(path)s is a backup of PostgreSQL, and this site’s database is SQLite. "
                "To move a club from one to the other, export it there and import it here."
            )
            % {"path": path}
        )
    if head != MAGIC:
        raise BackupRefused(NO_BACKUP % {"path": path})
