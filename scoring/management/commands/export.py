"""``manage.py export FILE``: the whole club as JSON lines, or its hands as CSV."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from scoring.management.club_command import ClubCommand
from scoring.management.files import STREAM, ByteStream, as_text, is_sheet, writing
from scoring.management.leagues import add_league, chosen_league
from scoring.management.progress import Advance, later_progress
from scoring.management.rows import rows_in_words
from scoring.models import League
from scoring.operations.csv import write_hands
from scoring.operations.dump import export_club

Begin = Callable[[int], Advance]


class Command(ClubCommand):
    help = (
        "Writes the whole club to FILE while the site runs: one moment of it, as JSON lines that "
        "import reads on SQLite and PostgreSQL alike. To FILE.csv it writes the hands that stand, "
        "one row a hand."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="packed if it ends in .gz; - is standard output"
        )
        parser.add_argument(
            "--csv", action="store_true", help="hands as CSV, whatever FILE is called"
        )
        add_league(parser, "with CSV: only the hands of this league")
        parser.add_argument("--overwrite", action="store_true", help="overwrite FILE")

    def handle(self, *args: object, **options: Any) -> None:
        name = options["file"]
        sheet = options["csv"] or is_sheet(name)
        league = chosen_league(options, sheet=sheet)
        try:
            with (
                writing(name, overwrite=options["overwrite"]) as file,
                later_progress(_("Exporting")) as begin,
            ):
                summary = _hands(file, begin, league) if sheet else _club(file, begin)
        except BrokenPipeError:
            raise  # nobody reads on: the program ends as others do
        except OSError as error:
            raise CommandError(str(error), returncode=2) from error
        output = sys.stderr if name == STREAM else self.stdout
        output.write(f"{name}: {summary}\n")


def _club(file: ByteStream, begin: Begin) -> str:
    return rows_in_words(export_club(file, begin).rows)


def _hands(file: ByteStream, begin: Begin, league: League | None) -> str:
    with as_text(file) as text:
        return _("Hands: %(hands)s.") % {"hands": write_hands(text, begin, league)}
