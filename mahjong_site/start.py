"""Prepare a process before it answers requests."""

import logging

from scoring.operations.backup import tidy_up

from .database_timeouts import limit_waiting

logger = logging.getLogger(__name__)


def start() -> None:
    """Wait for the database for so long only, and end a restore that was killed in the middle.

    Whatever keeps it from that, such as a database server that starts later, the site starts.
    """
    limit_waiting()
    try:
        kept = tidy_up()
    except Exception:
        logger.exception("Cannot check for an interrupted restore")
    else:
        for name in kept:
            logger.warning("A restore was interrupted; what was there before is kept as %s", name)
