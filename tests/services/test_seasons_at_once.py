"""A season is closed while somebody changes what was played: one of the two is first."""

import pytest

from scoring.models import League, club_day
from scoring.operations.verify import verify
from scoring.queries.seasons import final_rows
from scoring.services.adjustments import TransferEntry, book_in_league
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.seasons import close_season
from tests.factories import make_game, make_hand, make_league, make_organiser
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_final_table_is_what_the_games_make():
    by, season = make_organiser(), make_league(ends_on=club_day())
    game = make_game(league=season, by=by)
    hand = make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    drawn = HandEntry(number=1, outcome="draw")
    line = TransferEntry(*game.players[:2], 5)
    acts = [
        lambda: correct_hand(hand, drawn, by=by, reason="It was drawn"),
        lambda: book_in_league(season, [line], by=by, reason="Late"),
        lambda: close_season(season, by=by, final_rows=final_rows),
    ]

    def act(n):
        try:
            acts[n]()
        except Exception as refusal:
            return getattr(refusal, "code", refusal)
        return None

    answers = at_once(act, times=3)
    assert set(answers) <= {None, "season_closed"}
    assert League.objects.get(pk=season.pk).closed
    assert list(verify()) == []
