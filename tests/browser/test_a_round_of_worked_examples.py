"""The main job, end to end: four sit down, play a round of worked examples, and stand in the league.

Every final score is the example's; the page of the standings, the API and ``verify`` agree.
"""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from scoring.models import Game
from tests.browser.table_page import WIND_ORDER, TablePage
from tests.factories import make_league, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CASES = json.loads((Path(__file__).parents[1] / "evaluator/cases/hands.json").read_text())
WINDS = [wind[0] for wind in WIND_ORDER]
# Who wins in the first round, by the wind they sit at; South's win passes the deal on.
WINNERS = ["S", "E", "N", "W", "S"]


def examples():
    """Worked examples of the East round for those winners, different ones where there are."""
    by_wind = {wind: [] for wind in WINDS}
    for case in CASES:
        expected = case["expect"]
        if not {"self_drawn", "concealed"}.isdisjoint(case):
            continue  # here only the tiles are said
        if expected.get("winning") and case["prevailing"] == "E" and expected["final"]:
            by_wind[case["seat"]].append(case)
    return [by_wind[wind][place % len(by_wind[wind])] for place, wind in enumerate(WINNERS)]


def sit_down(page, base, players):
    page.goto(f"{base}/games/new/")
    for player in players[1:]:  # who starts the game sits East already
        page.locator(f'[data-player][data-name="{player}"]').click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("h1")).to_have_text("East round, hand 1")
    return Game.objects.get()


def play(table, number, case):
    """Type the example for whoever sits at its wind now; South's neighbour discards."""
    game = table.game
    game.refresh_from_db()
    place = next(p for p in range(4) if game.state.seat_wind(p).value == case["seat"])
    table.won(place, (place + 1) % 4)
    table.write(case["tiles"])
    table.says(str(case["expect"]["final"])).save()
    table.saved(f"Hand {number}: {game.players[place]} wins {case['expect']['final']}.")


def shown_points(page):
    """Name and points of each row of the standings, as a reader sees them."""
    rows = page.locator("table").first.locator("tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    return {
        row[1].strip(): int(row[2].replace("−", "-").replace(",", "").replace("+", ""))
        for row in cells
    }


def test_a_round_of_worked_examples_stands_in_the_league(phone, live_server, client):
    league = make_league()
    players = [make_player(name) for name in ("Ann", "Bo", "Cyrus", "Di")]
    page = phone(player=players[0], width=1280)
    table = TablePage(page, live_server.url, sit_down(page, live_server.url, players)).open()
    for number, case in enumerate(examples(), 1):
        play(table, number, case)
    table.draw().save().saved("Hand 6: drawn, nobody pays.")
    expect(page.locator("h1")).to_have_text("South round, hand 7")

    rows = client.get(f"/api/v1/leagues/{league.slug}/standings/").json()["rows"]
    game = client.get(f"/api/v1/games/{table.game.pk}/").json()
    page.goto(f"{live_server.url}/leagues/{league.slug}/")
    points = {row["name"]: row["points"] for row in rows}
    assert shown_points(page) == points
    assert {row["player"]: row["total"] for row in game["tally"]} == {
        row["player"]: row["points"] for row in rows
    }
    assert sum(points.values()) == 0
    assert [hand["scorecard"]["final"] for hand in game["hands"] if hand["outcome"] == "win"] == [
        case["expect"]["final"] for case in examples()
    ]
    call_command("verify")  # ends with exit code 1 if any figure differs
