"""A database whose migrations are not those of the code is neither verified nor backed up."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

import scoring.migrations

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
}


@pytest.fixture(params=[["verify"], ["verify", "--tiles"], ["backup"]])
def command(request, tmp_path):
    """Runs one of them; returns its refusal."""
    path = tmp_path / "club.backup"
    arguments = [*request.param, str(path)] if "backup" in request.param else request.param

    def command():
        with pytest.raises(CommandError) as refused:
            call_command(*arguments)
        assert not path.exists()
        return str(refused.value)

    return command


def test_a_database_of_an_older_version_is_refused(command):
    MigrationRecorder.Migration.objects.filter(app="scoring").latest("name").delete()
    assert "First run: manage.py migrate" in command()


def test_a_database_of_a_newer_version_is_refused(command):
    MigrationRecorder.Migration.objects.create(app="scoring", name="9999_of_tomorrow")
    assert "newer version of the site (scoring.9999_of_tomorrow)" in command()


def test_migrations_that_landed_keep_their_names():
    folder = Path(scoring.migrations.__file__).parent
    assert {path.stem for path in folder.glob("0*.py")} >= LANDED
