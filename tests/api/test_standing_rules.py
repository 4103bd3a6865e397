"""Standing rules in the API: of a league, in its rows, and tried out without being stored."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Game, StandingRules, club_day
from scoring.services.games import finish_game
from scoring.services.standing_rules import change_standing_rules
from tests.factories import make_game, make_hand, make_organiser

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

TABLES = [
    {"name": "Evenings", "attendance": {"points": 10}, "minimum": {"count": 2}},
    {"name": "Places", "counts": "table_points", "places": [4, 2, 1, 0.5]},
]


@pytest.fixture
def league(game):
    """Two finished games of the same four; South wins both."""
    by = make_organiser()
    for played in (game, make_game(league=game.league, players=game.players)):
        make_hand(played, winner=1, by=by)
        finish_game(Game.objects.get(pk=played.pk), by=by)
    return game.league


@pytest.fixture
def with_rules(league):
    day = club_day() - timedelta(days=1)
    change_standing_rules(league, TABLES, effective_from=day, by=make_organiser())
    return league


def url(league, call=""):
    return f"/api/v1/leagues/{league.slug}/{call}"


def test_a_league_without_standing_rules_says_that_it_has_none(visitor, league):
    assert visitor.get(url(league)).json()["standing_rules"] is None


def test_a_league_says_its_rules_as_settings_and_in_words(visitor, with_rules):
    answer = visitor.get(url(with_rules)).json()["standing_rules"]
    assert answer == {
        "version": 1,
        "effective_from": str(club_day() - timedelta(days=1)),
        "tables": [
            {
                "name": "Evenings",
                "attendance": {"points": 10, "per": "evening", "games": 1},
                "minimum": {"count": 2, "of": "games"},
            },
            {"name": "Places", "counts": "table_points", "places": [4, 2, 1, 0.5]},
        ],
        "words": [
            [
                "What counts: all points added up.",
                "Attendance: +10 for each evening.",
                "Ranked from 2 games on.",
            ],
            ["Each finished game brings table points for its places: +4, +2, +1, +0.5."],
        ],
    }


def test_rows_say_what_is_ranked_and_how_it_came_about(visitor, with_rules, game):
    answer = visitor.get(url(with_rules, "standings/")).json()
    assert (answer["table"], answer["tables"]) == ("Evenings", ["Evenings", "Places"])
    first = answer["rows"][0]
    assert first["player"] == game.players[1].pk
    expected = {
        "rank": 1,
        "points": 560,
        "value": 570,
        "provisional": False,
        "played": 2,
        "needed": 2,
        "explanation": "560 + 10 attendance = 570",
    }
    assert {name: first[name] for name in expected} == expected


def test_who_has_played_too_little_has_no_rank(visitor, with_rules):
    make_hand(make_game(league=with_rules), winner=0)
    rows = visitor.get(url(with_rules, "standings/")).json()["rows"]
    waiting = [row for row in rows if row["provisional"]]
    assert len(waiting) == 4
    assert {(row["rank"], row["played"], row["needed"]) for row in waiting} == {(None, 1, 2)}


def test_each_table_can_be_asked_for_by_its_name(visitor, with_rules):
    answer = visitor.get(url(with_rules, "standings/?table=places")).json()
    assert answer["table"] == "Places"
    # Two of them are level in both games: they share second and third place.
    assert [row["value"] for row in answer["rows"]] == [8, 3, 3, 1]
    refused = visitor.get(url(with_rules, "standings/?table=Luck"))
    assert refused.status_code == 400
    assert refused.json()["errors"] == [
        {
            "field": "table",
            "code": "unknown",
            "message": "There is no such table. Choose one of: Evenings, Places.",
        }
    ]


def test_a_day_before_the_rules_has_the_table_of_then(visitor, with_rules):
    day = club_day() - timedelta(days=2)
    Game.objects.update(evening=day)
    answer = visitor.get(url(with_rules, f"standings/?as_of={day}")).json()
    assert (answer["table"], answer["tables"]) == ("", [])
    assert answer["rows"][0]["explanation"] == "560"


def test_a_preview_shows_ranks_won_and_lost_and_changes_nothing(organiser, league, game):
    winner = game.players[1]
    handicap = {"players": [{"player": winner.pk, "points": -1000}], "per": "season"}
    tables = [{"name": "Handicap", "handicap": handicap}]
    with CaptureQueriesContext(connection) as captured:
        answer = organiser.post(url(league, "standings/preview/"), {"tables": tables})
    assert answer.status_code == 200
    written = ("INSERT", "UPDATE", "DELETE")
    assert not [q["sql"] for q in captured if q["sql"].startswith(written)]
    [table] = answer.json()["tables"]
    assert table["words"] == [
        "What counts: all points added up.",
        "Handicap for 1 player, once, for the season.",
    ]
    last = table["rows"][-1]
    expected = {
        "rank": 4,
        "player": winner.pk,
        "value": -440,
        "explanation": "560 − 1,000 handicap = −440",
        "rank_now": 1,
        "value_now": 560,
        "gained": -3,
    }
    assert {name: last[name] for name in expected} == expected
    assert not StandingRules.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "tables"),
        ({"tables": []}, "tables"),
        ({"tables": [{"name": "A", "minimum": {"count": "six"}}]}, "tables.0.minimum.count"),
        ({"tables": [{"name": "A"}], "as_off": "2026-01-01"}, "as_off"),
    ],
)
def test_a_preview_of_no_rules_is_refused_at_its_field(organiser, league, body, field):
    refused = organiser.post(url(league, "standings/preview/"), body)
    assert refused.status_code == 400
    assert [error["field"] for error in refused.json()["errors"]] == [field]


@pytest.mark.parametrize("day", ["", "?as_of={day}"])
@pytest.mark.parametrize("more", [0, 3])
def test_standings_take_at_most_eight_queries(
    visitor, with_rules, game, more, day, django_assert_max_num_queries
):
    for _game in range(more):
        make_hand(make_game(league=game.league, players=game.players), winner=2)
    with django_assert_max_num_queries(8):
        visitor.get(url(with_rules, "standings/" + day.format(day=club_day())))
