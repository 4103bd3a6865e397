"""``leagues/`` and ``leagues/{slug}/standings/``."""

from datetime import timedelta

import pytest

from scoring.models import Game, League
from scoring.models.days import club_day
from scoring.queries.standings import standings
from tests.factories import make_game, make_hand, make_league

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

URL = "/api/v1/leagues/"


@pytest.fixture
def table(game):
    return f"{URL}{game.league.slug}/standings/"


def test_rows_of_the_standings_have_every_figure(visitor, game, table):
    make_hand(game, winner=1)
    answer = visitor.get(table).json()
    east, south, west, north = game.players
    assert (answer["league"], answer["as_of"]) == (game.league.slug, None)
    assert answer["rows"][0] == {
        "rank": 1,
        "player": south.pk,
        "name": south.name,
        "points": 280,
        "hands": 1,
        "wins": 1,
        "games": 1,
        "average": 280.0,
        "best_hand": 70,
        "rating": 1000,
        "rating_low": 600,
        "rating_high": 1400,
        "rating_provisional": True,
        "value": 280,
        "provisional": False,
        "played": 1,
        "needed": 0,
        "explanation": "280",
    }
    ranks = [(row["rank"], row["player"], row["points"]) for row in answer["rows"][1:]]
    tied = sorted([west, north], key=lambda player: player.name.casefold())
    assert ranks == [(2, tied[0].pk, -70), (2, tied[1].pk, -70), (4, east.pk, -140)]


def test_standings_agree_with_the_league_itself(visitor, game, table):
    for winner in (1, 2, None, 0):
        make_hand(game, winner=winner)
    rows = visitor.get(table).json()["rows"]
    assert [(row["player"], row["points"]) for row in rows] == [
        (row.player.pk, row.points) for row in standings(game.league)
    ]
    assert sum(row["points"] for row in rows) == 0


def test_standings_of_a_day_are_those_at_its_end(visitor, game, table):
    today = club_day()
    yesterday = today - timedelta(days=1)
    make_hand(game, winner=1)
    Game.objects.filter(pk=game.pk).update(evening=yesterday)
    make_hand(make_game(league=game.league, players=game.players), winner=2)

    def leader(day):
        answer = visitor.get(f"{table}?as_of={day}").json()
        assert answer["as_of"] == str(day)
        return answer["rows"][0]["player"] if answer["rows"] else None

    assert leader(yesterday) == game.players[1].pk
    assert leader(today) == visitor.get(table).json()["rows"][0]["player"]
    assert leader(yesterday - timedelta(days=1)) is None


@pytest.mark.parametrize(
    "as_of",
    [
        "nonsense",
        "2026-02-30",
        "0001-01-01",
        "9999-12-31",
        "2990-01-01",
        "%00",
        "1e9",
        "today",
        "20260320",
        "٢٠٢٦-٠٣-٢٠",
    ],
)
def test_an_invalid_day_is_refused(visitor, table, as_of):
    response = visitor.get(f"{table}?as_of={as_of}")
    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == ["as_of"]


def test_a_day_out_of_range_is_refused_as_on_pages(visitor, table):
    [error] = visitor.get(f"{table}?as_of=0001-01-01").json()["errors"]
    assert error["message"] == "Give a day from the year 1900 to the year 2999."


def test_a_league_without_a_hand_has_no_rows(visitor, game, table):
    assert visitor.get(table).json()["rows"] == []


def test_a_league_says_by_which_rules_and_when_it_is_played(visitor):
    league = make_league("Friday night", slug="friday", description="Tea at eight.")
    assert visitor.get(f"{URL}friday/").json() == {
        "slug": "friday",
        "name": "Friday night",
        "description": "Tea at eight.",
        "ruleset": "club",
        "ruleset_version": 1,
        "starts_on": str(league.starts_on),
        "ends_on": None,
        "visibility": "public",
        "hides_names": False,
        "hours_to_answer": 24,
        "running": True,
        "closed_on": None,
        "standing_rules": None,
    }


def test_leagues_can_be_narrowed(member):
    yesterday = club_day() - timedelta(days=1)
    over = make_league(starts_on=yesterday, ends_on=yesterday)
    private = make_league(visibility=League.Visibility.MEMBERS)

    def filtered(query):
        return [row["slug"] for row in member.get(f"{URL}?{query}").json()["results"]]

    assert filtered("") == [private.slug, over.slug]
    assert filtered("running=true") == [private.slug]
    assert filtered("running=false") == [over.slug]
    assert filtered("visibility=members") == [private.slug]
