"""Whole sites beside the tests: a database of their own, commands in processes of their own.

For what must not happen to the tests' database: restoring a backup into it, killing its server.
A site is on SQLite or PostgreSQL as the run is; mark such tests with both ``sqlite`` and
``postgresql``.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import pytest

from tests.support.once import common_folder, one_worker_at_a_time
from tests.support.postgres import NoPostgres, server_user, usable_binaries
from tests.support.processes import run_script

ROOT = Path(__file__).parent.parent.parent
SECONDS = 300

_numbers = count(1)


@dataclass(frozen=True)
class Site:
    """A club's site: its database at ``url``, ``folder`` for whatever belongs to it."""

    url: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "DATABASE_URL": self.url,
            "ENV_FILE": "",
            "VAR_DIR": str(self.folder / "var"),
            "DJANGO_SETTINGS_MODULE": "mahjong_site.settings",
            "SECRET_KEY": "of a site that is thrown away after the test",
        }
        return {**os.environ, **own, **_programs()}

    def manage(self, *arguments: object, say: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the site; ``say`` is typed into it."""
        return run_script(
            ROOT / "manage.py", [*map(str, arguments)],
            cwd=self.folder, env=self.environment, say=say, timeout=SECONDS,
        )  # fmt: skip

    def must(self, *arguments: object, say: str = "") -> str:
        """What a command says that has to succeed."""
        done = self.manage(*arguments, say=say)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def ask(self, query: str) -> list[tuple]:
        """The rows of ``query``; what it changes, stays."""
        with closing(self._connection()) as database:
            cursor = database.execute(query)
            rows = cursor.fetchall() if cursor.description else []
            database.commit()
        return [tuple(row) for row in rows]

    @property
    def path(self) -> Path:
        """The file of a SQLite site."""
        return Path(unquote(self.url.removeprefix("sqlite:///")))

    @property
    def name(self) -> str:
        """The database of a PostgreSQL site."""
        return unquote(urlsplit(self.url).path[1:])

    def _connection(self):
        if self.url.startswith("sqlite"):
            return sqlite3.connect(self.path, timeout=60)
        return psycopg.connect(self.url)


@cache
def _programs() -> dict[str, str]:
    try:
        return {"PG_BIN": str(usable_binaries(server_user()))}
    except NoPostgres:
        return {}


def site_of(database: str, folder: Path) -> Site:
    """The site whose database is this file, or has this name on PostgreSQL."""
    server = os.environ.get("TEST_DATABASE_URL")
    if server is None:
        return Site(f"sqlite:///{database}", folder)
    return Site(str(urlsplit(server)._replace(path=f"/{database}").geturl()), folder)


@contextmanager
def new_site(folder: Path, like: Site | None = None) -> Iterator[Site]:
    """A site with an empty database, or with a copy of the one of ``like``."""
    if "TEST_DATABASE_URL" not in os.environ:
        yield file_site(folder / "site.sqlite3", like)
        return
    name = f"site_{os.getpid()}_{next(_numbers)}"
    with server_connection() as aside:
        create_database(aside, name, like)
        try:
            yield site_of(name, folder)
        finally:
            for (database,) in aside.execute(
                "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [name]
            ).fetchall():
                aside.execute(f'DROP DATABASE "{database}" WITH (FORCE)')


def file_site(path: Path, like: Site | None) -> Site:
    if like is not None:
        shutil.copyfile(like.path, path)
    return site_of(str(path), path.parent)


def server_connection() -> psycopg.Connection:
    return psycopg.connect(os.environ["TEST_DATABASE_URL"], autocommit=True)


def create_database(server: psycopg.Connection, name: str, like: Site | None) -> None:
    template = like.name if like else "template0"
    server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


@pytest.fixture(scope="session")
def migrated_site(migrated_database, tmp_path_factory) -> Site:
    """A site without a club; never change it, copy it: ``empty_site``."""
    return site_of(str(migrated_database), tmp_path_factory.mktemp("migrated_site"))


@pytest.fixture(scope="session")
def demo_site(request, migrated_site, tmp_path_factory) -> Site:
    """A small club that has played, one for all workers; never change it, copy it: ``site``."""
    folder = common_folder(request.config, tmp_path_factory)
    finished = folder / "demo_site"
    with one_worker_at_a_time(folder):
        if not finished.exists():
            site = lasting_copy(migrated_site, folder)
            site.must("demo", "--hands", "60", "--players", "8", "--leagues", "1")
            if site.url.startswith("sqlite"):
                site.ask("PRAGMA wal_checkpoint(TRUNCATE)")  # all of it in one file
            finished.write_text(site.url)
    return Site(finished.read_text(), folder)


def lasting_copy(like: Site, folder: Path) -> Site:
    """One that other workers can use; the server goes away with its database."""
    if "TEST_DATABASE_URL" not in os.environ:
        return file_site(folder / "demo_site.sqlite3", like)
    with server_connection() as server:
        create_database(server, "demo_site", like)
    return site_of("demo_site", folder)


@pytest.fixture
def empty_site(migrated_site, tmp_path_factory) -> Iterator[Site]:
    """A site without a club, for one test, beside that of ``site``."""
    with new_site(tmp_path_factory.mktemp("empty_site"), like=migrated_site) as site:
        yield site


@pytest.fixture
def site(demo_site, tmp_path) -> Iterator[Site]:
    """A small club that has played, for one test."""
    with new_site(tmp_path, like=demo_site) as site:
        yield site
