"""A backup takes the place of a database that is gone, damaged or another one; no number is given again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scoring.operations.backup import BackupRefused
from scoring.operations.backup.numbers import SKIPPED, last_numbers
from scoring.operations.backup.sqlite import Sqlite, SqliteScratch

GAME, HAND = "scoring_game", "scoring_hand"


@pytest.mark.parametrize(
    ("before", "restored", "last"),
    [
        ({GAME: 27, HAND: 500}, {GAME: 22, HAND: 400}, {GAME: 27, HAND: 500}),
        ({GAME: 22, HAND: 400}, {GAME: 22, HAND: 400}, {GAME: 22, HAND: 400}),
        ({GAME: 22}, {GAME: 22, "player": 8}, {GAME: 22, "player": 8}),
        ({}, {GAME: 22, HAND: 400}, {GAME: SKIPPED + 22, HAND: SKIPPED + 400}),
        ({GAME: 5, HAND: 500}, {GAME: 22, HAND: 400}, {GAME: SKIPPED + 22, HAND: SKIPPED + 500}),
        ({}, {}, {GAME: SKIPPED, HAND: SKIPPED}),
    ],
    ids=["an older backup", "of just now", "no hands", "gone", "another club", "before any game"],
)
def test_numbers_go_on_after_all_that_may_have_been_given(before, restored, last):
    assert last_numbers(before, restored) == last


@pytest.fixture
def site(tmp_path):
    """A site on a file of its own, with seven games of which five are gone."""
    site = Sqlite()
    site.path = tmp_path / "club.sqlite3"
    games(site.path, 7)
    return site


@pytest.fixture
def backup(tmp_path):
    path = tmp_path / "backup.sqlite3"
    games(path, 2)
    return SqliteScratch(path)


def games(path, number):
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE TABLE scoring_game (id INTEGER PRIMARY KEY AUTOINCREMENT, by TEXT)"
        )
        database.execute("CREATE TABLE scoring_hand (id INTEGER PRIMARY KEY AUTOINCREMENT)")
        many = [("x" * 1000,)] * number
        database.executemany("INSERT INTO scoring_game (by) VALUES (?)", many)
        database.commit()


def next_game(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("INSERT INTO scoring_game (by) VALUES ('') RETURNING id").fetchone()


def torn(path):
    """Pages in the middle are not what they were."""
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(3 * 4096) + content[4 * 4096 :])


def overwritten(path):
    path.write_bytes(b"no database " * 1000)


@pytest.mark.parametrize("damage", [torn, overwritten])
def test_a_damaged_database_is_kept_aside_and_replaced(site, backup, damage):
    damage(site.path)
    damaged = site.path.read_bytes()
    kept = site.put_in_place(backup)
    assert Path(kept).read_bytes() == damaged
    assert next_game(site.path) == (SKIPPED + 3,)
    assert site.path.stat().st_mode & 0o777 == 0o600


def test_what_a_killed_restore_left_beside_a_damaged_database_is_tidied_up(site):
    left = site.path.with_name(".restored-left")
    left.mkdir()
    overwritten(site.path)
    assert site.tidy() == []
    assert not left.exists()


def test_a_backup_goes_where_a_lost_database_left_its_journal(site, backup):
    site.path.unlink()
    journal = site.path.with_name("club.sqlite3-wal")
    journal.write_bytes(b"of the one that is gone")
    assert site.put_in_place(backup) == ""
    assert not journal.exists()
    assert next_game(site.path) == (SKIPPED + 3,)


def test_a_whole_database_goes_on_after_its_own_numbers(site, backup):
    assert site.put_in_place(backup)
    assert next_game(site.path) == (8,)


def test_a_database_that_cannot_be_put_aside_is_said_in_a_sentence(site, backup, monkeypatch):
    monkeypatch.setattr("scoring.operations.backup.sqlite.PATIENCE", 0)
    with closing(sqlite3.connect(site.path)) as busy:
        busy.execute("BEGIN IMMEDIATE")
        with pytest.raises(BackupRefused, match=r"database is locked\. Nothing was changed"):
            site.put_in_place(backup)
