"""League tables and evenings as files for a spreadsheet: the same rows as CSV and as XLSX."""

import csv
from datetime import timedelta
from fractions import Fraction
from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from scoring.models import Game, club_day, hidden_names
from scoring.operations.sheets import Sheet, as_csv, as_xlsx
from scoring.queries.seasons import final_rows
from scoring.services.seasons import close_season, key_of
from scoring.services.settlements import change_terms
from scoring.services.standing_rules import change_standing_rules
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]

NAMES = ("=Anna", "Ben", "Žofie", "陳大文")
COLUMNS = ["Points", "Games", "Hands", "Won", "Best hand", "Rating"]
HEADINGS = ["Rank", "Player", "Ranked figure", *COLUMNS, "Table", "Team"]


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    """Ben has won 280 points from the other three."""
    game = make_game(players=[make_player(name) for name in NAMES], by=by)
    make_hand(game, winner=1, by=by)
    return game


def of_csv(response):
    return list(csv.reader(response.content.decode("utf-8-sig").splitlines()))


def of_xlsx(content):
    return [[cell.value for cell in row] for row in load_workbook(BytesIO(content)).active.rows]


def asked(client, name, *args, **query):
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response


def test_the_table_of_a_league_is_the_same_in_csv_and_xlsx(client, game):
    slug = game.league.slug
    rows = of_csv(asked(client, "standings_sheet", slug, "csv"))
    assert rows[0] == HEADINGS
    assert rows[1][:4] == ["1", "Ben", "280", "280"]
    assert {row[1] for row in rows[2:]} == {"'=Anna", "Žofie", "陳大文"}
    book = asked(client, "standings_sheet", slug, "xlsx")
    assert book.headers["Content-Disposition"] == f'attachment; filename="{slug}.xlsx"'
    cells = of_xlsx(book.content)
    assert cells[0] == HEADINGS
    assert cells[1][:9] == [1, "Ben", 280, 280, 1, 1, 1, 70, cells[1][8]]
    assert isinstance(cells[1][8], int)


def test_the_links_to_csv_and_xlsx_say_which_is_for_spreadsheets(client, game):
    page = client.get(game.league.get_absolute_url()).content.decode()
    assert "XLSX is for spreadsheets such as Excel; CSV is for other programs." in page


def test_csv_begins_with_the_mark_by_which_spreadsheets_know_utf_8(client, game):
    content = asked(client, "standings_sheet", game.league.slug, "csv").content
    assert content.startswith(b"\xef\xbb\xbfRank,")


def test_a_name_is_never_a_formula(client, game):
    content = asked(client, "standings_sheet", game.league.slug, "xlsx").content
    kinds = {
        cell.value: cell.data_type for row in load_workbook(BytesIO(content)).active for cell in row
    }
    assert kinds["=Anna"] == "s"


def test_a_sheet_is_asked_for_as_of_a_day(client, game):
    Game.objects.update(evening=club_day() - timedelta(days=1))
    slug, before = game.league.slug, club_day() - timedelta(days=2)
    assert len(of_csv(asked(client, "standings_sheet", slug, "csv", as_of=before))) == 1
    page = asked(client, "league", slug, as_of=before).content.decode()
    assert f"/leagues/{slug}.csv?as_of={before}" in page
    for wrong in ("yesterday", "2026-02-30"):
        address = reverse("standings_sheet", args=[slug, "csv"])
        answer = client.get(address, {"as_of": wrong})
        assert (answer.status_code, b"no date" in answer.content) == (400, True)
    answer = client.get(reverse("standings_sheet", args=[slug, "xlsx"]), {"as_of": "9999-12-31"})
    assert (answer.status_code, b"the year 2999" in answer.content) == (400, True)


def test_several_tables_and_teams_stand_below_each_other(client, game, by):
    members = [game.players[1].pk, game.players[2].pk]
    tables = [
        {"name": "Average", "counts": "average_hand", "minimum": {"count": 3}},
        {"name": "Teams", "teams": [{"name": "=Reds", "players": members}]},
    ]
    change_standing_rules(game.league, tables, effective_from=game.league.starts_on, by=by)
    rows = of_xlsx(asked(client, "standings_sheet", game.league.slug, "xlsx").content)
    assert [row[9] for row in rows[1:]] == [*4 * ["Average"], *5 * ["Teams"]]
    assert (rows[1][0], rows[-1][0], rows[-1][10]) == (None, 1, "=Reds")


def test_a_closed_season_keeps_its_final_table(client, game, by):
    season = make_league(ends_on=club_day())
    played = make_game(league=season, players=game.players, by=by)
    make_hand(played, winner=2, by=by)
    address = reverse("final_sheet", args=[season.slug, "xlsx"])
    assert client.get(address).status_code == 404
    close_season(season, by=by, final_rows=final_rows, decisions={key_of(played): "count"})
    rows = of_xlsx(client.get(address).content)
    assert (rows[0], rows[1][:4]) == (HEADINGS, [1, "Žofie", 280, 280])


def test_an_evening_says_what_everybody_won(client, game):
    rows = of_csv(asked(client, "evening_sheet", game.league.slug, game.evening, "csv"))
    assert rows[:2] == [["Rank", "Player", "Points"], ["1", "Ben", "280"]]
    nobody = reverse("evening_sheet", args=[game.league.slug, club_day() - timedelta(9), "csv"])
    assert client.get(nobody).status_code == 404


def test_what_is_owed_has_money_as_numbers(client, game, by):
    change_terms(game.league, stake=100, stake_points=100, fee=50, by=by)
    client.force_login(by)
    args = (game.league.slug, game.evening, "xlsx")
    rows = of_xlsx(asked(client, "settlement_sheet", *args).content)
    assert ["due", None, "till", 2, "EUR", None, None] in rows


def test_visitors_get_initials_where_names_are_hidden(client, game):
    game.league.hides_names = True
    game.league.save()
    hidden_names.forget()
    rows = of_csv(asked(client, "standings_sheet", game.league.slug, "csv"))
    assert rows[1][1] == "B."


@pytest.mark.parametrize("games", [1, 3])
def test_a_sheet_costs_the_same_queries_for_any_number_of_games(
    client, game, by, games, django_assert_num_queries
):
    for _game in range(games - 1):
        make_hand(make_game(league=game.league, by=by), winner=1, by=by)
    asked(client, "standings_sheet", game.league.slug, "xlsx")
    # The league, its players.
    with django_assert_num_queries(2):
        asked(client, "standings_sheet", game.league.slug, "xlsx")


def test_sheets_take_fractions_and_control_characters():
    rows = [[Fraction(1, 3), Fraction(4, 2)], ["a\x07b", None], ["-1", -1]]
    sheet = Sheet(["A", "B"], rows)
    assert of_xlsx(as_xlsx(sheet)) == [["A", "B"], [0.33, 2], ["ab", None], ["-1", -1]]
    assert as_csv(sheet).decode("utf-8-sig").split() == ["A,B", "0.33,2", "a\x07b,", "'-1,-1"]
