"""The database of a test run: a SQLite file, or the PostgreSQL of ``python -m tests.support.postgres``.

On PostgreSQL only what touches the database runs: the rest cannot come out differently. What runs
through a browser does where it is marked. What is marked ``postgresql`` runs there, what is marked with both runs on both.
"""

import pytest
from django.db import connection

ENGINES = ("postgresql", "sqlite")
EMPTYING_FIXTURES = {"transactional_db", "live_server"}
DATABASE_FIXTURES = EMPTYING_FIXTURES | {"db", "django_db_setup"}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory, django_db_modify_db_settings):
    """A real file for SQLite, one a worker: threads share it, and it is in WAL mode as at a club."""
    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "club.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(path)


def pytest_configure(config):
    config.addinivalue_line("markers", "sqlite: only on SQLite")
    config.addinivalue_line("markers", "postgresql: only on PostgreSQL")
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


def pytest_report_header():
    return f"club database: {connection.vendor}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    chosen, left = [], []
    for item in items:
        (chosen if runs_on(connection.vendor, item) else left).append(item)
    # pytest-django has them in this order, but pytest gathers those in a browser after that: what
    # empties the database comes last, since it takes along what the migrations have put there.
    items[:] = sorted(chosen, key=empties_database)
    if left:
        config.hook.pytest_deselected(items=left)


def runs_on(vendor, item):
    """Whether ``item`` belongs in a run on ``vendor``, "sqlite" or "postgresql"."""
    only = {engine for engine in ENGINES if item.get_closest_marker(engine)}
    if only:
        return vendor in only
    return vendor == "sqlite" or (
        touches_database(item) and "browser_type" not in item.fixturenames
    )


def touches_database(item):
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(item.fixturenames))


def empties_database(item):
    marker = item.get_closest_marker("django_db")
    transaction = marker is not None and marker.kwargs.get("transaction", False)
    return transaction or bool(EMPTYING_FIXTURES & set(item.fixturenames))
