"""The seasons of a league, and the final table of a closed one, by API."""

from datetime import timedelta

import pytest

from scoring.models import club_day
from scoring.queries.seasons import final_rows
from scoring.services.games import finish_game
from scoring.services.seasons import add_season, close_season
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = pytest.mark.django_db


def test_the_api_lists_seasons_and_shows_a_final_table(client):
    by, today = make_organiser(), club_day()
    season = make_league("Winter", slug="winter", ends_on=today)
    url = "/api/v1/leagues/winter/"
    response = client.get(f"{url}final/")
    assert (response.status_code, response.json()["detail"]) == (404, "This season is not closed.")
    players = [make_player(name) for name in ("Ann", "Ben", "Cas", "Dot")]
    game = make_game(league=season, players=players, by=by)
    make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    close_season(season, by=by, final_rows=final_rows)
    tomorrow = today + timedelta(days=1)
    add_season(season, "spring", name="Spring", starts_on=tomorrow, ends_on=None, by=by)
    ben = {"player": players[1].pk, "name": "Ben"}
    seasons = client.get("/api/v1/leagues/spring/seasons/").json()
    assert [(one["slug"], one["champions"]) for one in seasons["seasons"]] == [
        ("spring", []),
        ("winter", [ben]),
    ]
    assert seasons["seasons"][1]["closed_on"] == str(today)
    assert seasons["champions"] == [{"rank": 1, **ben, "seasons": ["winter"]}]
    final = client.get(f"{url}final/").json()
    assert (final["league"], final["day"], final["standing_rules"]) == ("winter", str(today), None)
    assert final["tables"][0]["rows"][0] == {
        "rank": 1,
        **ben,
        "value": 280,
        "points": 280,
        "hands": 1,
        "wins": 1,
        "games": 1,
        "best_hand": 70,
        "rating": final["tables"][0]["rows"][0]["rating"],
        "rating_low": final["tables"][0]["rows"][0]["rating"] - 396,
        "rating_high": final["tables"][0]["rows"][0]["rating"] + 396,
        "played": 1,
        "needed": 0,
    }
    now = client.get(f"{url}standings/").json()["rows"]
    then = client.get(f"{url}standings/?as_of={today}").json()["rows"]
    assert (
        [row["points"] for row in now] == [row["points"] for row in then] == [280, -70, -70, -140]
    )
