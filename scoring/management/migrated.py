"""Refuse a database that is not of this version of the site."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from scoring.operations.database_trouble import is_database_trouble, lacks_a_table
from scoring.operations.newer import newer_migrations
from scoring.site.databases import in_words


def require_migrated() -> None:
    """:raises CommandError: unless the migrations of the database are those of the code.

    Some are not applied, as in a database that was just made; or some are of a newer version.
    """
    loader = require_applied()
    if newer := newer_migrations(loader.applied_migrations, loader):
        sentence = _("The database is of a newer version of the site (%(newer)s): update the site.")
        raise CommandError(sentence % {"newer": newer[0]}, returncode=2)


def require_applied() -> MigrationLoader:
    """The migrations, if all that the code knows are applied. After a step back there are newer ones.

    :raises CommandError: otherwise.
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        sentence = _(
            "The database is not of this version of the site. First run: manage.py migrate"
        )
        raise CommandError(sentence, returncode=2)
    return executor.loader


@contextmanager
def refuse_if_not_whole() -> Iterator[None]:
    """Refuse a database whose migrations are noted, but that lacks a table or a column of theirs.

    :raises CommandError: instead of the database's own error.
    """
    try:
        yield
    except DatabaseError as error:
        if is_database_trouble(error) or not lacks_a_table(error):
            raise
        sentence = _(
            "The database (%(database)s) is not whole, although all its migrations are applied: "
            "%(missing)s. Replace it by a backup: make restore FILE=…"
        )
        params = {
            "database": in_words(connection.settings_dict),
            "missing": str(error).partition("\n")[0],
        }
        raise CommandError(sentence % params, returncode=2) from error
