"""What is no backup of this site is refused in words, before anything is touched."""

import sqlite3
from contextlib import closing

import pytest
from django.db import connection

from scoring.operations.backup import BackupRefused, examined, make_backup, postgresql_tools
from tests.support.postgres import server_user, usable_binaries

pytestmark = pytest.mark.django_db(transaction=True)

SQLITE = connection.vendor == "sqlite"


@pytest.fixture(autouse=True)
def _programs(monkeypatch):
    if not SQLITE:
        monkeypatch.setenv("PG_BIN", str(usable_binaries(server_user())))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "club.backup"


def refusal(path):
    with pytest.raises(BackupRefused) as refused, examined(path):
        pass
    return str(refused.value)


def say(path, *statements):
    """Another SQLite database, or another content in a backup of one."""
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


class TestRefused:
    def test_a_missing_file_is_refused_as_a_backup(self, path):
        assert refusal(path) == f"There is no file {path}."

    def test_a_folder_is_refused_as_a_backup(self, path):
        path.mkdir()
        assert refusal(path) == f"There is no file {path}."

    @pytest.mark.parametrize("content", [b"", b"PG", b"{}\n", b"SQLite\n", bytes(10_000)])
    def test_a_file_of_another_kind_is_refused_as_a_backup(self, path, content):
        path.write_bytes(content)
        assert refusal(path) == f"{path} is not a backup of this site."

    def test_a_backup_of_the_other_kind_of_database_is_refused(self, path):
        path.write_bytes(b"PGDMP\x01\x0e" if SQLITE else b"SQLite format 3\x00" + bytes(100))
        assert "export it there and import it here" in refusal(path)

    def test_a_backup_that_is_cut_off_is_refused(self, path):
        make_backup(path, verify=False)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) * 2 // 3])
        assert "is damaged" in refusal(path) or "pg_restore failed" in refusal(path)

    def test_a_backup_to_a_file_that_is_there_already_is_refused(self, path):
        path.write_text("mine")
        with pytest.raises(BackupRefused, match="There is already a file"):
            make_backup(path)
        assert path.read_text() == "mine"


@pytest.mark.sqlite
class TestASqliteDatabase:
    def test_a_sqlite_database_of_something_else_is_refused(self, path):
        say(path, "CREATE TABLE bookmarks (url)")
        assert refusal(path) == f"{path.name} is not a backup of this site."

    def test_a_sqlite_database_of_another_django_project_is_refused(self, path):
        say(
            path,
            "CREATE TABLE django_migrations (app, name)",
            "INSERT INTO django_migrations VALUES ('auth', '0001_initial')",
        )
        assert refusal(path) == f"{path.name} is not a backup of this site."

    def test_a_sqlite_database_of_a_newer_version_is_refused(self, path):
        make_backup(path, verify=False)
        say(
            path,
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('scoring', '9999_of_tomorrow', '2027-01-01')",
        )
        assert "newer version of the site (scoring.9999_of_tomorrow)" in refusal(path)

    @pytest.mark.thorough
    def test_a_sqlite_database_of_before_an_app_was_removed_is_a_backup(self, path):
        make_backup(path, verify=False)
        say(
            path,
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('axes', '0001_initial', '2026-11-20')",
        )
        with examined(path, verify=False):
            pass

    def test_a_sqlite_database_with_rows_that_belong_to_nothing_is_refused(self, path):
        make_backup(path, verify=False)
        say(path, "INSERT INTO scoring_payment (hand_id, player_id, amount) VALUES (7, 7, 7)")
        assert "is damaged: 2 rows name others that are not there" in refusal(path)

    def test_a_sqlite_database_with_a_torn_page_is_refused(self, path):
        make_backup(path, verify=False)
        torn = bytearray(path.read_bytes())
        torn[4096 * 3 : 4096 * 60] = bytes(4096 * 57)
        path.write_bytes(torn)
        assert "is damaged" in refusal(path)


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.slow
def test_a_backup_goes_to_a_new_machine(site, path):
    """Where there is no database yet, there is none to keep."""
    hands = "SELECT id, tiles, final FROM scoring_hand ORDER BY id"
    site.must("backup", path)
    before = site.ask(hands)
    for file in site.folder.glob("site.sqlite3*"):
        file.unlink()
    assert "is kept as" not in site.must("restore", path, "--yes")
    assert site.ask(hands) == before


