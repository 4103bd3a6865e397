"""Backups of PostgreSQL by ``pg_dump``; restored into a database beside, which then takes the name."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote, urlencode

import psycopg
from django.db import connection
from django.utils.translation import gettext as _
from psycopg import sql
from psycopg.conninfo import make_conninfo

from .errors import NO_BACKUP, NOT_PUT_ASIDE, BackupRefused
from .numbers import TELLING, last_numbers
from .postgresql_tools import tool
from .protocols import Rows, Scratch, stamp

MAGIC = b"PGDMP"
LONGEST_NAME = 63  # bytes, of PostgreSQL

KNOWN = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}


class Server:
    """The server of the site, and how to reach any database on it."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.name: str = settings["NAME"]
        options = {key: value for key, value in settings["OPTIONS"].items() if key in KNOWN}
        given = {
            "user": settings["USER"],
            "password": settings["PASSWORD"],
            "host": settings["HOST"],
            "port": str(settings["PORT"]),
            **options,
        }
        self.given = {key: value for key, value in given.items() if value}

    def opened(self, name: str) -> psycopg.Connection:
        """A connection to the database ``name``.

        :raises BackupRefused: if there is none to be had.
        """
        try:
            return psycopg.connect(**self.given, dbname=name, autocommit=True)
        except psycopg.Error as error:
            sentence = _("The database server cannot be asked: %(said)s")
            raise BackupRefused(sentence % {"said": f"{error}".strip()}) from error

    def aside(self) -> psycopg.Connection:
        """A connection to another database than the site's: who is in it can rename the site's."""
        return self.opened("template1")

    def url(self, name: str) -> str:
        """The address of a database as ``DATABASE_URL`` takes it."""
        rest = dict(self.given)
        user, password, host, port = (
            quote(str(rest.pop(key, "")), safe="") for key in ("user", "password", "host", "port")
        )
        account = f"{user}:{password}" if password else user
        place = f"{host}:{port}" if port else host
        query = f"?{urlencode(rest)}" if rest else ""
        return f"postgres://{account}@{place}/{quote(name, safe='')}{query}"

    def run(self, program: str, name: str, *arguments: str) -> None:
        """Run a client program on the database ``name``.

        :raises BackupRefused: if it fails, in the words of the program.
        """
        rest = {key: value for key, value in self.given.items() if key != "password"}
        # Not on the command line, where everybody on the machine could read it.
        secret = {"PGPASSWORD": self.given["password"]} if "password" in self.given else {}
        done = subprocess.run(
            [tool(program), "--dbname", make_conninfo(**rest, dbname=name), *arguments],
            env={**os.environ, **secret}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [program])[-1]
            raise BackupRefused(
                _("%(program)s failed: %(said)s") % {"program": program, "said": last}
            )


class PostgresqlScratch:
    """A database of its own on the site's server."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.url = server.url(name)

    def rows(self) -> Rows:
        with closing(self.server.opened(self.name)) as database:
            return _rows(database)

    def migrations(self) -> set[tuple[str, str]]:
        with closing(self.server.opened(self.name)) as database:
            if "django_migrations" not in _tables(database):
                return set()
            return set(database.execute("SELECT app, name FROM django_migrations"))

    def damage(self) -> str:
        """Always empty: restoring stops at the first constraint that fails, so none does here."""
        return ""


class Postgresql:
    """The site's database on its server."""

    def __init__(self) -> None:
        self.server = Server(connection.settings_dict)

    def dump(self, path: Path) -> Rows:
        with closing(self.server.opened(self.server.name)) as live:
            live.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            (snapshot,) = _one_row(live, "SELECT pg_export_snapshot()")
            rows = _rows(live)
            self.server.run(
                "pg_dump", self.server.name,
                "--format=custom", f"--snapshot={snapshot}", f"--file={path}",
            )  # fmt: skip
        return rows

    @contextmanager
    def scratch(self, path: Path) -> Iterator[PostgresqlScratch]:
        _require_archive(path)
        name = f"{self._scratch_prefix}{stamp()}"
        with closing(self.server.aside()) as aside:
            _is_mine(aside, name)
            try:
                _create(aside, name, like=self.server.name)
                self.server.run(
                    "pg_restore", name,
                    "--no-owner", "--no-privileges", "--exit-on-error", str(path),
                )  # fmt: skip
                yield PostgresqlScratch(self.server, name)
            finally:
                # Gone already, if it has taken the place of the site's.
                _drop(aside, name)

    def put_in_place(self, scratch: Scratch) -> str:
        """Renames both databases: at once, and without losing a hand that was saved until then.

        Numbers that were given are not given again: a phone may hold a hand of a game that the
        backup does not have. Workers lose their connection and make another one; a request that is
        just being answered fails, and is sent again.
        """
        assert isinstance(scratch, PostgresqlScratch)
        live = self.server.name
        kept = f"{self._kept_prefix}{stamp()}"
        connection.close()
        with closing(self.server.aside()) as aside:
            if not _is_mine(aside, live):
                raise BackupRefused(_("Another restore is under way. Nothing was changed."))
            try:
                numbers = self._close(aside)
                with closing(self.server.opened(scratch.name)) as restored:
                    telling = [f"{table}_id_seq" for table in TELLING]
                    _go_on_after(last_numbers(numbers, _numbers(restored), telling), restored)
                with aside.transaction():
                    _rename(aside, live, kept)
                    _rename(aside, scratch.name, live)
            except psycopg.Error as error:
                raise BackupRefused(NOT_PUT_ASIDE % {"said": f"{error}".strip()}) from error
            finally:
                # Over a connection of its own: Ctrl-C or the server may have ended the other one.
                # Where there is none to be had, the next start of the site does it.
                with suppress(BackupRefused):
                    self._reopen()
        return kept

    def tidy(self) -> list[str]:
        messages = []
        with closing(self.server.aside()) as aside:
            if not _is_mine(aside, self.server.name):
                return []  # another process is just putting a database in place
            messages = self._reopen()
            for name in _databases(aside, self._scratch_prefix):
                if _is_mine(aside, name):
                    _drop(aside, name)
        return messages

    def _close(self, aside: psycopg.Connection) -> dict[str, int]:
        """Let nobody into the site's database any more; returns the last number that each sequence gave."""
        live = self.server.name
        with ExitStack() as end:
            last = None
            with suppress(BackupRefused):  # it may be what is broken
                last = end.enter_context(closing(self.server.opened(live)))
            _admit(aside, live, False)
            aside.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = %s AND pid <> %s",
                [live, last.info.backend_pid if last else 0],
            )
            return _numbers(last) if last else {}

    @property
    def _scratch_prefix(self) -> str:
        return f"{self.server.name[:30]}.restored-"

    @property
    def _kept_prefix(self) -> str:
        ending = ".before-restore-"
        return self.server.name[: LONGEST_NAME - len(ending) - len(stamp())] + ending

    def _reopen(self) -> list[str]:
        """Let people in again, whatever was closed; returns the former databases among it."""
        with closing(self.server.aside()) as aside:
            closed = aside.execute(
                "SELECT datname FROM pg_database WHERE NOT datallowconn "
                "AND (datname = %s OR starts_with(datname, %s))",
                [self.server.name, self._kept_prefix],
            ).fetchall()
            for (name,) in closed:
                _admit(aside, name, True)
        return [name for (name,) in closed if name != self.server.name]


