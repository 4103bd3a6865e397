"""Tables by standing rules, against the slow reference; ``LEAGUES=500`` tries more leagues."""

import os
from datetime import timedelta
from random import Random

import pytest
from django.db.models import Q

from scoring.models import Adjustment, Game, Hand, Payment, Round, Seat, Tally, Transfer
from scoring.models.standing_settings import read_tables
from scoring.operations.whatif import what_if
from scoring.queries.standings import standings_tables, tables_by, tables_now
from scoring.services.standing_rules import change_standing_rules
from tests.factories import make_organiser
from tests.queries import standing_reference
from tests.queries.standing_leagues import RandomLeague, random_rules
from tests.support.effort import tries

pytestmark = pytest.mark.django_db

LEAGUES = int(os.environ.get("LEAGUES") or tries(8, 20))
RULES_EACH = 8


def as_rows(table):
    return [
        (
            row.rank,
            row.player.pk,
            row.standing.value,
            row.standing.towards_minimum,
            row.standing.needed,
        )
        for row in table.rows
    ]


def as_teams(table):
    return [(team.rank, team.name, team.value) for team in table.teams]


def check(made, data, as_of):
    day = as_of or made.today
    rows, teams = standing_reference.table(*made.until(day), data, made.names, day)
    [table] = tables_by(made.league, read_tables([data]), as_of)
    assert as_rows(table) == [tuple(row) for row in rows]
    assert as_teams(table) == teams
    listed = standing_reference.table(
        *made.until(day), {k: v for k, v in data.items() if k != "inactive_weeks"}, made.names, day
    )
    assert table.inactive == len(listed[0]) - len(rows)


@pytest.mark.parametrize("seed", range(LEAGUES))
def test_a_table_is_what_the_reference_works_out(seed):
    random = Random(seed)
    made = RandomLeague(random)
    for _rules in range(RULES_EACH):
        data = random_rules(random, list(made.names))
        check(made, data, None)
        check(made, data, made.today - timedelta(days=random.randint(0, 60)))


def forget_after(made, day):
    """Delete all that happened after ``day``, and count anew."""
    later = Game.objects.filter(league=made.league, evening__gt=day)
    booked = Adjustment.objects.filter(
        Q(game__in=later) | Q(game=None, made_at__date__gt=day), league=made.league
    )
    Transfer.objects.filter(adjustment__in=booked).delete()
    booked.delete()
    Payment.objects.filter(hand__game__in=later).delete()
    for model in (Hand, Round, Seat):
        model.objects.filter(game__in=later).delete()
    later.delete()
    made.hands, made.bookings = made.until(day)
    Tally.objects.filter(league=made.league).delete()
    made._count()


@pytest.mark.parametrize("seed", range(max(LEAGUES // 5, 1)))
def test_the_table_of_a_day_is_that_of_a_league_that_ended_then(seed):
    random = Random(1000 + seed)
    made = RandomLeague(random)
    day = made.today - timedelta(days=random.randint(0, 50))
    made.league.ends_on = day
    some = [random_rules(random, list(made.names)) for _rules in range(RULES_EACH)]
    before = [tables_by(made.league, read_tables([data]), day) for data in some]
    forget_after(made, day)
    for data, [then] in zip(some, before, strict=True):
        [now] = tables_by(made.league, read_tables([data]))
        assert as_rows(now) == as_rows(then)
        assert as_teams(now) == as_teams(then)
        assert [row.standing.explanation for row in now.rows] == [
            row.standing.explanation for row in then.rows
        ]


def test_the_sum_of_the_points_decides_without_standing_rules():
    made = RandomLeague(Random(3))
    [table] = standings_tables(made.league)
    rows, _teams = standing_reference.table(*made.until(made.today), {}, made.names, made.today)
    assert [(row.rank, row.player.pk, row.points) for row in table.rows] == [
        (row.rank, row.player, row.value) for row in rows
    ]
    [one] = tables_now([made.league])
    assert [(line.rank, line.row.player) for line in one.lines] == [row[:2] for row in rows]


def test_what_if_and_leaders_follow_the_standing_rules():
    random = Random(7)
    made = RandomLeague(random)
    data = {"name": "A", "counts": "places", "places": [4, 2, 1, 0], "drop": {"count": 1}}
    change_standing_rules(made.league, [data], effective_from=made.today, by=make_organiser())
    made.league.refresh_from_db()
    rows, _teams = standing_reference.table(*made.until(made.today), data, made.names, made.today)
    expected = {row.player: row.rank for row in rows}
    [one] = tables_now([made.league])
    assert {line.row.player: line.rank for line in one.lines} == expected
    trial = what_if(made.league, made.league.ruleset_version.table_rules)
    assert {row.player.pk: row.rank for row in trial.rows} == expected
