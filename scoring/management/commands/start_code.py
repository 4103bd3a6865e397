"""``manage.py start_code``: the address at which an empty club is set up, with its code."""

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from scoring.management.club_command import ClubCommand
from scoring.management.migrated import require_applied
from scoring.services.first_run import new_code
from scoring.site.addresses import address, https_origins


class Command(ClubCommand):
    help = (
        "Prints the address at which a club without accounts is set up, with a new code; codes that "
        "were printed before end. Says that the club is set up already once there is an account."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        # As make run and make serve have them: of the environment or the env file.
        host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
        parser.add_argument(
            "--starting", action="store_true", help="as make calls it, which has named the database"
        )
        parser.add_argument("host", nargs="?", default=host, help="default: %(default)s")
        parser.add_argument("port", nargs="?", type=int, default=port, help="default: %(default)s")

    def require_database(self, options: dict[str, Any]) -> None:
        require_applied()  # a site starts after a step back, too

    def handle(self, *args: object, host: str, port: int, **options: Any) -> None:
        code = new_code()
        if not code:
            self.stdout.write(_("This club is set up already: whoever has an account signs in."))
            return
        path = f"{reverse('start')[1:]}?{urlencode({'code': code})}"
        self.stdout.write(_("Nobody has an account here yet. To set the club up, open:"))
        for base in _bases(host, port):
            self.stdout.write(f"  {base}{path}")


def _bases(host: str, port: int) -> list[str]:
    """Where browsers find the site: by its https names, else on this machine or ``host``."""
    named = https_origins(settings.CSRF_TRUSTED_ORIGINS)
    return [f"{origin.rstrip('/')}/" for origin in named] or [address(host, port)]