@pytest.mark.sqlite
def test_the_live_database_is_for_its_owners_eyes_as_well(tmp_path):
    path = tmp_path / "club.sqlite3"
    path.touch(0o644)
    path.chmod(0o644)
    live = connection.copy("live")
    live.settings_dict["NAME"] = str(path)
    try:
        with live.cursor() as cursor:
            cursor.execute("CREATE TABLE secrets (word)")
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        live.close()
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


class TestABackup:
    def test_a_backup_is_for_its_owners_eyes(self, path):
        make_backup(path, verify=False)
        assert path.stat().st_mode & 0o777 == 0o600

    def test_a_backup_is_one_file_with_nothing_beside_it(self, path):
        make_backup(path, verify=False)
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_a_backup_makes_the_folder_it_goes_to(self, tmp_path):
        path = tmp_path / "every" / "day" / "club.backup"
        assert make_backup(path, verify=False).size == path.stat().st_size

    def test_a_backup_that_fails_leaves_nothing(self, path, monkeypatch):
        def broken(self):
            raise BackupRefused("No.")

        kind = "sqlite.SqliteScratch" if SQLITE else "postgresql.PostgresqlScratch"
        monkeypatch.setattr(f"scoring.operations.backup.{kind}.migrations", broken)
        with pytest.raises(BackupRefused):
            make_backup(path)
        assert list(path.parent.iterdir()) == []

    def test_a_backup_that_holds_less_than_the_database_is_none(self, path, monkeypatch):
        kind = "sqlite.SqliteScratch" if SQLITE else "postgresql.PostgresqlScratch"
        monkeypatch.setattr(f"scoring.operations.backup.{kind}.rows", lambda self: {})
        with pytest.raises(BackupRefused, match="does not hold what the database does"):
            make_backup(path, verify=False)
        assert not path.exists()


@pytest.mark.postgresql
class TestTheProgramsOfPostgresql:
    @pytest.fixture
    def bin(self, tmp_path, monkeypatch):
        """``bin(17)`` puts a pg_dump of that version into a folder and returns its path."""
        monkeypatch.setattr(postgresql_tools, "PATTERNS", (str(tmp_path / "*" / "bin"),))
        monkeypatch.delenv("PG_BIN")

        def bin(version):
            program = tmp_path / str(version) / "bin" / "pg_dump"
            program.parent.mkdir(parents=True)
            program.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}.4'\n")
            program.chmod(0o755)
            return str(program)

        return bin

    @pytest.fixture
    def server(self, monkeypatch):
        monkeypatch.setattr(postgresql_tools, "_server_version", lambda: 16)
        monkeypatch.setenv("PATH", "")

    def test_the_programs_of_postgresql_are_of_the_servers_version(self, bin, server):
        folders = {version: bin(version) for version in (15, 16, 17)}
        assert postgresql_tools.tool("pg_dump") == folders[16]

    def test_the_programs_of_postgresql_are_newer_where_none_is_of_the_servers_version(
        self, bin, server
    ):
        folders = {version: bin(version) for version in (15, 17, 18)}
        assert postgresql_tools.tool("pg_dump") == folders[17]

    def test_the_programs_of_postgresql_are_not_older(self, bin, server):
        bin(15)
        with pytest.raises(BackupRefused, match="No pg_dump of PostgreSQL 16 or newer was found"):
            postgresql_tools.tool("pg_dump")

    def test_the_programs_of_postgresql_are_the_newest_for_an_archive_of_who_knows_which(
        self, bin, server
    ):
        folders = {version: bin(version) for version in (15, 18, 17)}
        assert postgresql_tools.newest_tool("pg_dump") == folders[18]
        assert postgresql_tools.newest_tool("pg_restore") is None

    def test_the_programs_of_postgresql_are_looked_for_where_a_setting_says(
        self, bin, server, monkeypatch, tmp_path
    ):
        folders = bin(16)
        monkeypatch.setattr(postgresql_tools, "PATTERNS", ())
        monkeypatch.setenv("PG_BIN", str(tmp_path / "16" / "bin"))
        assert postgresql_tools.tool("pg_dump") == folders
