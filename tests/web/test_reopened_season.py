"""Why a closed season was opened again, where people look for it."""

from datetime import timedelta

import pytest

from scoring.models import AuditEntry, SeasonClosure, club_day
from scoring.queries.seasons import final_rows
from scoring.queries.trail import in_words
from scoring.services.seasons import close_season, reopen_season
from tests.factories import make_league, make_organiser, make_owner, make_player

pytestmark = pytest.mark.django_db

REASON = "A hand was forgotten"


@pytest.fixture
def league():
    league = make_league("Winter", starts_on=club_day() - timedelta(days=30), ends_on=club_day())
    by = make_organiser(player=make_player("Olga"))
    close_season(league, by=by, final_rows=final_rows)
    reopen_season(league, by=by, reason=REASON)
    return league


def test_the_reason_for_opening_a_season_again_is_in_the_trail(client, league):
    client.force_login(make_owner())
    assert f"reason: {REASON}" in " ".join(client.get("/trail/").content.decode().split())
    rows = b"".join(client.get("/trail/trail.csv")).decode()
    assert f"reason,,{REASON}" in rows


def test_the_reason_of_a_season_opened_before_the_trail_had_it_is_there_too(league):
    closure = SeasonClosure.objects.get()
    entry = AuditEntry(
        action="reopen_season", subject="seasonclosure", subject_id=closure.pk, details={}
    )
    (line,) = in_words([entry], make_owner())
    assert [(one.field, one.after) for one in line.changes] == [("reason", REASON)]


def test_members_read_on_the_page_of_the_seasons_why_one_was_opened_again(client, league):
    address = f"/leagues/{league.slug}/seasons/"
    assert REASON not in client.get(address).content.decode()
    client.force_login(make_owner())
    page = " ".join(client.get(address).content.decode().split())
    assert f"Opened again: “{REASON}”" in page
    assert "Olga" in page
    close_season(league, by=make_organiser(), final_rows=final_rows)
    assert REASON in client.get(address).content.decode()
    assert REASON in client.get(f"/leagues/{league.slug}/final/").content.decode()
