"""Refuse a database that is not of this version of the site."""

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from scoring.operations.newer import newer_migrations


def require_migrated() -> None:
    """:raises CommandError: unless the migrations of the database are those of the code.

    Some are not applied, as in a database that was just made; or some are of a newer version.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    if executor.migration_plan(loader.graph.leaf_nodes()):
        sentence = _(
            "The database is not of this version of the site. First run: manage.py migrate"
        )
        raise CommandError(sentence, returncode=2)
    if newer := newer_migrations(loader.applied_migrations, loader):
        sentence = _("The database is of a newer version of the site (%(newer)s): update the site.")
        raise CommandError(sentence % {"newer": newer[0]}, returncode=2)
