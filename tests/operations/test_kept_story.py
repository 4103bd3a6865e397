"""The sums of the story as they are kept: found, rebuilt, worked out in portions and by a newer version."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from scoring.models import Game, StoryChange, StorySum
from scoring.operations.verify import repair_league, verify
from scoring.queries.awards import awards_of
from scoring.services.merging import merge_players
from scoring.story.store import all_changed, sums_of
from tests.factories import make_game, make_hand, make_league, make_organiser, make_owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def league(by):
    league = make_league()
    for day in (date(2025, 3, 1), date(2025, 3, 8), date(2026, 1, 5)):
        game = make_game(league=league, by=by)
        Game.objects.filter(pk=game.pk).update(evening=day)
        make_hand(game, winner=1, by=by)
    sums_of([league])
    return league


def test_nothing_is_left_to_do_once_somebody_has_looked(league):
    assert not StoryChange.objects.exists()
    spans = StorySum.objects.values_list("span", flat=True).distinct().order_by("span")
    assert list(spans) == [
        *("2025", "2025-03", "2025-03-01", "2025-03-08", "2026", "2026-01", "2026-01-05", "all")
    ]


@pytest.mark.parametrize("span", ["2025-03-08", "2025", "all"])
def test_verify_finds_a_sum_that_is_wrong_and_rebuilds_it(league, span):
    row = StorySum.objects.filter(league=league, span=span).first()
    right, row.figures = row.figures, {**row.figures, "how": {"drawn": [1, 1]}}
    row.save()
    found = [one.field for one in verify()]
    assert any(field.startswith(f"story.{span}.how") for field in found)
    repair_league(league.slug)
    assert sums_of([league])
    assert list(verify()) == []
    assert StorySum.objects.get(span=span, player=row.player).figures == right


def test_verify_leaves_out_what_waits_to_be_worked_out(league, by):
    make_hand(Game.objects.latest("evening"), winner=0, by=by)
    assert list(verify()) == []


def test_sums_of_an_older_version_are_worked_out_anew(league):
    before = awards_of(league)
    StorySum.objects.update(version=0, figures={})
    assert awards_of(league) == before


def test_the_command_works_out_what_waits(league):
    before = awards_of(league)
    StorySum.objects.all().delete()
    all_changed()
    out = StringIO()
    call_command("story", stdout=out)
    assert out.getvalue() == "2 months worked out.\n"
    assert not StoryChange.objects.exists()
    assert awards_of(league) == before


def test_a_player_merged_from_two_records_has_the_sums_of_both(league, by):
    kept, gone = (game.players[1] for game in Game.objects.order_by("evening")[:2])
    merge_players(kept, gone, by=make_owner())
    assert sums_of([league])[league.pk][kept.pk]["seats"] == {"S": [2, 2, 560]}
    assert list(verify()) == []
