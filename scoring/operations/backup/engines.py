"""Choose the way of making a backup by the kind of database."""

from django.db import connection
from django.utils.translation import gettext as _

from .errors import BackupRefused
from .postgresql import Postgresql
from .protocols import Engine
from .sqlite import Sqlite


def engine() -> Engine:
    """The one of the site's database.

    :raises BackupRefused: for a database that nobody can back up.
    """
    if connection.vendor == "sqlite":
        return Sqlite()
    if connection.vendor == "postgresql":
        return Postgresql()
    message = _("Backups are made of SQLite and PostgreSQL, not of %(vendor)s.")
    raise BackupRefused(message % {"vendor": connection.vendor})
