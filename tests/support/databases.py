"""The database of a test run: a SQLite file, or the PostgreSQL of ``python -m tests.support.postgres``.

On PostgreSQL runs what can come out differently there: what touches the database below the pages, API, admin
and commands (``INTERFACES``), such as constraints, locks, order, sums, migrations and backups. Interfaces put
into words what the layers below them say, in the same words on each database: they run there where they
are marked, as lists, searches and what is sent twice are. Of a test with several cases the first runs there: the
cases differ in what Python makes of them. Where each case is another statement to the database, ``each_case``
says so. What is marked ``postgresql`` runs there, what is marked with both runs on both. Tests that send only
what others send, too, run on SQLite: ``tests/same_statements.txt`` names them (``tests/support/statements.py``).

In a browser, too, the first case runs, unless ``each_case`` says otherwise: the cases differ in what the site or the
modules of its scripts make of them, which other tests ask without a browser. Of the other tests of interfaces
the first case runs and the last, which is the odder one: what is refused, and why, is for the layers below to say,
where each case runs. So does each of those that count queries.

Where a run on PostgreSQL follows, ``make test`` (``EACH_ONCE``) leaves to it what is to run there, but for what is about
the database itself: what commits, what starts a site with a database of its own, and what is marked ``each_database``.
A run on SQLite alone, and ``make thorough``, ask that on SQLite, too.

``make thorough`` runs every case on each database, and on PostgreSQL the interfaces wherever they count queries.
"""

import hashlib
import shutil
from collections import defaultdict
from contextlib import ExitStack, suppress
from pathlib import Path

import django
import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

from tests.support.as_migrated import PostgresAsMigrated, SqliteAsMigrated
from tests.support.effort import EACH_ONCE, THOROUGH
from tests.support.once import common_folder, one_worker_at_a_time

ROOT = Path(__file__).parent.parent.parent
ENGINES = ("postgresql", "sqlite")
COUNTING_FIXTURES = {"django_assert_num_queries", "django_assert_max_num_queries"}
INTERFACES = tuple(ROOT / "tests" / name for name in ("admin", "api", "browser", "commands", "web"))
WITHOUT_DATABASE = {ROOT / "tests" / name for name in ("evaluator", "variants")}
EMPTYING_FIXTURES = {"transactional_db", "live_server"}
DATABASE_FIXTURES = EMPTYING_FIXTURES | {"db", "django_db_setup"}
SAME_STATEMENTS_FILE = ROOT / "tests" / "same_statements.txt"
SAME_STATEMENTS = frozenset(SAME_STATEMENTS_FILE.read_text().split())


@pytest.fixture(scope="session")
def migrated_database(request, tmp_path_factory, django_db_blocker):
    """A database that is migrated and otherwise empty, to be copied: its file, or its name on PostgreSQL.

    Made once for all workers. As a file it is kept for later runs of the same code.
    """
    folder = kept_folder(request.config) or common_folder(request.config, tmp_path_factory)
    with one_worker_at_a_time(folder), django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            return migrated_postgresql()
        # A run of other code may take the kept one away.
        return shutil.copyfile(migrated_file(folder), tmp_path_factory.mktemp("migrated") / "club")


def kept_folder(config):
    """None where pytest may keep nothing: ``-p no:cacheprovider``, or a checkout that cannot be written."""
    with suppress(AttributeError, OSError):
        return config.cache.mkdir("migrated")
    return None


def migrated_file(folder):
    path = folder / f"{code_digest()}.sqlite3"
    if not path.exists():
        for other in folder.glob("*.sqlite3*"):
            other.unlink()
        unfinished = path.with_suffix(".sqlite3-unfinished")
        migrate_anew(str(unfinished))
        unfinished.rename(path)
    return path


def migrated_postgresql():
    name = "migrated"
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        known = cursor.fetchone()
    if not known:
        migrate_anew(name)
    return name


def migrate_anew(name):
    """Make and migrate the database ``name``, and leave it."""
    test, before = connection.settings_dict["TEST"], connection.settings_dict["NAME"]
    own, test["NAME"] = test["NAME"], name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    connection.creation.destroy_test_db(before, verbosity=0, keepdb=True)
    test["NAME"] = own


def code_digest():
    """Changes with whatever could change what migrating makes."""
    digest = hashlib.sha256(django.get_version().encode())
    code = [path for name in ("scoring", "mahjong_site") for path in (ROOT / name).rglob("*.*")]
    for path in sorted([Path(__file__), ROOT / "tests" / "settings.py", *code]):
        if path.suffix in {".py", ".toml"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory, django_db_modify_db_settings, migrated_database):
    """A copy of the migrated database for each worker.

    Of SQLite a real file: threads share it, and it is in WAL mode as at a club.
    """
    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "club.sqlite3"
        shutil.copyfile(migrated_database, path)
        connection.settings_dict["TEST"]["NAME"] = str(path)
    else:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_database


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker, migrated_database):
    """After a test that commits, the database is again as the migrations left it.

    Django's own way, ``flush``, takes along what they have put there and makes content types and
    permissions anew, which takes ten times as long.
    """
    with django_db_blocker.unblock():
        kept = (
            SqliteAsMigrated(migrated_database)
            if connection.vendor == "sqlite"
            else PostgresAsMigrated()
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _test: kept.restore())
        yield


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb):
    """The copy of the file is the database."""
    return django_db_keepdb or connection.vendor == "sqlite"


