"""The page of a table on the phone of its first player."""

import pytest

from tests.browser.table_page import TablePage


@pytest.fixture
def table(phone, live_server, game):
    return TablePage(phone(player=game.players[0]), live_server.url, game).open()
