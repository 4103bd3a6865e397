"""Among which games a rating is worked out, and where it is kept: a league, or all leagues of the club."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from scoring.models import Club, ClubRating, ClubTally, Game, League, Player, Rating, Tally
from scoring.models.tallies import RatingValue, first_ratings, present_ratings


class RatingScope(Protocol):
    """The games that are rated one after the other. A row is the rating of a player after a game."""

    @property
    def model(self) -> type[Rating] | type[ClubRating]:
        """The kind of its rows."""

    def rows(self) -> QuerySet[Any]:
        """Its rows, and those of other scopes of its kind."""

    def games(self) -> QuerySet[Game]:
        """All games that have finished."""

    def starts(self) -> dict[int, RatingValue]:
        """With which ratings players begin who do not begin as newcomers."""

    def now(self, players: Iterable[int]) -> dict[int, RatingValue]:
        """The present ratings of ``players`` (ids); who is not named is a newcomer."""

    def before(self, earlier: Q, who: Q) -> dict[int, RatingValue]:
        """The ratings of those players after the ``earlier`` games, if they played any."""

    def keep(self, ratings: Mapping[int, RatingValue]) -> None:
        """Store the present ratings of these players, after their rows were saved."""


class LeagueScope:
    """The games of one league. Players begin with what they brought along from an earlier season."""

    model = Rating

    def __init__(self, league: League) -> None:
        self.league = league

    def rows(self) -> QuerySet[Rating]:
        return Rating.objects.all()

    def games(self) -> QuerySet[Game]:
        return Game.objects.filter(league=self.league, finished_at__isnull=False)

    def starts(self) -> dict[int, RatingValue]:
        return first_ratings(self.league)

    def now(self, players: Iterable[int]) -> dict[int, RatingValue]:
        return present_ratings(self.league, players)

    def before(self, earlier: Q, who: Q) -> dict[int, RatingValue]:
        rows = Rating.objects.filter(earlier, game__league=self.league)
        return _last_of(rows, Player.objects.filter(who, tallies__league=self.league))

    def keep(self, ratings: Mapping[int, RatingValue]) -> None:
        tallies = list(Tally.objects.filter(league=self.league, player__in=ratings))
        for tally in tallies:
            tally.rating_mu, tally.rating_sigma = ratings[tally.player_id]
        Tally.objects.bulk_update(tallies, ["rating_mu", "rating_sigma"])


class ClubScope:
    """The games of all leagues. Everybody begins as a newcomer."""

    model = ClubRating

    def rows(self) -> QuerySet[ClubRating]:
        return ClubRating.objects.all()

    def games(self) -> QuerySet[Game]:
        return Game.objects.filter(finished_at__isnull=False)

    def starts(self) -> dict[int, RatingValue]:
        return {}

    def now(self, players: Iterable[int]) -> dict[int, RatingValue]:
        return present_ratings(None, players)

    def before(self, earlier: Q, who: Q) -> dict[int, RatingValue]:
        players = Player.objects.filter(who, club_tally__isnull=False)
        return _last_of(ClubRating.objects.filter(earlier), players)

    def keep(self, ratings: Mapping[int, RatingValue]) -> None:
        rated = ClubRating.objects.filter(player__in=ratings).values_list("player")
        games = dict(rated.annotate(games=Count("pk")).order_by())
        ClubTally.objects.filter(player__in=set(ratings) - set(games)).delete()
        ClubTally.objects.bulk_create(
            [
                ClubTally(
                    player_id=player, mu=ratings[player][0], sigma=ratings[player][1], games=n
                )
                for player, n in games.items()
            ],
            update_conflicts=True,
            unique_fields=["player"],
            update_fields=["mu", "sigma", "games"],
        )


def scopes_of(league: League) -> list[RatingScope]:
    """In which scopes a game of ``league`` is rated; asked after ``tallies.lock()``."""
    league_scope = LeagueScope(league)
    return [league_scope, ClubScope()] if lock_club_ratings() else [league_scope]


def lock_club_ratings() -> bool:
    """Whether the club rates across leagues. If so, nobody else changes these ratings now."""
    across = Club.objects.select_for_update(no_key=True).filter(pk=1, rates_across_leagues=True)
    return bool(across.values_list("pk"))


def _last_of(
    rows: QuerySet[Rating] | QuerySet[ClubRating], players: QuerySet[Player]
) -> dict[int, RatingValue]:
    """The last of ``rows`` of each of ``players``."""
    own = rows.filter(player=OuterRef("pk")).order_by("-game__finished_at", "-game_id")
    last = players.order_by().annotate(last=Subquery(own.values("pk")[:1])).values("last")
    last_rows = rows.model._base_manager.filter(pk__in=last)
    return {row.player_id: (row.mu, row.sigma) for row in last_rows}
