"""The sections that need a club, at a throw-away one: ``python -m tests.bench`` runs this.

The database is the one of ``DATABASE_URL``; a test database is made beside it (for SQLite, a temporary
file) and dropped at the end, so that no club is ever touched. SQLite commits as it does at a club.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import django
from django.db import connection


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("sections", nargs="+")
    parser.add_argument("--hands", type=int, required=True)
    arguments = parser.parse_args()
    django.setup()
    with TemporaryDirectory(prefix="bench-") as folder:
        if connection.vendor == "sqlite":
            connection.settings_dict["TEST"]["NAME"] = str(Path(folder) / "club.sqlite3")
        before = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            measure(arguments.sections, arguments.hands)
        finally:
            connection.creation.destroy_test_db(before, verbosity=0)


def measure(sections: list[str], hands: int) -> None:
    from tests.bench import correcting, crowd, pages, saving, verifying

    begin = perf_counter()
    club = crowd.gather(hands)
    say(f"\n{server()}: {club} ({perf_counter() - begin:.0f} s to fill).")
    for name, section in (
        ("saving", saving),
        ("correcting", correcting),
        ("pages", pages),
        ("verifying", verifying),
    ):
        if name in sections:
            say(section.run())


def server() -> str:
    """The database and how it commits."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous")
            synchronous = ("OFF", "NORMAL", "FULL")[cursor.fetchone()[0]]
            return f"SQLite {connection.Database.sqlite_version}, synchronous={synchronous}"
        cursor.execute("SELECT current_setting('server_version'), current_setting('fsync')")
        version, fsync = cursor.fetchone()
        return f"PostgreSQL {version}, fsync={fsync}"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
