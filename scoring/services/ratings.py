"""Ratings: each finished game is a match of four, ranked by what they won (Plackett-Luce).

The games of a scope (a league; all leagues, if the club wishes) are rated in the order in which they
finished, each from where the ones before left its players. What changes a finished game therefore
changes what came after it, as far as it reaches; only that is rated again.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import Q, QuerySet
from openskill.models import PlackettLuce

from scoring.models import ClubRating, ClubTally, Game, Rating
from scoring.models.tallies import NEWCOMER_RATING, RatingValue
from scoring.models.totals import Totals, results
from scoring.story import store

from . import tallies
from .left_sticks import share_out
from .rating_scopes import ClubScope, RatingScope, lock_club_ratings, scopes_of

MODEL = PlackettLuce()

# How many games are rated at once where all are.
GAMES_AT_ONCE = 500


def rate(game: Game, *, finished_at: datetime | None = None) -> None:
    """Rate ``game``, which has just finished or changed, and what follows from it.

    A game that is open, or in which no hand counts, rates nobody. Call it in the transaction that
    changes the game, after ``tallies.lock()`` and after what it counts was saved.

    :param finished_at: when it had finished, for a game that is open again.
    """
    since = game.finished_at or finished_at
    assert since is not None
    # Some awards are only for games that are over.
    store.evenings_changed(game.league_id, [game.evening])
    for scope in scopes_of(game.league):
        later = scope.games().filter(_after(since, game.pk))
        if game.finished and not _rows(scope, [game.pk]).exists() and not later.exists():
            _rate_newest(scope, game)
        else:
            _rate_again(scope, game, since, later)


def share_out_and_rate(game: Game, *, finished_at: datetime | None = None) -> None:
    """Bring what follows from the end of ``game`` up to date: sticks that are left, then ratings.

    The sticks come first: a game is rated by its totals. Call it as :func:`rate`.
    """
    share_out(game)
    rate(game, finished_at=finished_at)


def rate_club_anew() -> None:
    """Work out all ratings across leagues from nothing. The caller lets nobody finish a game meanwhile."""
    forget_club_ratings()
    ratings: dict[int, RatingValue] = {}
    games = club_ratings()
    while some := list(islice(games, GAMES_AT_ONCE)):
        ClubRating.objects.bulk_create(
            ClubRating(game_id=game, player_id=player, mu=mu, sigma=sigma)
            for game, after in some
            for player, (mu, sigma) in after.items()
        )
        for _game, after in some:
            ratings |= after
    ClubScope().keep(ratings)


def rebuild_club_ratings() -> None:
    """Rate all games across leagues anew, or delete these ratings: as the club (saved) wishes."""
    if lock_club_ratings():
        # Who is ending a game has all tallies of its league, and rates it by the setting of before.
        tallies.lock_all()
        rate_club_anew()
    else:
        forget_club_ratings()


def forget_club_ratings() -> None:
    """Delete all ratings across leagues."""
    ClubTally.objects.all().delete()
    ClubRating.objects.all().delete()


def club_ratings() -> Iterator[tuple[int, dict[int, RatingValue]]]:
    """The games of all leagues in their order (ids), each with the ratings of its players after it."""
    ratings: dict[int, RatingValue] = {}
    games = iter(ClubScope().games().order_by("finished_at", "pk").values_list("pk", flat=True))
    while some := list(islice(games, GAMES_AT_ONCE)):
        totals = results(Game.objects.filter(pk__in=some))
        for game in some:
            if won := totals.get(game):
                after = rated({one: ratings.get(one, NEWCOMER_RATING) for one in won}, won)
                ratings |= after
                yield game, after


def rated(before: Mapping[int, RatingValue], totals: Mapping[int, int]) -> dict[int, RatingValue]:
    """Mean and uncertainty of each player after a game that ended with ``totals`` (whole points)."""
    players = sorted(totals)
    teams = [[MODEL.rating(mu=before[one][0], sigma=before[one][1])] for one in players]
    after = MODEL.rate(teams, scores=[float(totals[one]) for one in players])
    return {one: (team[0].mu, team[0].sigma) for one, team in zip(players, after, strict=True)}


def _after(at: datetime, game: int) -> Q:
    return Q(finished_at__gt=at) | Q(finished_at=at, pk__gt=game)


def _rate_newest(scope: RatingScope, game: Game) -> None:
    """Rate ``game``, the last to finish: its players begin with their present ratings."""
    for totals in results([game]).values():
        now = scope.now(totals)
        after = rated({player: now.get(player, NEWCOMER_RATING) for player in totals}, totals)
        scope.rows().bulk_create([_row(scope, game.pk, player, after[player]) for player in after])
        scope.keep(after)


def _rate_again(scope: RatingScope, game: Game, since: datetime, later: QuerySet[Game]) -> None:
    """Rate ``game``, and each later one that somebody enters with another rating than before."""
    earlier = Q(game__finished_at__lt=since) | Q(game__finished_at=since, game__lt=game.pk)
    own = {player.pk for player in game.players}
    replayed = _Replay(scope, scope.starts() | scope.before(earlier, Q(pk__in=own)))
    totals = results([game]) if game.finished else {}
    replayed.rate(game.pk, totals.get(game.pk, {}), list(_rows(scope, [game.pk])))
    if replayed.moved:
        replayed.ratings |= scope.before(earlier, ~Q(pk__in=own))
        _rate_later(replayed, later)
    replayed.save()


def _rate_later(replayed: "_Replay", later: QuerySet[Game]) -> None:
    totals = results(later)
    rows: dict[int, list[Rating | ClubRating]] = {}
    for row in _rows(replayed.scope, later):
        rows.setdefault(row.game_id, []).append(row)
    for pk in later.order_by("finished_at", "pk").values_list("pk", flat=True):
        replayed.rate(pk, totals.get(pk, {}), rows.get(pk, []))


class _Replay:
    """The ratings of the players of ``scope``, carried from game to game.

    :ivar ratings: by player, of earlier seasons too; who is not named is a newcomer.
    :ivar moved: who left the last game with another rating than is stored.
    """

    def __init__(self, scope: RatingScope, ratings: dict[int, RatingValue]) -> None:
        self.scope = scope
        self.ratings = ratings
        self.moved: set[int] = set()
        self._touched: set[int] = set()
        self._new: list[Rating | ClubRating] = []
        self._changed: list[Rating | ClubRating] = []
        self._gone: list[int] = []

    def rate(self, game: int, totals: Totals, stored: list[Rating | ClubRating]) -> None:
        """Go through one game that ended with ``totals`` and whose ratings are ``stored``."""
        rows = {row.player_id: row for row in stored}
        if self._touched and not self.moved & set(totals):
            after = {player: (row.mu, row.sigma) for player, row in rows.items()}
        else:
            before = {player: self.ratings.get(player, NEWCOMER_RATING) for player in totals}
            after = rated(before, totals) if totals else {}
            for player in sorted({*after, *rows}):
                self._compare(game, player, rows.get(player), after.get(player))
        self.ratings |= after

    def save(self) -> None:
        """Store what came out differently, and the ratings that its players end with."""
        stored = self.scope.rows()
        stored.filter(pk__in=self._gone).delete()
        stored.bulk_create(self._new)
        stored.bulk_update(self._changed, ["mu", "sigma"], batch_size=200)
        self.scope.keep(
            {player: self.ratings.get(player, NEWCOMER_RATING) for player in self._touched}
        )

    def _compare(
        self,
        game: int,
        player: int,
        row: Rating | ClubRating | None,
        after: RatingValue | None,
    ) -> None:
        if row is not None and after == (row.mu, row.sigma):
            self.moved.discard(player)
            return
        self.moved.add(player)
        self._touched.add(player)
        if row is None:
            assert after is not None
            self._new.append(_row(self.scope, game, player, after))
        elif after is None:
            self._gone.append(row.pk)
        else:
            row.mu, row.sigma = after
            self._changed.append(row)


def _rows(scope: RatingScope, games: QuerySet[Game] | list[int]) -> QuerySet[Any]:
    return scope.rows().filter(game__in=games)


def _row(scope: RatingScope, game: int, player: int, rating: RatingValue) -> Rating | ClubRating:
    return scope.model(game_id=game, player_id=player, mu=rating[0], sigma=rating[1])
