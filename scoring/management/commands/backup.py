"""``manage.py backup FILE``: the whole database in one file, checked by restoring it."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.management.another_club import ask_whether_meant
from scoring.management.club_command import ClubCommand
from scoring.management.ending import ends_tidily
from scoring.operations.backup import (
    BackupRefused,
    better_known,
    known_elsewhere,
    last_backup,
    make_backup,
)


class Command(ClubCommand):
    help = (
        "Backs up the database while the site runs: a copy of SQLite, an archive of pg_dump. The "
        "file appears once it has been restored beside the club's database and found to be whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            metavar="FILE",
            nargs="?",
            help="default: named by the moment, in backups/ beside the database of make run",
        )
        parser.add_argument(
            "--no-verify",
            action="store_true",
            help="compare the rows of every table, but do not work out every figure again",
        )
        parser.add_argument("--overwrite", action="store_true", help="overwrite FILE")
        parser.add_argument(
            "--yes",
            action="store_true",
            help="do not ask, also if the last backup there holds more hands or is of another database",
        )

    def handle(self, *args: object, **options: Any) -> None:
        ends_tidily()
        started = time.monotonic()
        path, verify = options["file"] or _named_by_the_moment(), not options["no_verify"]
        if not options["yes"]:
            self._compare(path.parent)
        try:
            made = make_backup(path, verify=verify, overwrite=options["overwrite"])
        except (BackupRefused, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        message = _(
            "%(path)s: %(hands)s hands, %(size)s, restored and checked in %(seconds)s seconds."
        )
        self.stdout.write(
            message
            % {
                "path": made.path,
                "hands": made.rows.get("scoring_hand", 0),
                "size": filesizeformat(made.size).replace("\xa0", " "),
                "seconds": f"{time.monotonic() - started:.1f}",
            }
        )
        if made.differences:
            warning = _("The backup is whole, but not every figure in the club is right: %s")
            self.stderr.write(warning % made.differences)

    def _compare(self, folder: Path) -> None:
        """Ask, if another club seems to be meant than that of the backups in ``folder``."""
        last = last_backup(folder)
        asked = better_known(last) or known_elsewhere()
        if asked is None and last is not None and last.hands is None:
            message = _("How many hands %(path)s holds cannot be told here: nothing is compared.")
            self.stderr.write(message % {"path": last.path})
        ask_whether_meant(asked, self.stderr)


def _named_by_the_moment() -> Path:
    moment = timezone.localtime().strftime("%Y%m%d-%H%M%S")
    return settings.VAR_DIR / "backups" / f"club-{moment}.backup"
