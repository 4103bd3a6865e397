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
from itertools import count
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import pytest

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


def _programs() -> dict[str, str]:
    try:
        return {"PG_BIN": str(usable_binaries(server_user()))}
    except NoPostgres:
        return {}


@contextmanager
def new_site(folder: Path, like: Site | None = None) -> Iterator[Site]:
    """A site with an empty database, or with a copy of the one of ``like``."""
    server = os.environ.get("TEST_DATABASE_URL")
    if server is None:
        site = Site(f"sqlite:///{folder / 'site.sqlite3'}", folder)
        if like is not None:
            shutil.copyfile(like.path, site.path)
        yield site
        return
    name = f"site_{os.getpid()}_{next(_numbers)}"
    template = like.name if like else "template0"
    with psycopg.connect(server, autocommit=True) as aside:
        aside.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield Site(str(urlsplit(server)._replace(path=f"/{name}").geturl()), folder)
        finally:
            for (database,) in aside.execute(
                "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [name]
            ).fetchall():
                aside.execute(f'DROP DATABASE "{database}" WITH (FORCE)')


@pytest.fixture(scope="session")
def migrated_site(tmp_path_factory) -> Iterator[Site]:
    """A site without a club; never change it, copy it: ``empty_site``."""
    with new_site(tmp_path_factory.mktemp("migrated_site")) as site:
        site.must("migrate", "--verbosity", "0")
        yield ready_to_be_copied(site)


@pytest.fixture(scope="session")
def demo_site(migrated_site, tmp_path_factory) -> Iterator[Site]:
    """A small club that has played; never change it, copy it: ``site``."""
    with new_site(tmp_path_factory.mktemp("demo_site"), like=migrated_site) as site:
        site.must("demo", "--hands", "60", "--players", "8", "--leagues", "1")
        yield ready_to_be_copied(site)


def ready_to_be_copied(site: Site) -> Site:
    if site.url.startswith("sqlite"):
        # In one file.
        site.ask("PRAGMA wal_checkpoint(TRUNCATE)")
    return site


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
