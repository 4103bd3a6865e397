"""Standing rules are versions: each from a day on, none changed, and taken back by another one."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError

from scoring.models import AuditEntry, League, StandingRules, club_day
from scoring.models.permissions import PermissionDenied
from scoring.queries.standings import standings_tables, version_in_force
from scoring.services.leaving import make_anonymous
from scoring.services.merging import merge_players
from scoring.services.standing_rules import change_standing_rules, undo_standing_rules
from tests.factories import make_league, make_member, make_organiser, make_owner, make_player

pytestmark = pytest.mark.django_db

AVERAGE = {"name": "Average", "counts": "average_game", "minimum": {"count": 6}}
ATTENDANCE = {"name": "Evenings", "attendance": {"points": 10}}


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def league():
    return make_league(starts_on=club_day() - timedelta(days=100))


def change(league, tables, *, by, ago=0, **fields):
    return change_standing_rules(
        league, tables, effective_from=club_day() - timedelta(days=ago), by=by, **fields
    )


def names_on(league, ago):
    league.refresh_from_db()
    tables = standings_tables(league, club_day() - timedelta(days=ago))
    return [table.name for table in tables]


def test_a_version_holds_from_its_day_on(league, by):
    change(league, [AVERAGE], ago=20, by=by)
    change(league, [ATTENDANCE, AVERAGE], ago=10, by=by)
    assert names_on(league, 21) == [""]
    assert names_on(league, 20) == names_on(league, 11) == ["Average"]
    assert names_on(league, 10) == names_on(league, 0) == ["Evenings", "Average"]


def test_the_later_of_two_versions_from_one_day_holds(league, by):
    change(league, [AVERAGE], by=by)
    change(league, [ATTENDANCE], by=by)
    assert names_on(league, 0) == ["Evenings"]


def test_a_version_of_days_to_come_waits(league, by):
    change(league, [AVERAGE], ago=-1, by=by)
    assert names_on(league, 0) == [""]
    assert names_on(league, -1) == ["Average"]


def test_taking_the_newest_version_back_brings_what_held_on_its_day(league, by):
    change(league, [AVERAGE], ago=20, by=by)
    change(league, [ATTENDANCE], ago=10, by=by)
    undone = undo_standing_rules(league, by=by, seen=2)
    assert (undone.number, undone.tables) == (
        3,
        [AVERAGE | {"minimum": {"count": 6, "of": "games"}}],
    )
    assert names_on(league, 5) == ["Average"]
    assert StandingRules.objects.count() == 3


def test_taking_the_only_version_back_brings_the_sum_of_the_points(league, by):
    change(league, [AVERAGE], by=by)
    undo_standing_rules(league, by=by, seen=1)
    assert names_on(league, 0) == [""]


def test_the_same_again_is_no_new_version(league, by):
    assert change(league, [AVERAGE], by=by) == change(league, [AVERAGE], by=by)
    assert League.objects.get(pk=league.pk).standing_versions == 1


def test_who_has_not_seen_the_newest_version_is_refused(league, by):
    change(league, [AVERAGE], by=by, seen=0)
    for call in (
        lambda: change(league, [ATTENDANCE], by=by, seen=0),
        lambda: undo_standing_rules(league, by=by, seen=0),
    ):
        with pytest.raises(ValidationError) as refused:
            call()
        assert refused.value.code == "moved_on"


def test_nothing_is_taken_back_before_the_first_version(league, by):
    with pytest.raises(ValidationError) as refused:
        undo_standing_rules(league, by=by, seen=0)
    assert refused.value.code == "none"


def test_only_organisers_change_standing_rules(league):
    for call in (
        lambda by: change(league, [AVERAGE], by=by),
        lambda by: undo_standing_rules(league, by=by, seen=0),
    ):
        with pytest.raises(PermissionDenied):
            call(make_member())
    assert not StandingRules.objects.exists()


def test_each_change_is_in_the_audit(league, by):
    change(league, [AVERAGE], by=by)
    undo_standing_rules(league, by=by, seen=1)
    undone = AuditEntry.objects.get(action="undo_standing_rules")
    changed = AuditEntry.objects.get(action="change_standing_rules")
    assert (changed.subject, changed.subject_id, changed.by) == ("league", league.pk, by)
    assert changed.details == {
        "version": 1,
        "effective_from": str(club_day()),
        "sentences": "Average: What counts: points per game. Ranked from 6 games on.",
    }
    assert undone.details["version"] == 2


@pytest.mark.parametrize(
    ("tables", "field", "code"),
    [
        ({}, "tables", "invalid"),
        ([{}], "tables.0.name", "required"),
        ([{"name": " "}], "tables.0.name", "invalid"),
        ([AVERAGE, {"name": "average"}], "tables.1.name", "twice"),
        ([{"name": str(number)} for number in range(7)], "tables", "invalid"),
        ([{"name": "A", "colour": 1}], "tables.0.colour", "unknown_field"),
        ([{"name": "A", "counts": "luck"}], "tables.0.counts", "unknown"),
        ([{"name": "A", "counts": "places"}], "tables.0.places", "required"),
        ([{"name": "A", "places": [1, 2, 3, 4]}], "tables.0.places", "not_used"),
        ([{"name": "A", "divide_by": 10}], "tables.0.divide_by", "not_used"),
        (
            [{"name": "A", "counts": "table_points", "places": [4, 2, 1]}],
            "tables.0.places",
            "invalid",
        ),
        (
            [{"name": "A", "counts": "table_points", "places": [4, 2, 1, 0.25]}],
            "tables.0.places.3",
            "invalid",
        ),
        ([{"name": "A", "minimum": {}}], "tables.0.minimum.count", "required"),
        ([{"name": "A", "minimum": {"count": True}}], "tables.0.minimum.count", "invalid"),
        ([{"name": "A", "minimum": {"count": 0}}], "tables.0.minimum.count", "invalid"),
        (
            [{"name": "A", "best": {"count": 2, "of": "evenings", "per": "evening"}}],
            "tables.0.best.per",
            "not_used",
        ),
        ([{"name": "A", "best": {"count": 3, "first": 2}}], "tables.0.best.first", "invalid"),
        (
            [{"name": "A", "attendance": {"points": 1, "per": "game", "games": 2}}],
            "tables.0.attendance.games",
            "not_used",
        ),
        ([{"name": "A", "tie_breaks": ["wins", "wins"]}], "tables.0.tie_breaks", "twice"),
        ([{"name": "A", "inactive_weeks": -1}], "tables.0.inactive_weeks", "invalid"),
        (
            [{"name": "A", "teams": [{"name": "B", "players": [10**9]}]}],
            "tables",
            "does_not_exist",
        ),
        (
            [
                {
                    "name": "A",
                    "teams": [{"name": "B", "players": [1]}, {"name": "C", "players": [1]}],
                }
            ],
            "tables.0.teams",
            "twice",
        ),
    ],
)
def test_what_no_rules_can_be_is_refused_where_it_stands(league, by, tables, field, code):
    with pytest.raises(ValidationError) as refused:
        change(league, tables, by=by)
    assert {field: code} == {
        field: error.code for field, errors in refused.value.error_dict.items() for error in errors
    }
    assert not StandingRules.objects.exists()


def test_the_audit_says_who_has_which_handicap_and_is_in_which_team_until_they_leave(league, by):
    bo, ann = (make_player(name) for name in ("Bo Brook", "Ann Ames"))
    handicap = {"players": [{"player": bo.pk, "points": 2000}, {"player": ann.pk, "points": -0.5}]}
    teams = [{"name": "East", "players": [bo.pk, ann.pk]}]
    change(league, [{"name": "A", "handicap": handicap, "teams": teams}], by=by)
    changed = AuditEntry.objects.get(action="change_standing_rules")
    sentences = (
        "A: What counts: all points added up. "
        "Handicap for each game: {bo} +2,000, Ann Ames −0.5. "
        "Teams, by the sum of their members: East ({bo}, Ann Ames)."
    )
    assert changed.details["sentences"] == sentences.format(bo="Bo Brook")
    make_anonymous(bo, by=make_owner())
    changed.refresh_from_db()
    bo.refresh_from_db()
    assert changed.details["sentences"] == sentences.format(bo=bo.name)


def test_no_tables_where_there_are_none_are_not_written_down(league, by):
    assert change(league, [], by=by) is None
    assert not AuditEntry.objects.filter(action="change_standing_rules").exists()
    assert League.objects.get(pk=league.pk).standing_versions == 0
    first = change(league, [{"name": "A"}], by=by)
    assert change(league, [], by=by).number == first.number + 1


def test_a_day_outside_of_the_calendar_of_a_club_is_refused(league, by):
    with pytest.raises(ValidationError) as refused:
        change_standing_rules(league, [], effective_from=date(1, 1, 1), by=by)
    assert list(refused.value.error_dict) == ["effective_from"]


def test_merged_players_are_one_in_handicaps_and_teams(league, by):
    kept, gone, other = (make_player() for _player in range(3))
    table = {
        "name": "A",
        "handicap": {
            "players": [
                {"player": gone.pk, "points": 5},
                {"player": kept.pk, "points": 7},
                {"player": other.pk, "points": 9},
            ]
        },
        "teams": [
            {"name": "One", "players": [gone.pk, other.pk]},
            {"name": "Two", "players": [kept.pk]},
        ],
    }
    change(league, [table], by=by)
    merge_players(kept, gone, by=by)
    version = version_in_force(League.objects.get(pk=league.pk))
    [rules] = version.rules
    assert {one.player: one.points for one in rules.handicap.players} == {kept.pk: 7, other.pk: 9}
    assert [(team.name, set(team.players)) for team in rules.teams] == [
        ("One", {kept.pk, other.pk})
    ]
