"""``manage.py export`` and ``import``: a club moves to another site, on either database."""

import gzip
import os
import signal
import subprocess
import sys

import pytest

from tests.support.sites import ROOT, Site

pytestmark = pytest.mark.slow


@pytest.fixture
def other(empty_site):
    """A site without a club, on the database of the run."""
    return empty_site


@pytest.fixture
def on_sqlite(tmp_path_factory):
    """A site without a club, on SQLite."""
    folder = tmp_path_factory.mktemp("on_sqlite")
    site = Site(f"sqlite:///{folder / 'site.sqlite3'}", folder)
    site.must("migrate", "--verbosity", "0")
    return site


def exported(site, folder, name):
    site.must("export", folder / name)
    return (folder / name).read_bytes()


@pytest.mark.sqlite
@pytest.mark.postgresql
def test_a_club_moves_to_another_site_and_is_the_same(site, other, tmp_path):
    output = site.must("export", tmp_path / "club.jsonl")
    assert "Players: 8. Games: 5. Hands: 60." in output
    summary = other.must("import", tmp_path / "club.jsonl").splitlines()
    assert summary[0].startswith("Imported. Players: 8. Games: 5. Hands: 60.")
    assert summary[1:] == ["Every figure comes out again."]
    assert other.must("verify") == "0 differences, 60 hands checked.\n"
    assert exported(other, tmp_path, "again.jsonl") == (tmp_path / "club.jsonl").read_bytes()


@pytest.mark.postgresql
def test_a_club_moves_to_another_kind_of_database_and_back(site, other, on_sqlite, tmp_path):
    before = exported(site, tmp_path, "postgresql.jsonl")
    on_sqlite.must("import", tmp_path / "postgresql.jsonl")
    assert exported(on_sqlite, tmp_path, "sqlite.jsonl") == before
    other.must("import", tmp_path / "sqlite.jsonl")
    assert exported(other, tmp_path, "again.jsonl") == before


@pytest.mark.thorough
def test_packed_files_of_one_club_are_alike(site, other, tmp_path):
    first = exported(site, tmp_path, "first.jsonl.gz")
    assert exported(site, tmp_path, "second.jsonl.gz") == first
    assert gzip.decompress(first) == exported(site, tmp_path, "club.jsonl")
    other.must("import", tmp_path / "first.jsonl.gz")
    assert exported(other, tmp_path, "there.jsonl.gz") == first


def test_a_club_goes_through_a_pipe(site, other, tmp_path):
    piped = site.manage("export", "-")
    assert piped.returncode == 0
    assert "Hands: 60." in piped.stderr
    assert piped.stdout.encode() == exported(site, tmp_path, "club.jsonl")
    other.must("import", "-", say=piped.stdout)
    assert exported(other, tmp_path, "again.jsonl").decode() == piped.stdout


def test_only_its_owner_reads_the_file_and_nothing_takes_its_place(site, tmp_path):
    path = tmp_path / "deep" / "club.jsonl"
    site.must("export", path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["club.jsonl"]
    done = site.manage("export", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is already a file" in done.stderr
    site.must("export", path, "--overwrite")


@pytest.mark.thorough
def test_a_file_that_is_none_is_refused_and_nothing_is_stored(other, tmp_path):
    done = other.manage("import", tmp_path / "nowhere.jsonl")
    assert done.returncode == 2
    assert "nowhere.jsonl" in done.stderr
    (tmp_path / "photo.jsonl").write_bytes(b"\x89PNG\r\n")
    done = other.manage("import", tmp_path / "photo.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    database, refusal, *_rest = done.stderr.splitlines()
    assert database.startswith("Database: ")
    assert refusal.startswith("CommandError: Line 1: This is no export of a club.")
    (tmp_path / "photo.jsonl.gz").write_bytes(b"\x89PNG\r\n")
    assert other.manage("import", tmp_path / "photo.jsonl.gz").returncode == 2
    other.must("demo", "--hands", "4", "--players", "4", "--leagues", "1")


def test_a_database_that_was_just_made_is_to_be_migrated_first(tmp_path):
    site = Site(f"sqlite:///{tmp_path / 'new.sqlite3'}", tmp_path)
    for arguments in (("export", "-"), ("import", "-")):
        done = site.manage(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert "First run: manage.py migrate" in done.stderr


@pytest.mark.thorough("postgresql")
@pytest.mark.sqlite
@pytest.mark.postgresql
def test_a_site_with_a_club_is_left_alone(site, tmp_path):
    before = exported(site, tmp_path, "club.jsonl")
    done = site.manage("import", tmp_path / "club.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is a club in this database" in done.stderr
    assert exported(site, tmp_path, "again.jsonl") == before


@pytest.mark.thorough("postgresql")
@pytest.mark.sqlite
@pytest.mark.postgresql
def test_a_club_whose_figures_are_wrong_is_taken_in_and_told(site, other, tmp_path):
    site.ask("UPDATE scoring_hand SET final = 80 WHERE id = (SELECT min(id) FROM scoring_hand "
             "WHERE outcome = 'win' AND final <> 80 AND checked)")  # fmt: skip
    before = exported(site, tmp_path, "club.jsonl")
    done = other.manage("import", tmp_path / "club.jsonl")
    assert done.returncode == 1
    assert "not every figure in it is right (differences: 1)" in done.stderr
    assert exported(other, tmp_path, "again.jsonl") == before


def test_an_export_that_is_stopped_leaves_no_file(site, tmp_path):
    script = (
        "import sys; from unittest import mock; from django.core.management import call_command\n"
        "import django; django.setup()\n"
        "with mock.patch('scoring.operations.dump.write.written', side_effect=KeyboardInterrupt):\n"
        f"    call_command('export', {str(tmp_path / 'club.jsonl')!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT, env=site.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "KeyboardInterrupt" in done.stderr
    assert not list(tmp_path.glob("club.jsonl*"))


@pytest.mark.parametrize("kind", [[], ["--csv"]])
def test_whoever_reads_only_the_first_line_of_an_export_ends_it_quietly(site, kind):
    """As with ``| head -1``: nothing is wrong with the file."""
    command = [sys.executable, ROOT / "manage.py", "export", "-", *kind]
    read, write = os.pipe()
    with subprocess.Popen(
        command, env=site.environment, stdout=write, stderr=subprocess.PIPE, text=True
    ) as running:
        os.close(write)
        os.close(read)
        written = running.stderr.read()
        assert running.wait(timeout=60) == 128 + signal.SIGPIPE, written
    assert "Broken pipe" not in written
