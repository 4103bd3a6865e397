"""Renews ``tests/same_statements.txt``: tests that send PostgreSQL only what other tests send it, too.

    python -m tests.support.postgres python -m pytest -n 2 -p tests.support.statements

It notes the kinds of statements that each test on PostgreSQL sends, and which of them failed. What is
marked for PostgreSQL stays there; of the rest, those that together send what is missing, in
the least time. The others run on SQLite in ``make test`` (``tests/support/databases.py``).
"""

import re
from collections import defaultdict
from hashlib import blake2b

import pytest
from django.db.backends.utils import CursorWrapper

from tests.support import databases

# However many rows and values there happen to be.
VALUES = re.compile(r"\((?:%s(?:, )?)+\)(?:, \((?:%s(?:, )?)+\))*")
SAVEPOINT = re.compile(r'SAVEPOINT "?\w+"?')
KINDS = pytest.StashKey[set[str]]()

# Of each test, without its case.
kinds_of: defaultdict[str, set[str]] = defaultdict(set)
seconds_of: defaultdict[str, float] = defaultdict(float)
may_be_left: set[str] = set()


def pytest_configure():
    databases.SAME_STATEMENTS = frozenset()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    kinds = item.stash[KINDS] = set()
    execute = CursorWrapper._execute_with_wrappers

    def noted(self, sql, *args, **kwargs):
        outcome = ""
        try:
            return execute(self, sql, *args, **kwargs)
        except Exception as error:
            outcome = type(error).__name__
            raise
        finally:
            kinds.add(kind(str(sql)) + outcome)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CursorWrapper, "_execute_with_wrappers", noted)
        return (yield)


def kind(sql: str) -> str:
    plain = SAVEPOINT.sub("SAVEPOINT", VALUES.sub("(%s)", sql))
    return blake2b(plain.encode(), digest_size=8).hexdigest()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "teardown":
        report.statements = {
            "kinds": sorted(item.stash[KINDS]),
            "may_be_left": databases.may_run_on_sqlite_alone(item),
        }
    return report


def pytest_runtest_logreport(report):
    test = databases.without_case(report)
    seconds_of[test] += report.duration
    if found := getattr(report, "statements", None):
        kinds_of[test].update(found["kinds"])
        if found["may_be_left"]:
            may_be_left.add(test)


def pytest_sessionfinish(session):
    if kinds_of and not hasattr(session.config, "workerinput"):
        left = sorted(may_be_left - needed())
        databases.SAME_STATEMENTS_FILE.write_text("".join(f"{test}\n" for test in left))


def needed() -> set[str]:
    """Of ``may_be_left`` those that together send what no other test sends, each the most for its time."""
    others = (kinds for test, kinds in kinds_of.items() if test not in may_be_left)
    sent = set[str]().union(*others)
    chosen: set[str] = set()
    while new := {test: len(kinds_of[test] - sent) for test in may_be_left - chosen}:
        best = max(sorted(new), key=lambda test: new[test] / seconds_of[test])
        if not new[best]:
            break
        chosen.add(best)
        sent |= kinds_of[best]
    return chosen
