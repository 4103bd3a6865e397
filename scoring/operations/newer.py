"""Which migrations of a database are of a newer version of the site."""

from collections.abc import Iterable

from django.db.migrations.loader import MigrationLoader


def newer_migrations(applied: Iterable[tuple[str, str]], loader: MigrationLoader) -> list[str]:
    """Those of ``applied`` (app, name) that the code does not have, sorted, as "app.name".

    Of an app that is not installed any more, such as django-axes, a club keeps its migrations:
    they say nothing about the version.
    """
    here = loader.disk_migrations.keys()
    apps = {app for app, _name in here}
    return sorted(f"{app}.{name}" for app, name in set(applied) - here if app in apps)
