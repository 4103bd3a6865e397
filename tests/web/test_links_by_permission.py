"""A link or button is shown to whoever may follow it, also after the table of permissions has changed."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.urls import reverse

from scoring.models import club_day
from scoring.models.permissions import ORGANISERS, OWNERS, PERMISSIONS, Permission
from scoring.queries import leading
from scoring.queries.seasons import final_rows
from scoring.services.games import finish_game
from scoring.services.seasons import close_season
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_organiser,
    make_owner,
    make_player,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

# To stop being signed in or to choose a language is nothing that a permission is about.
OF_EVERYBODY = re.compile(r"^/(account|static|language|sign-out)/")


@pytest.fixture
def pages():
    """Addresses of pages with links of organisers: of a league that runs, one that is over, and a closed one."""
    by = make_owner()
    running, over, closed = (make_league(starts_on=club_day() - timedelta(days=90)) for _ in "abc")
    for league in (running, over, closed):
        game = make_game(league=league, by=by)
        make_hand(game, winner=1, by=by)
        finish_game(game, by=by)
    for league in (over, closed):
        league.ends_on = club_day() - timedelta(days=1)
        league.save()
    close_season(closed, by=by, final_rows=final_rows)
    guest = make_player("A guest", guest=True)
    addresses = {
        reverse(name)
        for name in ("home", "leagues", "players", "rules_index", "ratings", "notices")
    }
    for league in (running, over, closed):
        addresses |= {
            reverse(name, args=[league.slug])
            for name in ("league", "seasons", "standing_rules", "adjustments", "evenings")
        }
        addresses.add(reverse("evening", args=[league.slug, club_day()]))
    addresses.add(reverse("final", args=[closed.slug]))
    return [*sorted(addresses), guest.get_absolute_url(), game.players[0].get_absolute_url()]


def refused(client, pages):
    """Where links and buttons of ``pages`` lead and what they send is refused."""
    found = set()
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        found |= {("get", unescape(link)) for link in re.findall(r'href="(/[^"#]*)', text)}
        found |= {("post", unescape(link)) for link in re.findall(r'action="(/[^"#]*)', text)}
    asked = sorted(one for one in found if not OF_EVERYBODY.match(one[1]))
    return [one for one in asked if getattr(client, one[0])(one[1]).status_code == 403]


# In two parts: a link that asks by another permission than the one that guards what it leads to is found.
KEPT = [permission for permission, roles in PERMISSIONS.items() if roles == ORGANISERS]
OF_THE_SEASON = {
    Permission.CLOSE_A_SEASON,
    Permission.MANAGE_PEOPLE,
    Permission.MANAGE_TABLE_CODES,
    Permission.DECIDE_A_LATE_HAND,
}


@pytest.mark.parametrize(
    "part", [OF_THE_SEASON, pytest.param({*KEPT} - OF_THE_SEASON, marks=pytest.mark.thorough)]
)
def test_organisers_are_shown_nothing_that_is_kept_from_them(client, pages, monkeypatch, part):
    for permission in part:
        monkeypatch.setitem(PERMISSIONS, permission, OWNERS)
    client.force_login(make_organiser())
    leading.forget()
    assert refused(client, pages) == []


@pytest.mark.thorough
def test_organisers_are_shown_what_they_may_do(client, pages):
    client.force_login(make_organiser())
    leading.forget()
    assert refused(client, pages) == []
    shown = " ".join(client.get(page).content.decode() for page in pages)
    for link in ("/people/", "/leagues/new/", "/close/", "/next/", "standing-rules/change/"):
        assert link in shown


def test_pages_ask_by_names_of_permissions():
    names = set()
    for page in Path("templates").rglob("*.html"):
        names |= set(re.findall(r"\bmay\.(\w+)", page.read_text()))
    assert names
    assert names <= set(Permission.__members__)
