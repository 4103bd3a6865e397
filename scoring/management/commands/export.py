"""``manage.py export FILE``: the whole club as JSON lines."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.club.transfer import export_club
from scoring.management.files import STREAM, writing
from scoring.management.progress import later_progress


class Command(BaseCommand):
    help = (
        "Writes the whole club to FILE while the site runs: one moment of it, as JSON lines that "
        "import reads on SQLite and PostgreSQL alike."
    )
    requires_migrations_checks = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="packed if it ends in .gz; - is standard output"
        )
        parser.add_argument("--overwrite", action="store_true", help="take the place of FILE")

    def handle(self, *args: object, **options: Any) -> None:
        name = options["file"]
        try:
            with (
                writing(name, overwrite=options["overwrite"]) as file,
                later_progress(_("Exporting")) as begin,
            ):
                rows = export_club(file, begin).rows
        except OSError as error:
            raise CommandError(str(error), returncode=2) from error
        message = _(
            "%(name)s: %(players)s players, %(games)s games, %(hands)s hands; %(rows)s rows."
        )
        told = sys.stderr if name == STREAM else self.stdout
        told.write(
            message
            % {
                "name": name,
                "players": rows["scoring.player"],
                "games": rows["scoring.game"],
                "hands": rows["scoring.hand"],
                "rows": sum(rows.values()),
            }
            + "\n"
        )
