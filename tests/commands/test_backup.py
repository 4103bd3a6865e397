"""``manage.py backup`` and ``restore``, at a site of its own, while people save hands."""

import threading
from contextlib import closing

import pytest

from scoring.operations.backup.numbers import SKIPPED
from tests.support.sites import new_site

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.slow]

HANDS = "SELECT id, number, tiles, final, logged_at FROM scoring_hand ORDER BY id"
NAMES = "SELECT name FROM scoring_player ORDER BY name"
ADD = "INSERT INTO auth_group (name) VALUES ('Late') RETURNING id"
RENAME = "UPDATE scoring_player SET name = name || ' the Second'"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "backups" / "club.backup"


@pytest.fixture
def backup(site, path):
    """A backup of the site; the first test says that it is checked where nothing else is said."""
    site.must("backup", path, "--no-verify")


def test_a_backup_brings_the_club_back_and_keeps_what_was_there(site, path):
    backup = site.must("backup", path)
    assert "60 hands" in backup
    assert "restored and checked" in backup
    hands, names = site.ask(HANDS), site.ask(NAMES)
    site.ask(RENAME)
    site.ask("DELETE FROM scoring_auditentry")
    [(since,)] = site.ask(ADD)
    asked = site.manage("restore", path, "--no-verify", say="y\n")
    assert (asked.returncode, "Nothing was changed." in asked.stderr) == (1, True)
    assert all(name.endswith("the Second") for (name,) in site.ask(NAMES))
    output = site.must("restore", path, "--yes")
    assert "8 players, 5 games, 60 hands" in output
    assert site.ask(HANDS) == hands
    assert site.ask(NAMES) == names
    assert site.ask("SELECT count(*) FROM scoring_auditentry") != [(0,)]
    [(action, details)] = site.ask(
        "SELECT action, details FROM scoring_auditentry ORDER BY id DESC LIMIT 1"
    )
    assert (action, path.name in str(details)) == ("restore_backup", True)
    # A phone may know a game by its number that the backup does not have: no other one gets it.
    assert site.ask("SELECT count(*) FROM auth_group WHERE name = 'Late'") == [(0,)]
    assert site.ask(ADD) == [(since + 1,)]
    assert site.must("verify").startswith("0 differences, 60 hands checked")
    [kept] = kept_by(site)
    assert f"kept as {kept.path if sqlite(site) else kept.name}" in output
    assert all(name.endswith("the Second") for (name,) in kept.ask(NAMES))


@pytest.mark.usefixtures("backup")
def test_numbers_go_on_far_after_those_of_a_backup_in_a_new_database(path, empty_site):
    """Nobody knows how many games began after it was made."""
    empty_site.must("restore", path, "--yes", "--no-verify")
    assert empty_site.ask("SELECT max(id) FROM scoring_game") == [(5,)]
    last = (
        "SELECT seq FROM sqlite_sequence WHERE name = 'scoring_game'"
        if sqlite(empty_site)
        else "SELECT last_value FROM scoring_game_id_seq"
    )
    assert empty_site.ask(last) == [(SKIPPED + 5,)]
    assert empty_site.must("verify").startswith("0 differences, 60 hands checked")


def test_a_club_that_has_opened_a_game_and_logged_nothing_is_restored(path, empty_site):
    number = (
        "INSERT INTO sqlite_sequence VALUES ('scoring_game', 1)"
        if sqlite(empty_site)
        else "SELECT nextval('scoring_game_id_seq')"
    )
    empty_site.ask(number)
    empty_site.must("backup", path, "--yes", "--no-verify")
    assert "0 hands" in empty_site.must("restore", path, "--yes", "--no-verify")


@pytest.mark.thorough
def test_a_restore_leaves_no_other_files(site, path, backup):
    site.must("restore", path, "--yes")
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    if sqlite(site):
        left = {file.name for file in site.folder.iterdir()} - {"backups", "var"}
        assert all(name.startswith("site.sqlite3") for name in left)
    else:
        named = [name for (name,) in site.ask("SELECT datname FROM pg_database")]
        assert not [name for name in named if name.startswith(f"{site.name}.restored-")]


