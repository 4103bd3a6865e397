"""Whether the database is one of this version of the site."""

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _


def require_migrated() -> None:
    """:raises CommandError: if migrations are not applied, as in a database that was just made."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        sentence = _(
            "The database is not of this version of the site. First run: manage.py migrate"
        )
        raise CommandError(sentence, returncode=2)
