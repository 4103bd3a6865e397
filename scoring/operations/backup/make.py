"""Making a backup."""

from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from ..atomic_file import atomic_write
from .checking import differences, require_of_this_site
from .engines import engine
from .errors import BackupRefused
from .protocols import Rows


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was checked: its size in bytes, the rows of each table.

    ``differences`` is the line in which ``verify`` sums up what it found, empty if it found nothing;
    None if it was not asked.
    """

    path: Path
    size: int
    rows: Rows
    differences: str | None


def make_backup(path: Path, *, verify: bool = True, overwrite: bool = False) -> Made:
    """Back up the site's database to ``path``, while the site runs. There is no file until it is checked.

    :raises BackupRefused: if there is a file already, or the backup does not hold what it should.
    """
    if path.exists() and not overwrite:
        raise BackupRefused(_("There is already a file %(path)s.") % {"path": path})
    with atomic_write(path) as partial:
        site = engine()
        site.tidy()
        rows = site.dump(partial)
        with site.scratch(partial) as scratch:
            require_of_this_site(scratch, path.name)
            if scratch.rows() != rows:
                raise BackupRefused(_("The backup does not hold what the database does."))
            report = differences(scratch) if verify else None
    return Made(path, path.stat().st_size, rows, report)
