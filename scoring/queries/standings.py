"""The league table: read here, kept by :mod:`scoring.services.tallies`."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, F, Max, Q, Sum, Window
from django.db.models.functions import RowNumber

from scoring.models import League, Payment, Player, Rating, Tally, Transfer, day_ends
from scoring.models.tallies import NEWCOMER, average

from . import ranking
from .ranking import Figures, LeagueTable


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One line of a league table. Points in whole points, the average a hand to one decimal."""

    rank: int
    player: Player
    points: int
    hands: int
    wins: int
    games: int
    best_hand: int
    rating: int

    @property
    def average(self) -> float:
        return average(self.points, self.hands)


def standings(league: League, as_of: date | None = None) -> list[StandingsRow]:
    """The table of ``league``: now, or as it stood at the end of the day ``as_of``.

    A game counts from the evening it belongs to, with all its hands, so that a table and the pages of
    the evenings always say the same. :func:`scoring.queries.ranking.league_table` says who is listed
    and with which rank. What was corrected since counts as it stands now; what is disputed waits.
    """
    rows = _now(league) if as_of is None else _as_of(league, as_of)
    by_player = {row["player"].pk: row for row in rows}
    table = ranking.league_table(league, [_figures(row) for row in rows])
    return [StandingsRow(line.rank, **by_player[line.row.player]) for line in table.lines]


def tables_now(leagues: Iterable[League]) -> list[LeagueTable]:
    """The tables of ``leagues`` as they stand now, in their order. One query for all of them."""
    by_league: defaultdict[int, list[Figures]] = defaultdict(list)
    leagues = list(leagues)
    tallies = Tally.objects.filter(league__in=leagues).order_by()
    columns = ("league", "player", "player__name", "points", "hands", "games")
    for league, *figures in tallies.values_list(*columns):
        by_league[league].append(Figures(*figures))
    return [ranking.league_table(league, by_league[league.pk]) for league in leagues]


def _figures(row: dict[str, Any]) -> Figures:
    player = row["player"]
    return Figures(player.pk, player.name, row["points"], row["hands"], row["games"])


def _now(league: League) -> list[dict[str, Any]]:
    tallies = Tally.objects.filter(league=league).select_related("player")
    return [
        {
            "player": tally.player,
            "points": tally.points,
            "hands": tally.hands,
            "wins": tally.wins,
            "games": tally.games,
            "best_hand": tally.best_hand,
            "rating": tally.rating,
        }
        for tally in tallies
    ]


def _as_of(league: League, day: date) -> list[dict[str, Any]]:
    sums = (
        Payment.objects.counted()
        .filter(hand__game__league=league, hand__game__evening__lte=day)
        .values("player")
        .annotate(
            points=Sum("amount"),
            hands=Count("pk"),
            games=Count("hand__game", distinct=True),
            wins=Count("pk", filter=Q(hand__winner=F("player"))),
            best_hand=Max("hand__final", filter=Q(hand__winner=F("player"))),
        )
    )
    by_player = {row["player"]: dict[str, Any](row) for row in sums.order_by("player")}
    _add_adjustments(by_player, league, day)
    ratings = _ratings_then(league, day)
    players = Player.objects.in_bulk(by_player)
    return [
        {
            **row,
            "player": players[pk],
            "best_hand": row["best_hand"] or 0,
            "rating": ratings.get(pk, NEWCOMER),
        }
        for pk, row in by_player.items()
    ]


def _add_adjustments(rows: dict[int, dict[str, Any]], league: League, day: date) -> None:
    """Add the adjustments booked by the end of ``day``; who has no hand yet stands with them alone.

    What was booked in a game belongs to its evening.
    """
    in_game = Q(adjustment__game__evening__lte=day)
    without = Q(adjustment__game__isnull=True, adjustment__made_at__lt=day_ends(day))
    booked = Transfer.objects.counted().filter(in_game | without, adjustment__league=league)
    for player, points in booked.points().items():
        nothing = {"points": 0, "hands": 0, "games": 0, "wins": 0, "best_hand": 0}
        rows.setdefault(player, nothing)["points"] += points


def _ratings_then(league: League, day: date) -> dict[int, int]:
    """Each player's rating after the last game of ``league`` of an evening up to ``day``.

    Games are rated in the order in which they finished. One that was ended days after its evening is
    rated from what the games in between had made of its players.
    """
    newest = Window(
        RowNumber(),
        partition_by="player",
        order_by=[F("game__finished_at").desc(), F("game_id").desc()],
    )
    rated = Rating.objects.filter(game__league=league, game__evening__lte=day)
    latest = rated.annotate(line=newest).filter(line=1).order_by()
    return {row.player_id: row.shown for row in latest.only("player_id", "mu", "sigma")}
