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
        return name in self.markers or None


def test_tests_below_the_interfaces_that_touch_the_database_run_on_both():
    assert all(runs_on(vendor, Item("test")) for vendor in databases.ENGINES)
    assert not runs_on("postgresql", Item("test", markers=()))


@pytest.mark.parametrize("folder", INTERFACES, ids=lambda folder: folder.name)
def test_tests_of_interfaces_run_on_postgresql_where_they_are_marked(folder):
    assert not runs_on("postgresql", Item("test", folder))
    assert runs_on("postgresql", Item("test", folder, ("django_db", "sqlite", "postgresql")))


def test_make_thorough_counts_queries_of_interfaces_on_postgresql(monkeypatch):
    counting = Item("test", INTERFACES[0], fixturenames=("django_assert_num_queries",))
    monkeypatch.setattr(databases, "THOROUGH", True)
    assert runs_on("postgresql", counting)
    monkeypatch.setattr(databases, "THOROUGH", False)
    assert not runs_on("postgresql", counting)


def test_the_first_of_several_cases_runs_on_postgresql_or_each_that_is_marked():
    each = ("django_db", "each_case")
    items = [Item("one"), Item("two[a]"), Item("two[b]"), Item("three[a]", markers=each)]
    assert [item.name for item in first_cases([*items, Item("three[b]", markers=each)])] == [
        "one", "two[a]", "three[a]", "three[b]",
    ]  # fmt: skip
