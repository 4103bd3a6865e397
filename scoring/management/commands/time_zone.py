"""``manage.py time_zone``: asks on whose clock the club plays, once, at the first run."""

import os
import select
import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _
from environs import ValidationError

from scoring.site.club_time import known_time_zone
from scoring.site.env_file import keep

# Whoever started the site and went away finds it running.
SECONDS = 60
MACHINE = Path("/etc/localtime")


class Command(BaseCommand):
    help = (
        "Asks for the club's time zone, unless TIME_ZONE says it or nobody is there to be asked, and "
        "keeps the answer in the env file."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        # With an empty ENV_FILE no file is read: an answer would be asked for again each time.
        kept_nowhere = os.environ.get("ENV_FILE") == ""
        if "TIME_ZONE" in os.environ or kept_nowhere or not sys.stdin.isatty():
            return
        zone = self._asked(machine_zone())
        if not zone:
            self.stdout.write(_("The club’s clock is %(zone)s.") % {"zone": settings.TIME_ZONE})
            return
        path = Path(os.environ.get("ENV_FILE") or settings.BASE_DIR / ".env")
        try:
            keep(path, f"TIME_ZONE={zone}")
        except OSError as error:
            message = _("It cannot be kept in %(path)s (%(why)s): set TIME_ZONE=%(zone)s yourself.")
            self.stderr.write(message % {"path": path, "why": error.strerror, "zone": zone})
        else:
            self.stdout.write(_("Kept in %(path)s.") % {"path": path})

    def _asked(self, suggested: str) -> str:
        """A time zone; empty if nobody answers."""
        question = _("In which time zone does the club play? Enter is %(zone)s: ")
        while True:
            self.stdout.write(question % {"zone": suggested}, ending="")
            self.stdout.flush()
            if not select.select([sys.stdin], [], [], SECONDS)[0]:
                self.stdout.write("")
                return ""
            line = sys.stdin.readline()
            if not line:
                return ""
            zone = line.strip() or suggested
            try:
                known_time_zone(zone)
            except ValidationError:
                message = _("No clock runs by “%(zone)s”. Write it as Europe/Amsterdam.")
                self.stdout.write(message % {"zone": zone})
            else:
                return zone


def machine_zone() -> str:
    """The time zone of this machine, as far as it says one by name; else that of the settings."""
    _folders, marker, zone = str(MACHINE.resolve()).partition("/zoneinfo/")
    try:
        known_time_zone(zone)
    except ValidationError:
        marker = ""
    return zone if marker else settings.TIME_ZONE
