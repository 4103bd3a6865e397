"""The league table: read here, kept by :mod:`scoring.services.tallies`."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, Max, Q, Sum

from scoring.models import (
    League,
    Payment,
    Player,
    Rating,
    StandingRules,
    Tally,
    Transfer,
    club_day,
    day_ends,
)
from scoring.models.standing_settings import TableSettings
from scoring.models.tallies import NEWCOMER, RatingBand, average, first_ratings

from . import ranking
from .game_figures import Results, game_figures
from .ranking import LeagueTable
from .ratings import latest_of
from .standing_sums import Figures, GameFigures, PlayerSums, Standing


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One line of a league table. Points in whole points, the average a hand to one decimal.

    ``rank`` is None while too little was played for one; ``standing`` is what is ranked, and how it
    came about.
    """

    rank: int | None
    player: Player
    points: int
    hands: int
    wins: int
    games: int
    best_hand: int
    band: RatingBand
    standing: Standing

    @property
    def rating(self) -> int:
        return self.band.rating

    @property
    def average(self) -> float:
        return average(self.points, self.hands)


@dataclass(frozen=True, slots=True)
class StandingsTeam:
    """A team of a table, with what its members have together, exact, and those who have played."""

    rank: int
    name: str
    value: Fraction
    members: list[Player]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """One table of a league: its lines, its teams, and by which rules they are ranked.

    :ivar rules: None for the sum of the points.
    :ivar teams: each ranked, with its members.
    :ivar inactive: how many players are not listed because they have not played for long.
    """

    rules: TableSettings | None
    rows: list[StandingsRow]
    teams: list[StandingsTeam]
    inactive: int

    @property
    def name(self) -> str:
        """What the league calls it; empty without standing rules."""
        return self.rules.name if self.rules else ""

    @property
    def listed(self) -> int:
        """How many players are listed, with or without a rank."""
        return len(self.rows)

    @property
    def ranked_count(self) -> int:
        """How many players are ranked: the 7 of "3 of 7"."""
        return sum(1 for row in self.rows if row.rank is not None)


def standings(league: League, as_of: date | None = None) -> list[StandingsRow]:
    """The first table of ``league``: now, or as it stood at the end of the day ``as_of``."""
    version = version_in_force(league, as_of)
    [first] = tables_by(league, version.rules[:1] if version else (), as_of)
    return first.rows


def standings_tables(league: League, as_of: date | None = None) -> list[StandingsTable]:
    """The tables of ``league``, one or more: now, or as they stood at the end of the day ``as_of``.

    A game counts from the evening it belongs to, with all its hands, so that a table and the pages of
    the evenings always say the same. :func:`scoring.queries.ranking.league_table` says who is listed
    and with which rank, by the standing rules that hold on that day. What was corrected since counts
    as it stands now; what is disputed waits.
    """
    version = version_in_force(league, as_of)
    return tables_by(league, version.rules if version else (), as_of)


def version_in_force(league: League, as_of: date | None = None) -> StandingRules | None:
    """The standing rules that hold now, or on the day ``as_of``; None for a league that has none."""
    return StandingRules.objects.in_force([league], as_of or club_day()).get(league.pk)


def tables_by(
    league: League, rules: Sequence[TableSettings], as_of: date | None = None
) -> list[StandingsTable]:
    """The tables that ``rules`` make of ``league``; without any, the one by the sum of the points."""
    needs_games = any(one.needs_games for one in rules)
    return Gathered(league, as_of, needs_games=needs_games).tables(rules)


def tables_now(leagues: Iterable[League]) -> list[LeagueTable]:
    """The first table of each of ``leagues`` as it stands now, in their order.

    One query for all of them, one for standing rules if a league has some, and three more if these
    ask for the result of each game.
    """
    by_league: defaultdict[int, list[Figures]] = defaultdict(list)
    leagues = list(leagues)
    rules, today = main_rules(leagues), club_day()
    asking = [league for league in leagues if league.pk in rules and rules[league.pk].needs_games]
    results = game_figures(asking) if asking else {}
    tallies = Tally.objects.filter(league__in=leagues).order_by()
    for league, *figures in tallies.values_list("league", *TALLIED):
        row = Figures(*figures)
        if league in results:
            row = row._replace(results=results[league].get(row.player, ()))
        by_league[league].append(row)
    return [
        ranking.league_table(league, by_league[league.pk], rules.get(league.pk), today)
        for league in leagues
    ]


def main_rules(leagues: Iterable[League]) -> dict[int, TableSettings]:
    """The rules of the first table of each of ``leagues`` that has standing rules now, by its id."""
    versions = StandingRules.objects.in_force(leagues, club_day())
    return {pk: version.rules[0] for pk, version in versions.items() if version.rules}


# The columns of a tally that make ``Figures``, in their order.
TALLIED = ("player", "player__name", *PlayerSums._fields)


