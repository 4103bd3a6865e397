"""The database of a test run: a SQLite file, or the PostgreSQL of ``python -m tests.support.postgres``.

On PostgreSQL runs what can come out differently there: what touches the database, such as constraints,
locks, order, sums, migrations and backups. Pages, API, admin and commands (``INTERFACES``) and what runs
through a browser put into words what the layers below them say, in the same words on each database: they
run there where they are marked, as lists, searches and what is sent twice are, or where queries are counted. What is marked
``postgresql`` runs there, what is marked with both runs on both.
"""

from contextlib import ExitStack
from pathlib import Path

import pytest
from django.db import connection, transaction

ENGINES = ("postgresql", "sqlite")
COUNTING_FIXTURES = {"django_assert_num_queries", "django_assert_max_num_queries"}
INTERFACES = tuple(
    Path(__file__).parent.parent / name for name in ("admin", "api", "commands", "web")
)
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
    counts = COUNTING_FIXTURES & set(item.fixturenames)
    return vendor == "sqlite" or bool(touches_database(item) and (counts or not is_interface(item)))


def is_interface(item):
    browser = "browser_type" in item.fixturenames
    return browser or any(item.path.is_relative_to(folder) for folder in INTERFACES)


def touches_database(item):
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(item.fixturenames))


def empties_database(item):
    marker = item.get_closest_marker("django_db")
    transaction = marker is not None and marker.kwargs.get("transaction", False)
    return transaction or bool(EMPTYING_FIXTURES & set(item.fixturenames))


SHARED = pytest.StashKey[ExitStack]()


@pytest.fixture(scope="module")
def shared(request, django_db_setup, django_db_blocker):
    """``shared(make)`` calls ``make`` once for the tests of a module; after the last it has never been.

    Each test runs inside of that transaction and takes back only what it did itself, but not what
    it did to objects in memory: return ids, and let each test fetch its own.
    """

    def shared(make):
        with django_db_blocker.unblock():
            return make()

    whole = transaction.atomic()

    def take_back():
        transaction.set_rollback(True)
        whole.__exit__(None, None, None)

    shared(whole.__enter__)
    with request.config.stash.setdefault(SHARED, ExitStack()) as end:
        end.callback(shared, take_back)
        yield shared


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """What empties the database comes last in its module, and would wait for ``shared`` for ever."""
    if empties_database(item):
        assert "shared" not in item.fixturenames, "What this test has made would not be there."
        item.config.stash.setdefault(SHARED, ExitStack()).close()
