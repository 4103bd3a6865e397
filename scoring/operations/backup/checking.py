"""Checking a scratch database: what it is, whether it is whole, whether its figures come out."""

import os
import subprocess
import sys

from django.conf import settings
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from scoring.operations.newer import newer_migrations

from .errors import NO_BACKUP, BackupRefused
from .protocols import Scratch

APP = "scoring"


def require_of_this_site(scratch: Scratch, name: str) -> None:
    """:raises BackupRefused: unless ``scratch`` is whole, of this project, and no newer than it."""
    damage = scratch.damage()
    if damage:
        raise BackupRefused(
            _("%(name)s is damaged: %(damage)s.") % {"name": name, "damage": damage}
        )
    applied = scratch.migrations()
    if not any(app == APP for app, _name in applied):
        raise BackupRefused(NO_BACKUP % {"path": name})
    if newer := newer_migrations(applied, MigrationLoader(None)):
        raise BackupRefused(
            _(
                "%(name)s was made by a newer version of the site (%(newer)s): update the site first."
            )
            % {"name": name, "newer": newer[0]}
        )


def bring_up_to_date(scratch: Scratch) -> None:
    """Apply the migrations that an older backup lacks.

    :raises BackupRefused: if that fails.
    """
    done = _manage(scratch, "migrate", "--verbosity", "0")
    if done.returncode:
        raise BackupRefused(_("The backup cannot be brought up to date: %s") % _last(done.stderr))


def differences(scratch: Scratch) -> str:
    """What ``verify`` finds in ``scratch``: the line that sums it up; empty if every figure is right.

    :raises BackupRefused: if it cannot be verified.
    """
    done = _manage(scratch, "verify", "--show", "0", "--yes")
    if done.returncode not in (0, 1) or not done.stdout:
        raise BackupRefused(_("The backup cannot be verified: %s") % _last(done.stderr))
    return _last(done.stdout) if done.returncode else ""


def _manage(scratch: Scratch, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the site on ``scratch``, in a process that knows no other database."""
    return subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", *arguments],
        env={**os.environ, "DATABASE_URL": scratch.url},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def _last(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]
