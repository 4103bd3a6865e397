"""Hands that go out as a sheet, and come in again."""

import io

from scoring.models import Game, League
from scoring.models.permissions import User
from scoring.operations.csv import log_hands, read_rows, write_hands
from scoring.services.games import finish_game
from tests.factories import make_league


def logged_from_its_sheet(game: Game, *, by: User) -> League:
    """Another league, of the same rules, with the hands of the sheet of the league of ``game``, which ends."""
    sheet = io.StringIO(newline="")
    write_hands(sheet, lambda _total: lambda _done: None, game.league)
    finish_game(game, by=by)
    other = make_league(ruleset_version=game.league.ruleset_version)
    rows = read_rows(io.StringIO(sheet.getvalue(), newline=""))
    log_hands(rows, lambda _total: lambda _done: None, league=other, by=by)
    return other
