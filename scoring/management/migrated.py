"""Refuse a database that is not of this version of the site."""

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from scoring.operations.newer import newer_migrations


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
