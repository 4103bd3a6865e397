"""How much the tests try: enough in ``make test``, all of it in ``make thorough``.

What looks for the one case among many, made up, sampled or killed at some moment, tries a few in ``make
test``, the same each time. What only repeats there what other tests say is marked ``thorough``.
"""

import os

THOROUGH = os.environ.get("THOROUGH") == "1"
# Whether a run on PostgreSQL follows, as in ``make test``.
EACH_ONCE = os.environ.get("EACH_ONCE") == "1" and not THOROUGH


def tries(usual: int, thorough: int) -> int:
    """``usual`` in ``make test``, ``thorough`` in ``make thorough``."""
    return thorough if THOROUGH else usual
