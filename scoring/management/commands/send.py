"""``manage.py send``: the worker that sends notices as mails and to devices."""

import logging
import os
import signal
import threading
from argparse import ArgumentParser
from time import monotonic
from typing import Any

from django.db import Error, connection
from django.utils.translation import gettext as _

from scoring.management.club_command import ClubCommand
from scoring.operations.outbox import prune, send_due

logger = logging.getLogger(__name__)

# Seconds between two looks at what is due, after the database did not answer, and between two prunings.
PAUSE, AFTER_TROUBLE, BETWEEN_PRUNINGS = 2, 5, 60


class Command(ClubCommand):
    help = (
        "Sends notices that wait, as mails and to devices, until it is stopped. Several may run at "
        "once. One that is killed loses nothing: what it was sending is sent again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="send what is due now, and end")
        parser.add_argument(
            "--beside", action="store_true", help="end when the process that started it is gone"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            tried = 0
            while some := send_due():
                tried += some
            prune()
            self.stdout.write(_("Deliveries tried: %(number)s") % {"number": tried})
            return
        _work(beside=os.getppid() if options["beside"] else None)


def _work(beside: int | None) -> None:
    """Send until told to stop; what is being sent then is finished first.

    :param beside: the process (its id) without which this one ends, too.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_signal: stop.set())
    pruned_at = -float(BETWEEN_PRUNINGS)
    while not stop.is_set() and beside in (None, os.getppid()):
        pause = PAUSE
        try:
            tried = send_due(most=10)
            pause = 0 if tried else PAUSE
            if monotonic() - pruned_at > BETWEEN_PRUNINGS:
                prune()
                pruned_at = monotonic()
        except Error:
            logger.exception("The database does not answer: trying again")
            pause = AFTER_TROUBLE
        finally:
            # A restored backup is another file: nobody holds on to the one before.
            connection.close()
        stop.wait(pause)
