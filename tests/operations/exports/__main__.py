"""Writes the file that is kept of the format of today."""

import os
import sys
import tempfile
from pathlib import Path

import django


def write() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'club.sqlite3'}"
        os.environ["DJANGO_SETTINGS_MODULE"] = "mahjong_site.settings"
        django.setup()
        from django.core.management import call_command

        from scoring.operations.dump.content import VERSION
        from tests.operations.storied import make_storied_club

        from . import kept_file

        path = kept_file(VERSION)
        if path.exists():
            sys.exit(f"{path} is there already: a format that was released never changes.")
        call_command("migrate", verbosity=0)
        make_storied_club()
        call_command("verify")
        call_command("export", str(path))


if __name__ == "__main__":
    write()
