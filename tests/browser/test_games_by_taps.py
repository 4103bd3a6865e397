"""Whatever people do to a game on its pages: page, API, sheet and standings say what it adds up to.

``GAMES`` in the environment says how many games are tried, ``FIRST`` the seed of the first one.
"""

import os

import pytest

from tests.browser.game_by_taps import GameByTaps

# From the page to the database and back, on each of them.
pytestmark = [
    pytest.mark.browser,
    pytest.mark.sqlite,
    pytest.mark.postgresql,
    pytest.mark.django_db(transaction=True),
]

GAMES = int(os.environ.get("GAMES", "1"))
FIRST = int(os.environ.get("FIRST", "1"))


@pytest.mark.thorough
@pytest.mark.thorough("postgresql")
@pytest.mark.each_case
@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_every_place_that_says_who_has_what_says_what_the_hands_add_up_to(seed, phone, live_server):
    game = GameByTaps(seed, phone=phone, base=live_server.url)
    try:
        game.live()
    except BaseException as error:
        error.add_note(f"game {seed}:\n" + "\n".join(game.history))
        raise
