"""``manage.py import FILE``: a club that was exported, into an empty database."""  # noqa: N999

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.club.transfer import TransferRefused, import_club
from scoring.club.verify import verify
from scoring.management.files import reading
from scoring.management.progress import later_progress, progress

DIFFERS, REFUSED = 1, 2


class Command(BaseCommand):
    help = (
        "Takes in a club that export wrote: all of it or nothing, into an empty database only; then "
        "verifies it. Exit code: 1 if a figure in it is not right, 2 if nothing was imported."
    )
    requires_migrations_checks = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="packed if it ends in .gz; - is standard input"
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            with reading(options["file"]) as file, later_progress(_("Importing")) as begin:
                rows = import_club(file, begin)
        except (TransferRefused, OSError) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        message = _(
            "Imported %(players)s players, %(games)s games, %(hands)s hands; %(rows)s rows."
        )
        self.stdout.write(
            message
            % {
                "players": rows["scoring.player"],
                "games": rows["scoring.game"],
                "hands": rows["scoring.hand"],
                "rows": sum(rows.values()),
            }
        )
        self._verify(rows["scoring.hand"])

    def _verify(self, hands: int) -> None:
        with progress(_("Checking hands"), hands) as advance:
            found = sum(1 for _difference in verify(advance))
        if found:
            sentence = _(
                "The club is as it was exported, but not every figure in it is right (differences: "
                "%(found)s): see manage.py verify."
            )
            self.stderr.write(sentence % {"found": found})
            sys.exit(DIFFERS)
        self.stdout.write(_("Every figure comes out again."))