def _one_row(
    database: psycopg.Connection,
    query: LiteralString | sql.Composed,
    values: Sequence[str] | None = None,
) -> tuple[Any, ...]:
    """The only row that ``query`` finds."""
    (row,) = database.execute(query, values).fetchall()
    return row


def _is_mine(aside: psycopg.Connection, name: str) -> bool:
    """Claim what is done with the database ``name``: False if another connection has claimed it."""
    claim = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
    (claimed,) = _one_row(aside, claim, [f"mahjong {name}"])
    return bool(claimed)


def _databases(aside: psycopg.Connection, prefix: str) -> list[str]:
    rows = aside.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix])
    return [name for (name,) in rows.fetchall()]


def _drop(aside: psycopg.Connection, name: str) -> None:
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
    aside.execute(drop.format(sql.Identifier(name)))


def _create(aside: psycopg.Connection, name: str, *, like: str) -> None:
    encoding, collate, ctype = _one_row(
        aside,
        "SELECT pg_encoding_to_char(encoding), datcollate, datctype "
        "FROM pg_database WHERE datname = %s",
        [like],
    )
    create = sql.SQL(
        "CREATE DATABASE {} TEMPLATE template0 ENCODING {} LC_COLLATE {} LC_CTYPE {}"
    ).format(sql.Identifier(name), sql.Literal(encoding), sql.Literal(collate), sql.Literal(ctype))
    try:
        aside.execute(create)
    except psycopg.errors.InsufficientPrivilege as error:
        raise BackupRefused(
            _(
                "The database account may not create a scratch database, so no backup can be checked. "
                "Let it: ALTER ROLE … CREATEDB."
            )
        ) from error


def _rename(aside: psycopg.Connection, old: str, new: str) -> None:
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    aside.execute(rename.format(sql.Identifier(old), sql.Identifier(new)))


def _admit(aside: psycopg.Connection, name: str, admit: bool) -> None:
    alter = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    aside.execute(alter.format(sql.Identifier(name), sql.Literal(admit)))


def _numbers(database: psycopg.Connection) -> dict[str, int]:
    """The last number that each sequence has given."""
    return dict(
        database.execute(
            "SELECT sequencename, last_value FROM pg_sequences "
            "WHERE schemaname = current_schema() AND last_value IS NOT NULL"
        )
    )


def _go_on_after(numbers: Mapping[str, int], database: psycopg.Connection) -> None:
    for name, last in numbers.items():
        database.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, %s) "
            "FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = %s",
            [last, name],
        )


def _tables(database: psycopg.Connection) -> list[str]:
    rows = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    return [name for (name,) in rows]


def _rows(database: psycopg.Connection) -> dict[str, int]:
    count = sql.SQL("SELECT count(*) FROM {}")
    return {
        table: _one_row(database, count.format(sql.Identifier(table)))[0]
        for table in _tables(database)
    }


def _require_archive(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(16)
    if head.startswith(b"SQLite format 3"):
        raise BackupRefused(
            _(
                "%(path)s is a backup of SQLite, and this site’s database is PostgreSQL. "
                "To move a club from one to the other, export it there and import it here."
            )
            % {"path": path}
        )
    if not head.startswith(MAGIC):
        raise BackupRefused(NO_BACKUP % {"path": path})
