"""Which tests run on which database, and how many of each: what ``tests/support/databases.py`` decides."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import databases
from tests.support.databases import (
    INTERFACES,
    ROOT,
    chosen_in_this_run,
    may_run_on_sqlite_alone,
    runs_on,
    some_cases,
    without_case,
)

SERVICES = ROOT / "tests" / "services"


@dataclass(eq=False)
class Item:
    """As pytest has one."""

    name: str
    folder: Path = SERVICES
    markers: tuple[str, ...] = ("django_db",)
    fixturenames: tuple[str, ...] = ()

    @property
    def path(self):
        return self.folder / "test_it.py"

    @property
    def nodeid(self):
        return f"{self.path}::{self.name}"

    def iter_markers(self, wanted=None):
        """Of a marker with arguments its name and those: ``"thorough postgresql"``."""
        found = [marker.split() for marker in self.markers]
        return (
            getattr(pytest.mark, name)(*arguments).mark
            for name, *arguments in found
            if wanted in (None, name)
        )

    def get_closest_marker(self, name):
        return next(self.iter_markers(name), None)


def test_tests_below_the_interfaces_that_touch_the_database_may_run_on_both():
    assert all(runs_on(vendor, Item("test")) for vendor in databases.ENGINES)
    assert not runs_on("postgresql", Item("test", markers=()))


@pytest.mark.parametrize("folder", INTERFACES, ids=lambda folder: folder.name)
def test_tests_of_interfaces_run_on_postgresql_where_they_are_marked(folder):
    assert not runs_on("postgresql", Item("test", folder))
    assert runs_on("postgresql", Item("test", folder, ("django_db", "sqlite", "postgresql")))


@pytest.mark.parametrize(
    ("marked", "runs"),
    [
        (["thorough"], []),
        (["thorough postgresql"], ["sqlite"]),
        (["thorough postgresql", "thorough"], []),
    ],
    ids=", ".join,
)
def test_what_is_marked_thorough_runs_in_make_thorough(monkeypatch, marked, runs):
    item = Item("test", markers=("django_db", "sqlite", "postgresql", *marked))
    monkeypatch.setattr(databases, "THOROUGH", False)
    assert [vendor for vendor in ("sqlite", "postgresql") if runs_on(vendor, item)] == runs
    monkeypatch.setattr(databases, "THOROUGH", True)
    assert all(runs_on(vendor, item) for vendor in databases.ENGINES)


@pytest.mark.parametrize(("each_once", "runs"), [(True, False), (False, True)])
def test_what_postgresql_tries_instead_runs_on_sqlite_where_it_stands_alone(
    monkeypatch, each_once, runs
):
    item = Item("test", markers=("sqlite", "postgresql", "thorough sqlite"))
    monkeypatch.setattr(databases, "THOROUGH", False)
    monkeypatch.setattr(databases, "EACH_ONCE", each_once)
    assert runs_on("sqlite", item) == runs
    assert runs_on("postgresql", item)


def test_make_thorough_counts_queries_of_interfaces_on_postgresql(monkeypatch):
    counting = Item("test", INTERFACES[0], fixturenames=("django_assert_num_queries",))
    monkeypatch.setattr(databases, "THOROUGH", True)
    assert runs_on("postgresql", counting)
    monkeypatch.setattr(databases, "THOROUGH", False)
    assert not runs_on("postgresql", counting)


@pytest.mark.parametrize(
    ("vendor", "folder", "fixtures", "left_out"),
    [
        ("postgresql", SERVICES, (), ["two[b]", "two[c]"]),
        ("sqlite", SERVICES, ("browser_type",), ["two[b]", "two[c]"]),
        ("sqlite", INTERFACES[0], (), ["two[b]"]),
        ("sqlite", INTERFACES[0], ("django_assert_num_queries",), []),
        ("sqlite", SERVICES, (), []),
    ],
    ids=["postgresql", "browser", "interface", "queries", "below"],
)
def test_where_some_of_several_cases_are_enough(vendor, folder, fixtures, left_out):
    each = ("django_db", "each_case")
    few, more = ("one", "two[a]", "two[b]", "two[c]"), ("three[a]", "three[b]", "three[c]")
    items = [
        *(Item(name, folder, fixturenames=fixtures) for name in few),
        *(Item(name, folder, each, fixtures) for name in more),
    ]
    chosen = some_cases(items, vendor)
    assert [item.name for item in items if item not in chosen] == left_out


def test_what_others_send_to_postgresql_too_runs_on_sqlite(monkeypatch):
    items = [Item("same[a]"), Item("same[b]"), Item("other")]
    monkeypatch.setattr(databases, "THOROUGH", False)
    monkeypatch.setattr(databases, "EACH_ONCE", True)
    monkeypatch.setattr(databases, "SAME_STATEMENTS", {without_case(items[0])})
    assert chosen_in_this_run("postgresql", items) == items[2:]
    assert chosen_in_this_run("sqlite", items) == items[:2]
    monkeypatch.setattr(databases, "THOROUGH", True)
    assert chosen_in_this_run("postgresql", items) == items


@pytest.mark.parametrize("marker", ["postgresql", "each_case", "each_database"])
def test_what_is_marked_runs_on_postgresql_whatever_it_sends(marker):
    assert may_run_on_sqlite_alone(Item("test"))
    assert not may_run_on_sqlite_alone(Item("test", markers=("django_db", marker)))


def test_what_commits_runs_on_postgresql_whatever_it_sends():
    assert not may_run_on_sqlite_alone(Item("test", fixturenames=("transactional_db",)))


def test_each_test_that_is_left_to_sqlite_is_there():
    assert len(databases.SAME_STATEMENTS) > 100
    for test in databases.SAME_STATEMENTS:
        module, name = test.split("::")[0], test.split("::")[-1]
        assert f"def {name}(" in (ROOT / module).read_text(), "Renew tests/same_statements.txt."


def test_sqlite_leaves_to_postgresql_what_is_not_about_databases(monkeypatch):
    monkeypatch.setattr(databases, "EACH_ONCE", True)
    monkeypatch.setattr(databases, "THOROUGH", False)
    committing = ("transactional_db",)
    items = [
        Item("rule[a]"),
        Item("rule[b]"),
        Item("commits", fixturenames=committing),
        Item("constraint", markers=("django_db", "each_database")),
        Item("page", INTERFACES[0]),
        Item("page_of_both", INTERFACES[0], ("django_db", "sqlite", "postgresql")),
        Item("site_of_its_own", markers=("sqlite", "postgresql")),
        Item("no_database", markers=()),
    ]
    left_out = [item.name for item in items if item not in chosen_in_this_run("sqlite", items)]
    assert left_out == ["rule[a]", "page_of_both"]
    assert items[0] in chosen_in_this_run("postgresql", items)
