"""Whoever can only look at a table reads why, in the order in which a hand of theirs would be refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import EveningClosure, Game, club_day
from scoring.models.game_tables import with_table
from scoring.models.permissions import VISITOR
from scoring.web.table.view_only import ViewOnly, why_view_only
from tests.factories import make_game, make_member, make_organiser

pytestmark = pytest.mark.django_db
PLAYS, WATCHES, LOOKS_IN = "one of the four", "another member", "a visitor"
WITHDRAWN = "View only. Nobody can enter hands in a withdrawn game."
SEASON_CLOSED = "View only. This season is closed: an organiser can open it again."
SEASON_OVER = {
    PLAYS: "View only. This season has ended: ask an organiser.",
    WATCHES: "View only. This season has ended: only organisers can enter hands.",
    LOOKS_IN: "View only. This season has ended: only organisers can enter hands.",
}
EVENING_CLOSED = {
    PLAYS: "View only. The evening is closed: ask an organiser to open it.",
    WATCHES: "View only. The evening is closed: only organisers can enter hands.",
    LOOKS_IN: "View only. The evening is closed: only organisers can enter hands.",
}


@pytest.fixture
def game():
    return make_game()


@pytest.fixture
def reason(game):
    """Why this person can only look at ``game`` now."""
    readers = {
        PLAYS: make_member(player=game.players[2]),
        WATCHES: make_member(),
        LOOKS_IN: VISITOR,
    }
    return lambda who: why_view_only(readers[who], with_table(Game.objects.all()).get(pk=game.pk))


def test_whoever_does_not_play_reads_who_enters_hands(reason):
    assert reason(WATCHES) == ViewOnly(
        "View only. The four players and organisers can enter hands."
    )
    visitors = ViewOnly("View only. The players of this table enter its hands:", signs_in=True)
    assert reason(LOOKS_IN) == visitors


@pytest.mark.parametrize("who", [PLAYS, WATCHES, LOOKS_IN])
def test_of_several_reasons_the_page_names_what_holds_for_most(reason, game, who):
    by, yesterday = make_organiser(), club_day() - timedelta(days=1)
    EveningClosure.objects.create(league=game.league, day=game.evening, closed_by=by)
    assert reason(who) == ViewOnly(EVENING_CLOSED[who])
    type(game.league).objects.update(starts_on=yesterday, ends_on=yesterday)
    assert reason(who) == ViewOnly(SEASON_OVER[who])
    type(game.league).objects.update(closed_on=yesterday)
    assert reason(who) == ViewOnly(SEASON_CLOSED)
    Game.objects.update(withdrawn_at=timezone.now())
    assert reason(who) == ViewOnly(WITHDRAWN)
