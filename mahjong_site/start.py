"""What a process does once before it answers requests."""

import logging

from scoring.operations.backup import tidy_up

from .patience import limit_waiting

logger = logging.getLogger(__name__)


def start() -> None:
    """Wait for the database for so long only, and end a restore that was killed in the middle.

    Whatever keeps it from that, such as a database server that starts later, the site starts.
    """
    limit_waiting()
    try:
        kept = tidy_up()
    except Exception:
        logger.exception("Whether a restore was interrupted cannot be found out")
    else:
        for name in kept:
            logger.warning("A restore was interrupted; what was there before is kept as %s", name)
