"""Say in words which database is meant, before anything is done to it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

SUPPORTED = ("sqlite3", "postgresql")
# Whatever is not listed is taken to ask the database, and says which one.
WITHOUT_DATA = frozenset(
    [
        "check",
        "collectstatic",
        "compilemessages",
        "diffsettings",
        "findstatic",
        "help",
        "makemessages",
        "runserver",
        "score",
        "time_zone",
        "spectacular",
        "startapp",
        "startproject",
        "test",
        "version",
    ]
)
# How "make" calls what it needs beside "migrate", which has named the database by then.
OF_A_START = frozenset(["--finish", "--if-empty", "--beside", "--starting"])


def asks_the_database(arguments: Sequence[str]) -> bool:
    """Whether ``manage.py`` with ``arguments`` (without its own name) names the database that it asks."""
    command = arguments[0] if arguments else "help"
    if command.startswith("-") or {"-h", "--help", "--version", *OF_A_START} & set(arguments):
        return False
    return command not in WITHOUT_DATA


def require_supported(database: Mapping[str, Any]) -> None:
    """:raises ImproperlyConfigured: for a kind of database on which the site does not run."""
    kind = database.get("ENGINE", "").rpartition(".")[2]
    if kind not in SUPPORTED:
        raise ImproperlyConfigured(
            f"DATABASE_URL names a database of the kind {kind or 'unknown'}: the site runs on SQLite and "
            "PostgreSQL, such as sqlite:////srv/club.sqlite3 or postgres://user:password@host/name."
        )


def in_words(database: Mapping[str, Any]) -> str:
    """``database`` as a setting has it, without its password."""
    if database["ENGINE"].endswith("sqlite3"):
        path = Path(database["NAME"])
        return f"SQLite, {path}" if path.exists() else f"SQLite, {path} (new)"
    host, port = database.get("HOST") or "this machine", database.get("PORT")
    place = f"{host}:{port}" if port else host
    user = f" as {database['USER']}" if database.get("USER") else ""
    kind = database["ENGINE"].rpartition(".")[2].replace("postgresql", "PostgreSQL")
    return f"{kind}, {database['NAME']} at {place}{user}"
