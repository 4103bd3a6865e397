"""Ratings: each finished game is a match of four, ranked by what they won (Plackett-Luce).

The games of a league are rated in the order in which they finished, each from where the ones before
left its players. What changes a finished game therefore changes what came after it, as far as it
reaches; only that is rated again.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery
from openskill.models import PlackettLuce

from scoring.models import Game, League, Player, Rating, Tally
from scoring.models.tallies import RATING_MU, RATING_SIGMA
from scoring.models.totals import Totals, results
from scoring.story import store

MODEL = PlackettLuce()
INITIAL_RATING = (RATING_MU, RATING_SIGMA)

# Mean and uncertainty of a rating.
RatingValue = tuple[float, float]


def rate(game: Game, *, finished_at: datetime | None = None) -> None:
    """Rate ``game``, which has just finished or changed, and what follows from it.

    A game that is open, or in which no hand counts, rates nobody. Call it in the transaction that
    changes the game, after ``tallies.lock()`` and after what it counts was saved.

    :param finished_at: when it had finished, for a game that is open again.
    """
    since = game.finished_at or finished_at
    assert since is not None
    # Some awards are only for games that are over.
    store.changed(game.league_id, [game.evening])
    played = Game.objects.filter(league=game.league_id, finished_at__isnull=False)
    later = played.filter(_after(since, game.pk))
    if game.finished and not game.ratings.exists() and not later.exists():
        _rate_newest(game)
    else:
        _rate_again(game, since, later)


def rated(before: Mapping[int, RatingValue], totals: Mapping[int, int]) -> dict[int, RatingValue]:
    """Mean and uncertainty of each player after a game that ended with ``totals`` (whole points)."""
    players = sorted(totals)
    teams = [[MODEL.rating(mu=before[one][0], sigma=before[one][1])] for one in players]
    after = MODEL.rate(teams, scores=[float(totals[one]) for one in players])
    return {one: (team[0].mu, team[0].sigma) for one, team in zip(players, after, strict=True)}


def _after(at: datetime, game: int) -> Q:
    return Q(finished_at__gt=at) | Q(finished_at=at, pk__gt=game)


def _rate_newest(game: Game) -> None:
    """Rate ``game``, the last to finish: its players begin with the ratings of their tallies."""
    for totals in results([game]).values():
        tallies = Tally.objects.filter(league=game.league_id, player__in=totals)
        before = {tally.player_id: (tally.rating_mu, tally.rating_sigma) for tally in tallies}
        after = rated(before, totals)
        Rating.objects.bulk_create(_row(game.pk, player, after[player]) for player in after)
        _keep(game.league_id, after)


def _rate_again(game: Game, since: datetime, later: QuerySet[Game]) -> None:
    """Rate ``game``, and each later one that somebody enters with another rating than before."""
    earlier = Q(game__finished_at__lt=since) | Q(game__finished_at=since, game__lt=game.pk)
    own = {player.pk for player in game.players}
    starts = _starts(game.league)
    replayed = _Replay(starts | _ratings_after(game.league_id, earlier, Q(pk__in=own)))
    totals = results([game]) if game.finished else {}
    replayed.rate(game.pk, totals.get(game.pk, {}), list(game.ratings.all()))
    if replayed.moved:
        replayed.ratings |= _ratings_after(game.league_id, earlier, ~Q(pk__in=own))
        _rate_later(replayed, later)
    replayed.save(game.league_id)


def _rate_later(replayed: "_Replay", later: QuerySet[Game]) -> None:
    totals = results(later)
    rows: dict[int, list[Rating]] = {}
    for row in Rating.objects.filter(game__in=later):
        rows.setdefault(row.game_id, []).append(row)
    for pk in later.order_by("finished_at", "pk").values_list("pk", flat=True):
        replayed.rate(pk, totals.get(pk, {}), rows.get(pk, []))


def _starts(league: League) -> dict[int, RatingValue]:
    """The ratings that players brought along from an earlier season of ``league``."""
    if league.first_season_id is None:
        return {}
    return {tally.player_id: tally.start for tally in Tally.objects.filter(league=league)}


def _ratings_after(league: int, earlier: Q, who: Q) -> dict[int, RatingValue]:
    """The ratings of those players of ``league`` after the ``earlier`` games, if they played any."""
    last = (
        Rating.objects.filter(earlier, player=OuterRef("pk"), game__league=league)
        .order_by("-game__finished_at", "-game_id")
        .values("pk")[:1]
    )
    players = Player.objects.filter(who, tallies__league=league).order_by()
    rows = Rating.objects.filter(pk__in=players.annotate(last=Subquery(last)).values("last"))
    return {row.player_id: (row.mu, row.sigma) for row in rows}


class _Replay:
    """The ratings of a league's players, carried from game to game.

    :ivar ratings: by player, of earlier seasons too; who is not named is a newcomer.
    :ivar moved: who left the last game with another rating than is stored.
    """

    def __init__(self, ratings: dict[int, RatingValue]) -> None:
        self.ratings = ratings
        self.moved: set[int] = set()
        self._touched: set[int] = set()
        self._new: list[Rating] = []
        self._changed: list[Rating] = []
        self._gone: list[int] = []

    def rate(self, game: int, totals: Totals, stored: list[Rating]) -> None:
        """Go through one game that ended with ``totals`` and whose ratings are ``stored``."""
        rows = {row.player_id: row for row in stored}
        if self._touched and not self.moved & set(totals):
            after = {player: (row.mu, row.sigma) for player, row in rows.items()}
        else:
            before = {player: self.ratings.get(player, INITIAL_RATING) for player in totals}
            after = rated(before, totals) if totals else {}
            for player in sorted({*after, *rows}):
                self._compare(game, player, rows.get(player), after.get(player))
        self.ratings |= after

    def save(self, league: int) -> None:
        """Store what came out differently, and the ratings that its players end with."""
        Rating.objects.filter(pk__in=self._gone).delete()
        Rating.objects.bulk_create(self._new)
        Rating.objects.bulk_update(self._changed, ["mu", "sigma"], batch_size=200)
        _keep(
            league, {player: self.ratings.get(player, INITIAL_RATING) for player in self._touched}
        )

    def _compare(
        self, game: int, player: int, row: Rating | None, after: RatingValue | None
    ) -> None:
        if row is not None and after == (row.mu, row.sigma):
            self.moved.discard(player)
            return
        self.moved.add(player)
        self._touched.add(player)
        if row is None:
            assert after is not None
            self._new.append(_row(game, player, after))
        elif after is None:
            self._gone.append(row.pk)
        else:
            row.mu, row.sigma = after
            self._changed.append(row)


def _row(game: int, player: int, rating: RatingValue) -> Rating:
    return Rating(game_id=game, player_id=player, mu=rating[0], sigma=rating[1])


def _keep(league: int, ratings: Mapping[int, RatingValue]) -> None:
    tallies = list(Tally.objects.filter(league=league, player__in=ratings))
    for tally in tallies:
        tally.rating_mu, tally.rating_sigma = ratings[tally.player_id]
    Tally.objects.bulk_update(tallies, ["rating_mu", "rating_sigma"])
