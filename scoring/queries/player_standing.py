"""Read how the figure of one player in a league table came about: the written sum, and its games."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from scoring.models import League

from .game_figures import game_figures
from .standing_sums import GameFigures, result
from .standings import Gathered, StandingsRow, StandingsTable, version_in_force


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game of the player: what it is ``worth`` in the table, and whether it counts.

    ``worth`` is None while a game is still in play where only finished ones count.
    """

    game: GameFigures
    worth: Fraction | None
    counts: bool


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """The line of a player in one of the ``tables`` of a league.

    :ivar games: those of the player, the newest first.
    :ivar booked: whole points that were booked outside of these games.
    """

    tables: list[StandingsTable]
    table: StandingsTable
    row: StandingsRow
    games: list[CountedGame]
    booked: int


def player_standing(
    league: League, player: int, as_of: date | None = None, table: str = ""
) -> PlayerStanding | None:
    """The line of ``player`` (an id) now, or at the end of the day ``as_of``; None without one.

    At most eight queries.

    :param table: the name of a table; empty means the first one.
    """
    version = version_in_force(league, as_of)
    rules = version.rules if version else ()
    of_everybody = any(one.needs_games for one in rules)
    gathered = Gathered(league, as_of, needs_games=of_everybody)
    tables = gathered.tables(rules)
    wanted = table.casefold() or tables[0].name.casefold()
    shown = next((one for one in tables if one.name.casefold() == wanted), None)
    rows = {row.player.pk: row for row in shown.rows} if shown else {}
    if shown is None or player not in rows:
        return None
    row = rows[player]
    if of_everybody:
        results = gathered.results_of(player)
    else:
        results = game_figures([league], as_of, of=player).get(league.pk, {}).get(player, ())
    games = [_counted(game, row, shown) for game in reversed(results) if game.hands]
    booked = row.points - sum(one.game.points for one in games)
    return PlayerStanding(tables, shown, row, games, booked)


def _counted(game: GameFigures, row: StandingsRow, table: StandingsTable) -> CountedGame:
    if table.rules is None:
        return CountedGame(game, Fraction(game.points), counts=True)
    if table.rules.by_place and not game.finished:
        return CountedGame(game, None, counts=False)
    return CountedGame(
        game, result(game, table.rules), counts=game.game not in row.standing.left_out
    )
