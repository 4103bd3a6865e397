"""Which tests run on which database, and how many of each: what ``tests/support/databases.py`` decides."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import databases
from tests.support.databases import INTERFACES, ROOT, first_cases, runs_on

SERVICES = ROOT / "tests" / "services"


@dataclass
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

    def get_closest_marker(self, name):
        """Of a marker with arguments its name and those: ``"thorough postgresql"``."""
        found = [marker.split() for marker in self.markers if marker.split()[0] == name]
        return getattr(pytest.mark, name)(*found[0][1:]).mark if found else None


def test_tests_below_the_interfaces_that_touch_the_database_run_on_both():
    assert all(runs_on(vendor, Item("test")) for vendor in databases.ENGINES)
    assert not runs_on("postgresql", Item("test", markers=()))


@pytest.mark.parametrize("folder", INTERFACES, ids=lambda folder: folder.name)
def test_tests_of_interfaces_run_on_postgresql_where_they_are_marked(folder):
    assert not runs_on("postgresql", Item("test", folder))
    assert runs_on("postgresql", Item("test", folder, ("django_db", "sqlite", "postgresql")))


@pytest.mark.parametrize(
    ("marker", "runs"), [("thorough", []), ("thorough postgresql", ["sqlite"])]
)
def test_what_is_marked_thorough_runs_in_make_thorough(monkeypatch, marker, runs):
    item = Item("test", markers=("django_db", "sqlite", "postgresql", marker))
    monkeypatch.setattr(databases, "THOROUGH", False)
    assert [vendor for vendor in ("sqlite", "postgresql") if runs_on(vendor, item)] == runs
    monkeypatch.setattr(databases, "THOROUGH", True)
    assert all(runs_on(vendor, item) for vendor in databases.ENGINES)


def test_make_thorough_counts_queries_of_interfaces_on_postgresql(monkeypatch):
    counting = Item("test", INTERFACES[0], fixturenames=("django_assert_num_queries",))
    monkeypatch.setattr(databases, "THOROUGH", True)
    assert runs_on("postgresql", counting)
    monkeypatch.setattr(databases, "THOROUGH", False)
    assert not runs_on("postgresql", counting)


@pytest.mark.parametrize(
    ("vendor", "fixtures", "left_out"),
    [
        ("postgresql", (), ["two[b]"]),
        ("sqlite", ("browser_type",), ["two[b]"]),
        ("sqlite", (), []),
    ],
    ids=["postgresql", "browser", "sqlite"],
)
def test_where_the_first_of_several_cases_is_enough(vendor, fixtures, left_out):
    each = ("django_db", "each_case")
    items = [
        *(Item(name, fixturenames=fixtures) for name in ("one", "two[a]", "two[b]")),
        *(Item(name, markers=each, fixturenames=fixtures) for name in ("three[a]", "three[b]")),
    ]
    chosen = list(first_cases(items, vendor))
    assert [item.name for item in items if item not in chosen] == left_out