@pytest.mark.thorough
def test_a_club_of_before_an_app_was_removed_is_backed_up_and_restored(site, path):
    site.ask(
        "INSERT INTO django_migrations (app, name, applied) "
        "VALUES ('axes', '0001_initial', '2026-11-20')"
    )
    site.must("backup", path, "--no-verify")
    site.must("restore", path, "--yes", "--no-verify")


class TestASiteThatIsAsked:
    @pytest.mark.thorough
    def test_a_site_that_is_asked_changes_nothing_without_a_yes(self, site, path, backup):
        site.ask(RENAME)
        for answer in ("", "no\n", "y\n"):
            done = site.manage("restore", path, "--no-verify", say=answer)
            assert done.returncode == 1, answer
            assert "Nothing was changed." in done.stderr
            assert all(name.endswith("the Second") for (name,) in site.ask(NAMES))
            assert kept_by(site) == []
        site.must("restore", path, "--no-verify", say="Yes\n")
        assert not any(name.endswith("the Second") for (name,) in site.ask(NAMES))


@pytest.mark.thorough("postgresql")
def test_a_backup_takes_the_place_of_another_only_if_told(site, path, backup):
    done = site.manage("backup", path, "--no-verify")
    assert done.returncode == 1
    assert "There is already a file" in done.stderr
    site.must("backup", path, "--no-verify", "--overwrite")


@pytest.mark.thorough("postgresql")
class TestAnotherDatabaseThanIsMeant:
    """Settings were not read: the command is told so before it calls anything a backup."""

    @pytest.fixture
    def empty(self, empty_site):
        return empty_site

    def test_a_database_other_than_the_one_meant_is_named_by_every_command(self, site, path):
        for command in (
            ["verify"],
            ["backup", path, "--no-verify"],
            ["export", path.with_suffix(".x")],
        ):
            name = site.path if sqlite(site) else site.name
            output = site.manage(*command).stderr
            assert output.startswith("Database: ")
            assert str(name) in output

    def test_a_backup_with_fewer_hands_than_the_last_one_is_asked_about(self, empty, path, backup):
        second = path.with_name("second.backup")
        done = empty.manage("backup", second)
        assert done.returncode == 1
        assert "The database holds 0 hands" in done.stderr
        assert f"{path} holds 60" in done.stderr
        assert "Nothing was done." in done.stderr
        assert not second.exists()
        empty.must("backup", second, "--yes", "--no-verify")

    def test_a_backup_of_another_kind_of_database_is_asked_about(self, site, path):
        other = path.with_name("of the other.backup")
        other.parent.mkdir()
        other.write_bytes(b"PGDMP" if sqlite(site) else b"SQLite format 3\x00")
        done = site.manage("backup", path, say="no\n")
        assert (done.returncode, path.exists()) == (1, False)
        assert f"{other} holds" in done.stderr
        site.must("backup", path, "--no-verify", say="yes\n")

    def test_a_backup_that_cannot_be_counted_is_named_and_not_asked_about(self, site, path):
        path.parent.mkdir()
        path.write_bytes(b"SQLite format 3\x00" if sqlite(site) else b"PGDMP")
        done = site.manage("backup", path.with_name("next.backup"), "--no-verify")
        assert done.returncode == 0
        assert f"How many hands {path} holds cannot be told" in done.stderr

    def test_no_hand_verified_where_there_are_some_is_asked_about(self, site, empty):
        assert empty.manage("verify").returncode == 0
        site.must("backup", empty.folder / "var" / "backups" / "club.backup", "--no-verify")
        done = empty.manage("verify")
        assert done.returncode == 1
        assert "difference" not in done.stdout
        assert "club.backup holds 60" in done.stderr
        assert empty.must("verify", "--yes").startswith("0 differences, 0 hands")


@pytest.mark.thorough("postgresql")
def test_a_club_whose_figures_are_wrong_is_backed_up_and_told(site, path):
    site.ask(
        "UPDATE scoring_tally SET points = points + 10 WHERE id = (SELECT min(id) FROM scoring_tally)"
    )
    done = site.manage("backup", path)
    assert done.returncode == 0
    assert "not every figure in the club is right: 1 difference" in done.stderr
    done = site.manage("restore", path, "--yes")
    assert done.returncode == 0
    assert "Not every figure in it is right: 1 difference" in done.stderr


