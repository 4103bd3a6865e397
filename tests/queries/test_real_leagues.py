"""Published rules of real leagues, written as settings: no code knows any of them."""

import json
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from scoring.models import League
from scoring.models.standing_settings import read_tables
from scoring.queries.ranking import league_table
from scoring.queries.standing_sums import Figures, GameFigures

LEAGUES = Path(__file__).parent / "real_leagues"
MONDAY = date(2026, 3, 2)


def tables_of(name):
    """Each table of the league as a function from games to its lines."""
    data = json.loads((LEAGUES / f"{name}.json").read_text())
    assert data["source"].startswith("http")
    return [
        lambda games, rules=rules: league_table(League(), figures(games), rules)
        for rules in read_tables(data["tables"])
    ]


def figures(games):
    """Players 1 to 4 with the results of ``games``: (evening, points of each, hands won by each)."""
    for player in range(1, 5):
        results = []
        for number, (evening, points, *won) in enumerate(games, start=1):
            own = points[player - 1]
            results.append(
                GameFigures(
                    game=number,
                    evening=evening,
                    finished=True,
                    points=own,
                    hands=8,
                    wins=won[0][player - 1] if won else 2,
                    place=1 + sum(1 for other in points if other > own),
                    sharing=points.count(own),
                )
            )
        yield Figures(
            player=player,
            name=f"Player {player}",
            points=sum(one.points for one in results),
            hands=sum(one.hands for one in results),
            games=len(results),
            wins=sum(one.wins for one in results),
            results=tuple(results),
        )


def lines(table):
    return [(line.rank, line.row.player, line.standing.explanation) for line in table.lines]


@pytest.mark.parametrize("file", sorted(LEAGUES.glob("*.json")), ids=lambda file: file.stem)
def test_rules_of_a_real_league_are_said_in_words_and_stored_as_they_are_written(file):
    tables = json.loads(file.read_text())["tables"]
    read = read_tables(tables)
    assert read_tables([one.as_data() for one in read]) == read
    assert all(one.in_words() for one in read)


def test_pe_ling_gives_1500_for_half_an_evening():
    [season] = tables_of("pe_ling")
    table = season(
        [
            (MONDAY, [900, 300, -400, -800]),
            (MONDAY, [-100, 200, -400, 300]),
            (MONDAY + timedelta(days=7), [-100, 500, -300, -100]),
        ]
    )
    assert lines(table) == [
        (1, 2, "1,000 + 1.5 × 3,000 attendance = 5,500"),
        (2, 1, "700 + 1.5 × 3,000 attendance = 5,200"),
        (3, 4, "−600 + 1.5 × 3,000 attendance = 3,900"),
        (4, 3, "−1,100 + 1.5 × 3,000 attendance = 3,400"),
    ]


def test_jade_sparrow_has_two_boards():
    by_score, by_average = tables_of("jade_sparrow")
    week = [(MONDAY + timedelta(days=day), [10 * day, 0, -5 * day, -5 * day]) for day in range(5)]
    assert lines(by_score(week))[0] == (1, 1, "100 − 30 not among the best = 70")
    [first, *_others] = by_average(week).lines
    assert (first.rank, first.standing.towards_minimum, first.standing.needed) == (None, 5, 6)
    week.append((MONDAY + timedelta(days=7), [20, 0, 0, -20]))
    assert lines(by_score(week))[0] == (1, 1, "120 − 30 not among the best = 90")
    assert lines(by_average(week))[0] == (1, 1, "120 ÷ 6 games = 20")


def test_mahj_mafia_adds_up_its_teams():
    [teams] = tables_of("mahj_mafia")
    table = teams([(MONDAY, [50, -20, -15, -15]), (MONDAY, [-40, 30, 30, -20])])
    assert [(rank, team.name, team.value) for rank, team in table.teams] == [
        (1, "Winds", 20),
        (2, "Dragons", -20),
    ]


def test_m_league_counts_places_and_shares_them():
    [league] = tables_of("m_league")
    # 52,300, 25,000, 25,000 and −2,300 at the end: +72.3, two shares of +10 − 10 less 5, and −62.3.
    table = league([(MONDAY, [27_300, 0, 0, -27_300])])
    values = {line.row.player: line.standing.value for line in table.lines}
    assert values == {1: Fraction("72.3"), 2: -5, 3: -5, 4: Fraction("-62.3")}
    assert lines(table)[0] == (1, 1, "27.3 points + 45 for places = 72.3")
    assert [(team.name, team.value) for _rank, team in table.teams] == [
        ("Winds", Fraction("67.3")),
        ("Dragons", Fraction("-67.3")),
    ]


def test_groene_hart_parts_equal_players_by_hands_won():
    [ranking] = tables_of("groene_hart")
    evenings = [MONDAY + timedelta(days=7 * week) for week in range(6)]
    games = [
        (day, [30, 10, -10, -30] if number % 2 else [10, 30, -10, -30], [2, 3, 1, 1])
        for number, day in enumerate(evenings)
    ]
    assert lines(ranking(games))[:2] == [
        (1, 2, "18 table points + 6 × 1 attendance = 24"),
        (2, 1, "18 table points + 6 × 1 attendance = 24"),
    ]
    assert [line.rank for line in ranking(games[:5]).lines] == [None] * 4


def test_bamboe_acht_counts_five_of_seven_evenings():
    [period] = tables_of("bamboe_acht")
    games = [
        (MONDAY + timedelta(days=7 * week), [10 * week, -10 * week, 0, 0]) for week in range(8)
    ]
    # The eighth evening is not looked at; of the first seven, 0 and 10 are not among the best.
    assert lines(period(games))[0] == (1, 1, "280 − 80 not among the best = 200")
