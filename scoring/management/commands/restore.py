"""``manage.py restore FILE``: a backup in the place of the database, which is kept beside it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.management.another_club import YES, says_yes
from scoring.management.ending import ends_tidily
from scoring.operations.backup import BackupRefused, Candidate, examined, tidy_up


class Command(BaseCommand):
    help = (
        "Puts a backup in the place of the database while the site runs. The backup is restored "
        "beside it and checked first; the database as it is now is kept under another name."
    )
    # The database may be the very thing that is broken.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", nargs="?")
        parser.add_argument(
            "--finish",
            action="store_true",
            help="only bring to an end what a restore left that was killed: let people in again, "
            "throw the copies away; does nothing otherwise",
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument(
            "--no-verify", action="store_true", help="do not work out every figure again"
        )

    def handle(self, *args: object, **options: Any) -> None:
        ends_tidily()
        if options["finish"]:
            self._finish()
        elif options["file"] is None:
            raise CommandError(_("Which backup? restore FILE"))
        else:
            self._restore(options)

    def _finish(self) -> None:
        # It comes before the site starts: a server that cannot be asked is no reason not to.
        try:
            kept = tidy_up()
        except (BackupRefused, OSError) as refusal:
            self.stderr.write(str(refusal))
            return
        for name in kept:
            self._tell_kept(name)

    def _restore(self, options: dict[str, Any]) -> None:
        try:
            with examined(options["file"], verify=not options["no_verify"]) as candidate:
                self._tell(options["file"], candidate)
                if not options["yes"]:
                    self._ask()
                kept = candidate.put_in_place()
        except (BackupRefused, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(_("Restored."))
        if kept:
            self._tell_kept(kept)

    def _tell_kept(self, kept: str) -> None:
        self.stdout.write(_("What was there before is kept as %(kept)s.") % {"kept": kept})

    def _tell(self, path: Path, candidate: Candidate) -> None:
        rows = candidate.rows
        message = _("%(path)s is whole: %(players)s players, %(games)s games, %(hands)s hands.")
        self.stdout.write(
            message
            % {
                "path": path,
                "players": rows["scoring_player"],
                "games": rows["scoring_game"],
                "hands": rows["scoring_hand"],
            }
        )
        if candidate.differences:
            warning = _("Not every figure in it is right: %s")
            self.stderr.write(warning % candidate.differences)

    def _ask(self) -> None:
        """:raises CommandError: unless the answer is yes."""
        question = _("Put it in the place of the club’s database? Type %(yes)s: ") % {"yes": YES}
        if not says_yes(question):
            raise CommandError(_("Nothing was changed."))
