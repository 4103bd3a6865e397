"""A table of a league without a line says why, wherever it would stand."""

from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.models import Club, Game, StandingRules, club, club_day
from scoring.queries.empty_tables import why_empty
from scoring.queries.standings import standings_tables
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.web.sharing import pictures
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
)

pytestmark = pytest.mark.django_db

INACTIVE = "4 players are not listed: no game in the last 2 weeks."
NOBODY = "No hand has been played yet. Players appear here after their first hand."
DISPUTED = "One hand is disputed: its points count when that is settled."
TOO_LITTLE = "Nobody has played enough for a rank yet."


@pytest.fixture
def league():
    club.remember(Club(pk=1, embed_sites="https://www.example.org"), seconds=3600)
    return make_league(starts_on=club_day() - timedelta(days=200))


def with_rules(league, **rules):
    """Give ``league`` one table with ``rules``, as of its beginning."""
    tables = [{"name": "Main", **rules}]
    StandingRules.objects.create(
        league=league, number=1, effective_from=league.starts_on, tables=tables
    )
    league.standing_versions = 1
    league.save()


@pytest.fixture
def long_ago(league):
    """A finished game, with a win, that is too long ago for the rules of ``league``."""
    by = make_organiser()
    game = make_game(league=league, by=by)
    make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    Game.objects.update(evening=club_day() - timedelta(days=100))
    with_rules(league, inactive_weeks=2)
    return game


def drawn_lead(league, monkeypatch):
    """What stands below the title in the picture of the table."""
    leads = []
    monkeypatch.setattr(pictures, "card", lambda title, lead, lines: leads.append(lead))
    pictures._of_league(league)
    return leads[0]


def pages(client, league):
    """Every page that would show the table, by its name."""
    embedded = reverse("embed_table", args=[league.slug])
    addresses = {
        "league": league.get_absolute_url(),
        "leagues": reverse("leagues"),
        "embedded": embedded,
    }
    return {name: client.get(url).content.decode() for name, url in addresses.items()}


def test_a_table_says_that_nobody_has_played_lately(client, league, long_ago, monkeypatch):
    shown = pages(client, league)
    assert {name: INACTIVE in page for name, page in shown.items()} == dict.fromkeys(shown, True)
    assert not any("No hand has been played" in page for page in shown.values())
    assert drawn_lead(league, monkeypatch) == INACTIVE
    profile = client.get(long_ago.players[0].get_absolute_url()).content.decode()
    assert "Not listed in the table: no game in the last 2 weeks." in profile


def test_a_table_of_nobody_says_that_no_hand_was_played(client, league, monkeypatch):
    shown = pages(client, league)
    assert {name: NOBODY in page for name, page in shown.items()} == dict.fromkeys(shown, True)
    assert drawn_lead(league, monkeypatch) == "No hand has been played yet."


def test_what_is_disputed_is_said_beside_who_is_not_listed(client, league, long_ago):
    by = make_organiser()
    game = make_game(league=league, by=by)
    dispute_hand(make_hand(game, winner=0, by=by), by=make_member(player=game.players[1]))
    for page in pages(client, league).values():
        assert f"{INACTIVE} {DISPUTED}" in page


def test_leaders_without_a_rank_are_not_said_to_have_played_nothing(client, league):
    make_hand(make_game(league=league))
    with_rules(league, minimum={"count": 3})
    page = client.get(reverse("leagues")).content.decode()
    assert TOO_LITTLE in page
    assert "No hand has been played" not in page


def test_an_empty_table_of_an_earlier_day_names_the_day(league, long_ago):
    day = league.starts_on + timedelta(days=1)
    [table] = standings_tables(league, as_of=day)
    assert [part[:3] for part in why_empty(table, day=day)] == ["By "]


def test_pictures_offer_the_season_race_only_where_there_is_one(client, league, long_ago):
    page = client.get(reverse("pictures", args=[league.slug])).content.decode()
    assert "Scores of the hands won" in page
    assert "Download the season race" not in page


def story_pages(client, league):
    names = ("league_statistics", "head_to_head", "pictures")
    return {name: client.get(reverse(name, args=[league.slug])).content.decode() for name in names}


def test_pages_of_a_league_say_that_its_only_hand_is_disputed(client, league):
    assert all(
        "No hand has been played yet" in page for page in story_pages(client, league).values()
    )
    game = make_game(league=league)
    hand = make_hand(game, winner=0)
    dispute_hand(hand, by=make_member(player=game.players[1]))
    for name, page in story_pages(client, league).items():
        assert "One hand has been played. It is disputed" in page, name
        assert "No hand has been played" not in page, name
    for name in ("awards", "league_hall"):
        page = client.get(reverse(name, args=[league.slug])).content.decode()
        assert "One hand has been played. It is disputed" in page, name
    for name in ("how_they_play", "against"):
        page = client.get(reverse(name, args=[game.players[0].pk])).content.decode()
        assert "No hand counts yet" in page, name
        assert "One hand has been played. It is disputed" in page, name
