"""Commands about the club's data refuse a database that they cannot read, or that is not of their version."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

import scoring.migrations
from scoring.models import Player
from scoring.site.databases import in_words
from tests.factories import make_game, make_hand, make_league, make_player
from tests.support.sites import Site, new_site, server_connection

pytestmark = pytest.mark.django_db

# Clubs have applied these: a name that changes is a migration that is applied again.
LANDED = {
    "0001_initial",
    "0002_rule_sets",
    "0003_corrections",
    "0004_evenings_of_old_games",
    "0005_roles",
    "0006_audit",
    "0007_names",
    "0008_keys_of_each_scorer",
    "0009_claimed_limit",
    "0010_corrections_and_disputes",
    "0011_games_opened_wrongly",
    "0012_entry_fingerprints",
    "0013_day_of_the_club",
    "0014_plain_words",
    "0015_evening_closure",
    "0016_api_tokens",
    "0017_club",
    "0018_accounts",
    "0019_mail_addresses",
    "0020_invitations",
    "0021_anonymous",
    "0022_table_codes",
    "0023_notices",
    "0024_first_run",
    "0025_one_limit_on_guessing",
    "0026_league_hides_names",
    "0027_account_notices",
    "0028_first_passwords",
    "0029_ways_in",
    "0030_questions_who_it_is",
    "0031_rule_books",
    "0032_one_count_of_tries",
    "0033_standing_rules",
    "0034_names_by_letters",
    "0035_evening_money",
    "0036_seasons",
    "0037_riichi_in_leagues",
    "0038_used_invitations",
    "0039_limit_hands",
    "0040_story",
    "0041_ratings_with_bands",
    "0042_embed_sites",
    "0043_player_hides_name",
}


READING = [
    ["verify"],
    ["verify", "--tiles"],
    ["backup", "club.backup"],
    ["export", "club.jsonl"],
    ["import", "club.jsonl"],
    ["demo", "--add"],
    ["demo", "--sign-ins"],
    ["whatif", "thursday", "--ruleset", "book"],
    ["story"],
    ["send", "--once"],
]
STARTING = [["demo", "--if-empty"], ["start_code"]]


def refusal(arguments):
    with pytest.raises(CommandError) as refused:
        call_command(*arguments)
    assert not Player.objects.exists()
    assert not list(Path().glob("club.*"))
    return str(refused.value)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("arguments", [*READING, *STARTING], ids=" ".join)
def test_a_database_of_an_older_version_is_refused(arguments):
    MigrationRecorder.Migration.objects.filter(app="scoring").latest("name").delete()
    assert "First run: manage.py migrate" in refusal(arguments)


@pytest.fixture
def ascii_site(tmp_path):
    """A site whose empty database is one of a PostgreSQL server that was set up without a language."""
    with new_site(tmp_path) as site, server_connection() as server:
        server.execute(f'DROP DATABASE "{site.name}"')
        server.execute(f"""CREATE DATABASE "{site.name}" TEMPLATE template0 ENCODING 'SQL_ASCII'
                           LC_COLLATE 'C' LC_CTYPE 'C'""")
        yield site


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_database_that_cannot_keep_every_name_is_refused(ascii_site):
    done = ascii_site.manage("migrate")
    assert done.returncode == 1
    assert "The database has the encoding SQL_ASCII" in done.stderr
    assert "createdb --encoding=UTF8" in done.stderr
    assert ascii_site.ask("SELECT * FROM pg_tables WHERE schemaname = 'public'") == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_club_whose_database_cannot_keep_every_name_goes_on_with_a_warning(ascii_site):
    ascii_site.must("migrate", "--skip-checks", "contenttypes")
    done = ascii_site.manage("migrate", "contenttypes")
    assert done.returncode == 0
    assert "The database has the encoding SQL_ASCII" in done.stderr
    assert "Move the club: export" in done.stderr


@pytest.fixture
def _of_tomorrow():
    MigrationRecorder.Migration.objects.create(app="scoring", name="9999_of_tomorrow")


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
@pytest.mark.usefixtures("_of_tomorrow")
def test_a_database_of_a_newer_version_is_refused(arguments):
    assert "newer version of the site (scoring.9999_of_tomorrow)" in refusal(arguments)


@pytest.mark.usefixtures("_of_tomorrow")
def test_a_site_starts_with_a_database_of_a_newer_version(capsys):
    make_player()
    call_command("demo", "--if-empty")
    call_command("start_code")
    assert "/start/?code=" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [b"No database.\n" * 500, pytest.param(None, marks=pytest.mark.thorough)],
    ids=["text", "folder"],
)
def test_a_database_that_cannot_be_read_is_said_in_a_sentence(tmp_path, content):
    path = tmp_path / "club.sqlite3"
    path.mkdir() if content is None else path.write_bytes(content)
    site = Site(f"sqlite:///{path}", tmp_path)
    for arguments in (["verify"], ["migrate"], ["demo", "--add"]):
        done = site.manage(*arguments)
        assert done.returncode == 2
        database, sentence = done.stderr.splitlines()
        assert str(path) in database
        assert sentence.startswith("The database cannot answer: ")


@pytest.mark.parametrize(
    "arguments",
    [["clearsessions"], ["createsuperuser", "--noinput", "--username=ann", "--email="]],
    ids=lambda arguments: arguments[0],
)
def test_a_command_of_django_says_that_there_is_no_table(tmp_path, arguments):
    done = Site(f"sqlite:///{tmp_path / 'club.sqlite3'}", tmp_path).manage(*arguments)
    assert done.returncode == 2
    sentence = done.stderr.splitlines()[-1]
    assert sentence.startswith("The database is not of this version of the site (no such table: ")
    assert sentence.endswith("First run: manage.py migrate")
    assert "Traceback" not in done.stderr


@pytest.mark.sqlite
@pytest.mark.postgresql
@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE scoring_hand RENAME TO hand_of_before",
     "ALTER TABLE scoring_hand RENAME COLUMN final TO final_of_before"],
    ids=["table", "column"],
)  # fmt: skip
@pytest.mark.parametrize(
    "arguments",
    [["verify", "--yes"], ["verify", "--tiles", "--yes"], ["export", "club.jsonl"], ["export", "club.csv"],
     ["whatif", "thursday", "--ruleset", "book"]],
    ids=" ".join,
)  # fmt: skip
def test_a_database_that_is_not_whole_is_said_in_a_sentence(arguments, change):
    """As after half a restore. Exit code 1 would say that a figure is wrong."""
    make_hand(make_game(league=make_league(slug="thursday")), winner=1)
    # PostgreSQL changes no table whose rows are still to be checked.
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute(change)
    with pytest.raises(CommandError) as refused, transaction.atomic():
        call_command(*arguments)
    assert refused.value.returncode == 2
    sentence = str(refused.value)
    assert in_words(connection.settings_dict) in sentence
    assert "scoring_hand" in sentence or "final" in sentence
    assert "make restore" in sentence
    assert "\n" not in sentence
    assert not list(Path().glob("club.*"))


def test_migrations_that_landed_keep_their_names():
    folder = Path(scoring.migrations.__file__).parent
    assert {path.stem for path in folder.glob("0*.py")} >= LANDED