@pytest.mark.thorough("postgresql")
@pytest.mark.parametrize(
    "release",
    [*(pytest.param(release, marks=pytest.mark.thorough) for release in ("0003", "0036")), "0041"],
)
def test_an_older_backup_is_brought_up_to_date(site, tmp_path_factory, path, release):
    hands = site.ask(HANDS)
    with new_site(tmp_path_factory.mktemp("older"), like=site) as older:
        backup_of_before(older, path, release)
    site.must("restore", path, "--yes", "--no-verify")
    site.must("migrate", "--check")
    assert site.ask(HANDS) == hands


def backup_of_before(site, path, release):
    site.must("migrate", "scoring", release, "--verbosity", "0")
    # As the older version of the site made it.
    dump = "from pathlib import Path; from scoring.operations.backup.engines import engine; "
    path.parent.mkdir()
    site.must("shell", "--verbosity", "0", "-c", f"{dump}engine().dump(Path({str(path)!r}))")


@pytest.mark.thorough("postgresql")
def test_saving_goes_on_while_a_backup_is_made(site, path):
    """A backup holds one moment of what is saved meanwhile, and keeps nobody waiting for long."""
    saver = Saver(site)
    with saver:
        site.must("backup", path)
    assert saver.failures == []
    assert len(saver.saved) > 10
    site.must("restore", path, "--yes")
    numbers = [number for (number,) in site.ask(Saver.FOUND)]
    assert 0 < len(numbers) < len(saver.saved)
    assert numbers == saver.saved[: len(numbers)]


@pytest.mark.thorough("sqlite")
def test_saving_goes_on_while_a_backup_is_restored(site, path, backup):
    """Who is connected finds the club as it was, and saves on; what they had saved is kept."""
    saver = Saver(site)
    with saver:
        site.must("restore", path, "--yes")
        restored = len(saver.saved)
        saver.save_more(10)
    # A PostgreSQL connection is closed over it, and for a moment there is no other to be had.
    assert len(saver.failures) <= (0 if sqlite(site) else 50)
    after = [number for (number,) in site.ask(Saver.FOUND)]
    assert set(after) >= set(saver.saved[restored:])
    [kept] = kept_by(site)
    before = [number for (number,) in kept.ask(Saver.FOUND)]
    assert set(saver.saved) <= {*before, *after}
    assert site.must("verify").startswith("0 differences, 60 hands")


class Saver:
    """Somebody who saves all the time, on one connection as long as it holds."""

    SAVE = (
        "INSERT INTO scoring_auditentry (at, action, subject, subject_id, details) "
        "VALUES (CURRENT_TIMESTAMP, 'saving', 'test', {number}, '{{}}')"
    )
    FOUND = "SELECT subject_id FROM scoring_auditentry WHERE action = 'saving' ORDER BY id"

    def __init__(self, site):
        self.site = site
        self.saved, self.failures = [], []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        self._thread.join()

    def save_more(self, number):
        wanted = len(self.saved) + number
        while len(self.saved) < wanted and self._thread.is_alive():
            self._over.wait(0.01)

    def _run(self):
        number = 0
        while not self._over.is_set():
            try:
                with closing(self.site._connection()) as database:
                    while not self._over.wait(0.005):
                        number += 1
                        database.execute(self.SAVE.format(number=number))
                        database.commit()
                        self.saved.append(number)
            except Exception as error:
                self.failures.append(repr(error))
                if len(self.failures) > 100:
                    raise


def sqlite(site):
    return site.url.startswith("sqlite")


def kept_by(site):
    """The databases that restoring has put aside."""
    if sqlite(site):
        files = sorted(site.folder.glob("site.sqlite3.before-restore-*"))
        return [type(site)(f"sqlite:///{file}", site.folder) for file in files]
    named = [name for (name,) in site.ask("SELECT datname FROM pg_database ORDER BY 1")]
    beginning = f"{site.name}.before-restore-"
    return [
        type(site)(site.url.replace(f"/{site.name}", f"/{name}"), site.folder)
        for name in named
        if name.startswith(beginning)
    ]
