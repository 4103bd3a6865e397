"""Putting a backup back."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.db import DatabaseError
from django.utils.translation import gettext as _

from scoring.models import Club
from scoring.services.audit import log_audit

from .checking import bring_up_to_date, differences, require_of_this_site
from .engines import engine
from .errors import BackupRefused
from .protocols import Engine, Rows, Scratch


@dataclass(frozen=True, slots=True)
class Candidate:
    """A backup that was restored beside the site's database, and checked.

    ``rows`` and ``differences`` are as in :class:`Made`.
    """

    rows: Rows
    differences: str | None
    _file: str
    _site: Engine
    _scratch: Scratch

    def put_in_place(self) -> str:
        """Let it be the site's database; returns where the former one is kept.

        Whoever misses what was done since the backup finds in the audit why it is gone.
        """
        kept = self._site.put_in_place(self._scratch)
        # The club is back also where just this cannot be written.
        with suppress(DatabaseError):
            log_audit("restore_backup", Club(pk=1), by=None, file=self._file)
        return kept


@contextmanager
def examined(path: Path, *, verify: bool = True) -> Iterator[Candidate]:
    """The backup ``path``, restored beside, brought up to date and checked. The file is only read.

    :raises BackupRefused: if it is no backup of this site, damaged, or of a newer version.
    """
    if not path.is_file():
        raise BackupRefused(_("There is no file %(path)s.") % {"path": path})
    site = engine()
    site.tidy()
    with site.scratch(path) as scratch:
        require_of_this_site(scratch, path.name)
        bring_up_to_date(scratch)
        report = differences(scratch) if verify else None
        yield Candidate(scratch.rows(), report, path.name, site, scratch)


def tidy_up() -> list[str]:
    """End what a restore or a backup left that was killed; safe at any time, and soon done.

    Returns the names of former databases that are kept, and of which nobody was told.

    :raises BackupRefused: if the database cannot be asked.
    """
    return engine().tidy()
