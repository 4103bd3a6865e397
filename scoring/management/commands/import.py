"""``manage.py import FILE``: a club that was exported, or hands as CSV."""  # noqa: N999

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from scoring.management.club_command import ClubCommand
from scoring.management.files import as_text, is_sheet, reading
from scoring.management.leagues import add_league, chosen_league
from scoring.management.progress import later_progress, progress
from scoring.management.rows import rows_in_words
from scoring.models import is_organiser
from scoring.models.roles import organisers
from scoring.operations.csv import Logged, SheetRefused, log_hands, read_rows
from scoring.operations.dump import LEFT_PASSWORD, TransferRefused, import_club
from scoring.operations.verify import unchecked_in_words, verify

DIFFERS, REFUSED = 1, 2
SHOWN = 20


class Command(ClubCommand):
    help = (
        "Takes in a club that export wrote: all of it or nothing, into an empty database only; then "
        "verifies it. From FILE.csv it logs hands beside what the club holds: all or none. Exit "
        "code: 1 if a figure in the club is not right, 2 if nothing was imported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="packed if it ends in .gz; - is standard input"
        )
        parser.add_argument(
            "--csv", action="store_true", help="hands as CSV, whatever FILE is called"
        )
        add_league(parser, "with CSV: where all the hands belong, whatever the rows say")
        parser.add_argument(
            "--create-players",
            action="store_true",
            help="with CSV: add unknown names as new players",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="with CSV: check everything, store nothing"
        )
        parser.add_argument(
            "--by",
            metavar="USERNAME",
            help="with CSV: the organiser who has logged the hands (default: the first)",
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            if options["csv"] or is_sheet(options["file"]):
                self._hands(options)
            else:
                self._club(options)
        except (SheetRefused, TransferRefused, OSError) as refusal:
            raise CommandError(_shown(refusal), returncode=REFUSED) from refusal

    def _club(self, options: dict[str, Any]) -> None:
        chosen_league(options, sheet=False)
        with reading(options["file"]) as file, later_progress(_("Importing")) as begin:
            rows = import_club(file, begin)
        done = _("Imported.")
        self.stdout.write(f"{done} {rows_in_words(rows)}")
        self._tell_passwords()
        self._verify(rows["scoring.hand"])

    def _tell_passwords(self) -> None:
        """Name the accounts whose second factor, and with it the password, stayed behind."""
        names = User.objects.filter(password=LEFT_PASSWORD)
        if count := names.count():
            shown = list(names.order_by("username").values_list("username", flat=True)[:SHOWN])
            sentence = _(
                "Accounts without a password: %(count)s (%(names)s). Second factors are not in the "
                "file, nor are the passwords of accounts that had one. Each gets a new password: by "
                "mail, by an organiser’s link, or by manage.py changepassword NAME. Then its person "
                "sets up the second factor again."
            )
            names_shown = ", ".join(shown) + (", …" if count > len(shown) else "")
            self.stdout.write(sentence % {"count": count, "names": names_shown})

    def _verify(self, hands: int) -> None:
        unchecked: list[str] = []
        with progress(_("Checking hands"), hands) as advance:
            differences = sum(1 for _difference in verify(advance, unchecked.append))
        for sentence in unchecked_in_words(unchecked):
            self.stdout.write(sentence)
        if differences:
            sentence = _(
                "The club is as it was exported, but not every figure in it is right (differences: "
                "%(found)s): see manage.py verify."
            )
            self.stderr.write(sentence % {"found": differences})
            sys.exit(DIFFERS)
        self.stdout.write(
            _("Every other figure comes out again.")
            if unchecked
            else _("Every figure comes out again.")
        )

    def _hands(self, options: dict[str, Any]) -> None:
        league, by = chosen_league(options, sheet=True), _organiser(options["by"])
        dry_run = options["dry_run"]
        with (
            reading(options["file"]) as file,
            as_text(file) as text,
            later_progress(_("Logging")) as begin,
        ):
            logged = log_hands(
                read_rows(text),
                begin,
                by=by,
                league=league,
                create_players=options["create_players"],
                dry_run=dry_run,
            )
        self.stdout.write(_in_words(logged, dry_run=dry_run))


def _in_words(logged: Logged, *, dry_run: bool) -> str:
    begin = _("Nothing is wrong, and nothing was stored.") if dry_run else _("Logged.")
    message = _("Games: %(games)s. Hands: %(hands)s. New players: %(players)s.")
    return f"{begin} {message % asdict(logged)}"


def _organiser(username: str | None) -> User:
    """Whoever logs the hands.

    :raises CommandError: if there is nobody, or they may not.
    """
    if username is None:
        organiser = organisers().order_by("pk").first()
        sentence = _("There is no organiser yet: make one with manage.py createsuperuser.")
    else:
        organiser = User.objects.filter(username=username).first()
        sentence = _("--by: there is no organiser “%(username)s”.") % {"username": username}
    if organiser is None or not is_organiser(organiser):
        raise CommandError(sentence, returncode=REFUSED)
    return organiser


def _shown(refusal: Exception) -> str:
    """What is wrong, but not the thousandth row."""
    sentences = refusal.sentences if isinstance(refusal, SheetRefused) else [str(refusal)]
    shown = sentences[:SHOWN]
    if more := len(sentences) - SHOWN:
        shown += [_("… and %(more)s more") % {"more": more}] if more > 0 else []
    return "\n".join([*shown, _("Nothing was imported.")])
