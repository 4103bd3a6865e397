"""A restore that is killed at any moment: the old or the new club, whole and open, and no copies."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.commands.test_backup import HANDS, NAMES, RENAME, kept_by, sqlite
from tests.support.effort import tries
from tests.support.sites import ROOT

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.slow]

SQLITE = "TEST_DATABASE_URL" not in os.environ
# Runs the command and ends it before or after the Nth call of a step.
RUN = """
import os, signal, sys
from importlib import import_module
from django.core.management import execute_from_command_line
import django
django.setup()
# Where this whole run is in the background, the shell has Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
module = import_module("scoring.operations.backup.{engine}")
wanted, number, when, how = "{step}".split("."), {number}, "{when}", signal.{how}
place = module
for part in wanted[:-1]:
    place = getattr(place, part)
if not hasattr(place, wanted[-1]):
    place = module.{kind}
real, calls = getattr(place, wanted[-1]), []
def ended(*args, **kwargs):
    calls.append(1)
    mine = len(calls) == number
    if mine and when == "before":
        os.kill(os.getpid(), how)
    result = real(*args, **kwargs)
    if mine and when == "after":
        os.kill(os.getpid(), how)
    return result
setattr(place, wanted[-1], ended)
execute_from_command_line(["manage.py", "restore", sys.argv[1], "--yes", "--no-verify"])
"""
ALL_POINTS = (
    [
        ("os.replace", 1, "before", "SIGKILL"),
        ("dump", 1, "after", "SIGKILL"),
        ("_fill", 1, "after", "SIGKILL"),
        ("os.replace", 1, "before", "SIGINT"),
    ]
    if SQLITE
    else [
        ("_admit", 1, "after", "SIGKILL"),
        ("_rename", 2, "after", "SIGKILL"),
        ("_admit", 1, "after", "SIGINT"),
        ("_rename", 2, "after", "SIGINT"),
    ]
)
# In ``make test`` the first kill, and on PostgreSQL, whose swap has more steps, the last Ctrl-C.
POINTS = ALL_POINTS[:: tries(4 if SQLITE else 3, 1)]


def restore_and_end(site, path, step, number, when, how):
    """How the restore ended; it is killed ``when`` ``step`` is called for the ``number``th time."""
    engine, kind = ("sqlite", "Sqlite") if SQLITE else ("postgresql", "Postgresql")
    code = RUN.format(engine=engine, kind=kind, step=step, number=number, when=when, how=how)
    return subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT, env=site.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def backup(site, tmp_path):
    """A backup of the site, which was changed since."""
    path = tmp_path / "backups" / "club.backup"
    site.must("backup", path, "--no-verify")
    before = site.ask(NAMES)
    site.ask(RENAME)
    return path, before, site.ask(NAMES)


def left_lying(site):
    if sqlite(site):
        return [file.name for file in site.folder.glob(".restored-*")]
    return [
        name
        for (name,) in site.ask("SELECT datname FROM pg_database")
        if f"{site.name[:30]}.restored-" in name
    ]


@pytest.mark.each_case
@pytest.mark.parametrize(("step", "number", "when", "how"), POINTS)
def test_a_restore_that_is_ended_leaves_one_whole_club(site, backup, step, number, when, how):
    path, restored, changed = backup
    hands = site.ask(HANDS)
    done = restore_and_end(site, path, step, number, when, how)
    assert done.returncode != 0, done.stdout
    # As "make serve" does first.
    site.must("restore", "--finish")
    names = site.ask(NAMES)
    assert names in (restored, changed)
    assert site.ask(HANDS) == hands
    assert left_lying(site) == []
    kept = kept_by(site)
    assert len(kept) == (1 if names == restored else 0)
    assert all(database.ask(NAMES) == changed for database in kept)


@pytest.mark.thorough("postgresql")
def test_a_restore_under_way_is_left_alone(site, backup):
    path, restored, _changed = backup
    asked = subprocess.Popen(
        [sys.executable, ROOT / "manage.py", "restore", str(path), "--no-verify"],
        cwd=site.folder, env=site.environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not left_lying(site) and time.monotonic() < deadline:
        time.sleep(0.05)
    site.must("restore", "--finish")
    assert left_lying(site)
    output, problems = asked.communicate("yes\n", timeout=60)
    assert "Restored." in output, problems
    assert site.ask(NAMES) == restored
    assert left_lying(site) == []


@pytest.mark.thorough("postgresql")
def test_a_restore_that_is_told_to_stop_tidies_up_itself(site, backup):
    path, _restored, changed = backup
    step = "shutil.copyfile" if SQLITE else "_create"
    done = restore_and_end(site, path, step, 1, "after", "SIGTERM")
    assert done.returncode == 128 + signal.SIGTERM
    assert site.ask(NAMES) == changed
    assert left_lying(site) == []