def pytest_configure(config):
    config.addinivalue_line("markers", "sqlite: only on SQLite")
    config.addinivalue_line("markers", "postgresql: only on PostgreSQL")
    config.addinivalue_line(
        "markers",
        "each_case: all cases of a test, on PostgreSQL, in a browser and of interfaces, too",
    )
    config.addinivalue_line("markers", "each_database: on SQLite also if it runs on PostgreSQL")
    config.addinivalue_line(
        "markers", "thorough(*databases): there (everywhere) only in make thorough"
    )
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


def pytest_report_header():
    return f"club database: {connection.vendor}"


def pytest_ignore_collect(collection_path):
    """On PostgreSQL nothing is read of what knows no database, or has no test that runs there."""
    ignored = connection.vendor == "postgresql" and (
        collection_path in WITHOUT_DATABASE or has_no_test_for_postgresql(collection_path)
    )
    return ignored or None


def has_no_test_for_postgresql(path):
    """Whether ``path`` is a module of the interfaces without the mark."""
    interfaces = path.name.startswith("test_") and any(map(path.is_relative_to, INTERFACES))
    return interfaces and not THOROUGH and "postgresql" not in path.read_text()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    chosen = chosen_in_this_run(connection.vendor, items)
    kept = set(chosen)
    left = [item for item in items if item not in kept]
    # pytest-django has them in this order, but pytest gathers those in a browser after that: what
    # empties the database comes last, since it takes along what the migrations have put there.
    items[:] = sorted(chosen, key=place_in_run)
    if left:
        config.hook.pytest_deselected(items=left)


def chosen_in_this_run(vendor, items):
    """Those of ``items`` that run, where ``vendor`` is the database."""
    chosen = chosen_for(vendor, items)
    if not EACH_ONCE or vendor == "postgresql":
        return chosen
    elsewhere = set(chosen_for("postgresql", items))
    return [item for item in chosen if item not in elsewhere or is_about_databases(item)]


def chosen_for(vendor, items):
    """Those of ``items`` that belong in a run on ``vendor``."""
    chosen = [item for item in items if runs_on(vendor, item)]
    return chosen if THOROUGH else some_cases(chosen, vendor)


def runs_on(vendor, item):
    """Whether ``item`` belongs in a run on ``vendor``, "sqlite" or "postgresql"."""
    if not THOROUGH and any(is_left(vendor, mark.args) for mark in item.iter_markers("thorough")):
        return False
    only = {engine for engine in ENGINES if item.get_closest_marker(engine)}
    if only:
        return vendor in only
    if vendor == "sqlite" or not touches_database(item):
        return vendor == "sqlite"
    if is_interface(item):
        return THOROUGH and bool(COUNTING_FIXTURES & set(item.fixturenames))
    return THOROUGH or without_case(item) not in SAME_STATEMENTS


def is_left(vendor, databases):
    """Whether ``thorough(*databases)`` leaves a test out here; what PostgreSQL tries instead only if it follows."""
    if databases == ("sqlite",):
        return EACH_ONCE and vendor == "sqlite"
    return vendor in (databases or ENGINES)


def some_cases(items, vendor):
    """``items`` with only the first case of each test where that is enough, or the first and the last."""
    cases = defaultdict(list)
    for item in items:
        cases[without_case(item)].append(item)
    kept = {case for test in cases.values() for case in enough(test, vendor)}
    return [item for item in items if item in kept]


def enough(cases, vendor):
    """Those of the ``cases`` of one test that run on ``vendor``."""
    first, last = cases[0], cases[-1]
    if first.get_closest_marker("each_case"):
        return cases
    if vendor == "postgresql" or in_browser(first):
        return [first]
    counts = COUNTING_FIXTURES & set(first.fixturenames)
    return [first, last] if is_interface(first) and not counts else cases


def may_run_on_sqlite_alone(item):
    """Whether it runs on PostgreSQL only for the statements that it sends there."""
    marked = {"postgresql", "each_case", "each_database"} & {
        mark.name for mark in item.iter_markers()
    }
    return touches_database(item) and not (marked or is_interface(item) or empties_database(item))


def is_about_databases(item):
    """Whether ``item`` can come out differently on each database, and not only on the stricter one."""
    marked = bool(item.get_closest_marker("each_database"))
    return marked or empties_database(item) or not touches_database(item)


def without_case(item):
    """The name of a test, or of what is reported of it, without its case."""
    return item.nodeid.partition("[")[0]


def in_browser(item):
    return "browser_type" in item.fixturenames


def is_interface(item):
    return in_browser(item) or any(map(item.path.is_relative_to, INTERFACES))


def touches_database(item):
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(item.fixturenames))


def place_in_run(item):
    """What empties the database comes last; of that the slow first, so that all workers end together."""
    empties = empties_database(item)
    return empties, empties and item.get_closest_marker("slow") is None


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