class Gathered:
    """What is known of the players of ``league``, from which any rules make their tables.

    :param needs_games: whether the result of each game is read, too.
    """

    def __init__(self, league: League, as_of: date | None, *, needs_games: bool) -> None:
        self.league = league
        self.day = as_of or club_day()
        results = game_figures([league], as_of).get(league.pk, {}) if needs_games else None
        rows = _now(league) if as_of is None else _as_of(league, as_of, results)
        self.rows = {row["player"].pk: row for row in rows}
        self.figures = [_figures(row, results) for row in rows]

    def tables(self, rules: Sequence[TableSettings]) -> list[StandingsTable]:
        """The tables that ``rules`` make; without any, the one by the sum of the points."""
        return [self._table(one) for one in rules or (None,)]

    def results_of(self, player: int) -> tuple[GameFigures, ...]:
        """The results of the games of ``player`` (an id), if they were asked for."""
        return next((row.results for row in self.figures if row.player == player), ())

    def _table(self, rules: TableSettings | None) -> StandingsTable:
        table = ranking.league_table(self.league, self.figures, rules, self.day)
        return StandingsTable(
            rules=rules,
            rows=[
                StandingsRow(line.rank, **self._columns(line.row.player), standing=line.standing)
                for line in table.lines
            ],
            teams=[
                StandingsTeam(
                    rank,
                    team.name,
                    team.value,
                    [self.rows[pk]["player"] for pk in team.players if pk in self.rows],
                )
                for rank, team in table.teams
            ],
            inactive=table.inactive,
        )

    def _columns(self, player: int) -> dict[str, Any]:
        row = self.rows[player]
        return {name: row[name] for name in COLUMNS}


COLUMNS = ("player", "points", "hands", "wins", "games", "best_hand", "band")


def _figures(row: dict[str, Any], results: Results | None) -> Figures:
    player, sums = row["player"], PlayerSums(*(row[name] for name in PlayerSums._fields))
    of_player = results.get(player.pk, ()) if results else ()
    return Figures(player.pk, player.name, *sums, results=of_player)


def _now(league: League) -> list[dict[str, Any]]:
    tallies = Tally.objects.filter(league=league).select_related("player")
    return [
        {
            "player": tally.player,
            **{name: getattr(tally, name) for name in PlayerSums._fields},
            "band": tally.band,
        }
        for tally in tallies
    ]


def _as_of(league: League, day: date, results: Results | None) -> list[dict[str, Any]]:
    """The sums of each player at the end of ``day``: of the ``results`` of games where they are known."""
    by_player = _sums(league, day) if results is None else _sums_of(results)
    _add_adjustments(by_player, league, day, in_games=results is None)
    bands = _bands_then(league, day)
    players = Player.objects.in_bulk(by_player)
    return [
        {
            **row,
            "player": players[pk],
            "best_hand": row["best_hand"] or 0,
            "band": bands.get(pk, NEWCOMER),
        }
        for pk, row in by_player.items()
    ]


def _sums(league: League, day: date) -> dict[int, dict[str, Any]]:
    # Each column of ``PlayerSums``, added up by the database. The model is ``Gain.add`` of the tallies.
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
            discards=Count("pk", filter=Q(hand__discarder=F("player"))),
        )
    )
    return {row["player"]: dict[str, Any](row) for row in sums.order_by("player")}


def _sums_of(results: Results) -> dict[int, dict[str, Any]]:
    """The same sums, of games that were read already; with what was booked in them."""
    return {player: PlayerSums.of(games)._asdict() for player, games in sorted(results.items())}


def _add_adjustments(
    rows: dict[int, dict[str, Any]], league: League, day: date, *, in_games: bool
) -> None:
    """Add the adjustments booked by the end of ``day``; who has no hand yet stands with them alone.

    What was booked in a game belongs to its evening, and is left out unless ``in_games``.
    """
    counted = Q(adjustment__game__isnull=True, adjustment__made_at__lt=day_ends(day))
    if in_games:
        counted |= Q(adjustment__game__evening__lte=day)
    booked = Transfer.objects.counted().filter(counted, adjustment__league=league)
    for player, points in booked.points().items():
        rows.setdefault(player, PlayerSums()._asdict())["points"] += points


def _bands_then(league: League, day: date) -> dict[int, RatingBand]:
    """Each player's rating after the last game of ``league`` of an evening up to ``day``; before one, the first.

    Games are rated in the order in which they finished. One that was ended days after its evening is
    rated from what the games in between had made of its players.
    """
    rated = Rating.objects.filter(game__league=league, game__evening__lte=day)
    bands = {row.player_id: row.band for row in latest_of(rated).only("player_id", "mu", "sigma")}
    brought = {player: RatingBand.of(*start) for player, start in first_ratings(league).items()}
    return brought | bands
