"""Ratings: how they came about, and the table of those across leagues."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import Lag, RowNumber

from scoring.models import ClubRating, ClubTally, Game, League, Player, Rating
from scoring.models.game_tables import with_table
from scoring.models.letters import plain_letters
from scoring.models.permissions import User
from scoring.models.tallies import NEWCOMER_RATING, RatingBand, first_ratings

from .games import game_results
from .ranking import rank

# How many evenings a picture shows.
EVENINGS = 200

# Games are rated in the order in which they finished.
NEWEST_FIRST = (F("game__finished_at").desc(), F("game_id").desc())
OLDEST_FIRST = (F("game__finished_at").asc(), F("game_id").asc())


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating at the end of an evening, in whole points, between ``low`` and ``high`` most probably."""

    day: date
    band: RatingBand

    @property
    def rating(self) -> int:
        return self.band.rating

    @property
    def low(self) -> int:
        return self.band.low

    @property
    def high(self) -> int:
        return self.band.high


def rating_points(
    player: Player, league: League | None, *, last: int = EVENINGS
) -> list[RatingPoint]:
    """The ratings of ``player`` in ``league``, one an evening, the oldest first; the ``last`` of them.

    One query. Who has finished no game has none.

    :param league: None for the ratings across leagues.
    """
    newest = Window(RowNumber(), partition_by="game__evening", order_by=NEWEST_FIRST)
    evenings = _rows(player, league).annotate(line=newest).filter(line=1).order_by("-game__evening")
    points = [
        RatingPoint(day, RatingBand.of(mu, sigma))
        for day, mu, sigma in evenings.values_list("game__evening", "mu", "sigma")[:last]
    ]
    return points[::-1]


def rating_rows(player: Player, league: League | None) -> QuerySet[Any]:
    """The ratings of ``player`` after each game, the newest first, with what they were before.

    ``mu_before`` and ``sigma_before`` are None of the first game.

    :param league: None for the ratings across leagues.
    """
    rows = _rows(player, league).annotate(
        mu_before=Window(Lag("mu"), order_by=OLDEST_FIRST),
        sigma_before=Window(Lag("sigma"), order_by=OLDEST_FIRST),
    )
    ordered: QuerySet[Any] = rows.order_by(*NEWEST_FIRST)
    return ordered


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that moved a rating by ``change`` points to ``band``.

    :ivar rank: the place in that game, one ``of`` so many.
    :ivar points: what was won or lost in it.
    """

    game: Game
    rank: int
    of: int
    points: int
    change: int
    band: RatingBand


def rated_games(
    player: Player, league: League | None, rows: Sequence[Rating | ClubRating]
) -> list[RatedGame]:
    """The games of these ``rows`` of :func:`rating_rows`, in their order. A fixed number of queries."""
    first = _first_band(player, league)
    games = with_table(Game.objects.filter(pk__in=[row.game_id for row in rows]))
    results = {result.game.pk: result for result in game_results(list(games))}
    return [_rated_game(row, player, results[row.game_id], first) for row in rows]


def _rated_game(row: Any, player: Player, result: Any, first: RatingBand) -> RatedGame:
    score = result.score_of(player)
    before = first if row.mu_before is None else RatingBand.of(row.mu_before, row.sigma_before)
    return RatedGame(
        game=result.game,
        rank=score.rank,
        of=len(result.scores),
        points=score.total,
        change=row.band.rating - before.rating,
        band=row.band,
    )


def _first_band(player: Player, league: League | None) -> RatingBand:
    """With which rating ``player`` began: that of a newcomer, or what an earlier season left."""
    brought = first_ratings(league) if league else {}
    return RatingBand.of(*brought.get(player.pk, NEWCOMER_RATING))


def leagues_rated_in(player: Player, user: User) -> list[League]:
    """The leagues that ``user`` may see in which ``player`` was rated, that of the latest game first."""
    rated = Rating.objects.filter(player=player, game__league=OuterRef("pk"))
    latest = rated.order_by("-game__started_at").values("game__started_at")[:1]
    leagues = League.objects.visible_to(user).annotate(last_rated=Subquery(latest))
    return list(leagues.exclude(last_rated=None).order_by("-last_rated", "pk"))


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A line of the table across leagues; no ``rank`` while the rating is provisional."""

    rank: int | None
    player: Player
    games: int
    band: RatingBand


def club_table(as_of: date | None = None) -> list[ClubRow]:
    """The ratings of those who still play, over all leagues: the sure ones ranked, the others below.

    Two queries at most. Empty in a club that does not rate across leagues.

    :param as_of: at the end of that day; None means now.
    """
    rows = _club_now() if as_of is None else _club_then(as_of)
    rows.sort(key=lambda row: (-row.band.rating, plain_letters(row.player.name)))
    sure = [row for row in rows if not row.band.provisional]
    ranked = [
        ClubRow(place, row.player, row.games, row.band)
        for place, row in rank(sure, lambda row: row.band.rating)
    ]
    return ranked + [row for row in rows if row.band.provisional]


def _club_now() -> list[ClubRow]:
    tallies = ClubTally.objects.filter(player__active=True).select_related("player").order_by()
    return [ClubRow(None, tally.player, tally.games, tally.band) for tally in tallies]


def _club_then(day: date) -> list[ClubRow]:
    rows = ClubRating.objects.filter(game__evening__lte=day, player__active=True)
    counted = rows.order_by().values_list("player").annotate(games=Count("pk"))
    games = dict(counted)
    latest = latest_of(rows).select_related("player")
    return [ClubRow(None, row.player, games[row.player_id], row.band) for row in latest]


def latest_of(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The last of these ratings of each player."""
    newest = Window(RowNumber(), partition_by="player", order_by=NEWEST_FIRST)
    latest: QuerySet[Any] = rows.annotate(line=newest).filter(line=1).order_by()
    return latest


def _rows(player: Player, league: League | None) -> QuerySet[Any]:
    if league is None:
        return ClubRating.objects.filter(player=player)
    return Rating.objects.filter(player=player, game__league=league)
