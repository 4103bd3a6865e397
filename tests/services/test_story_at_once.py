"""The story is read while hands are logged: nothing that was logged is left out of it."""

import pytest

from scoring.operations.verify import verify
from scoring.story.store import sums_of
from tests.factories import make_game, make_hand, make_league, make_organiser
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 4


def test_readers_and_tables_do_not_lose_a_hand():
    by, league = make_organiser(), make_league()
    games = [make_game(league=league, by=by) for _table in range(2)]

    def act(n):
        for _hand in range(HANDS):
            if n < len(games):
                make_hand(games[n], winner=1, by=by)
            else:
                sums_of([league])

    assert at_once(act, times=4) == [None] * 4
    kept = sums_of([league])[league.pk]
    assert [kept[game.players[1].pk]["how"]["claimed"][0] for game in games] == [HANDS, HANDS]
    assert list(verify()) == []
