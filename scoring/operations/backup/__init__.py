"""Make backups, check each one by restoring it, and put them back, while the site runs.

A backup is one file: a SQLite database, or an archive of ``pg_dump``. It is checked by restoring it
into a scratch database beside the club's: every table has the rows it had at that moment, the
database finds itself intact, and every figure comes out again (``verify``).
"""

from .earlier import Former, better_known, hands_now, known_elsewhere, last_backup
from .errors import BackupRefused
from .make import Made, make_backup
from .restore import Candidate, examined, tidy_up

__all__ = [
    "BackupRefused",
    "Candidate",
    "Former",
    "Made",
    "better_known",
    "examined",
    "hands_now",
    "known_elsewhere",
    "last_backup",
    "make_backup",
    "tidy_up",
]
