"""The ratings of two records of one person that become one: in each league, and from season to season."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from scoring.models import Game, League, Player, Rating, Tally
from scoring.models.game_tables import with_table
from scoring.models.tallies import RatingValue

from . import tallies
from .ratings import rate

# The tallies of the two in one league, by player (ids).
Own = dict[int, Tally]


@dataclass(frozen=True, slots=True)
class TwoRatings:
    """How two records of one person are rated in one league.

    :ivar start: with which rating the one person begins; None for what the seasons before say.
    :ivar rated: of each who was rated the first game (its id) and the rating before it, in their order.
    """

    league: League
    start: RatingValue | None
    rated: list[tuple[int, RatingValue]]


def two_ratings(kept: Player, gone: Player) -> list[TwoRatings]:
    """The leagues that both have played, and the seasons of a series in which both have, in their order."""
    both = Tally.objects.filter(player__in=[kept, gone]).select_related("league")
    series: defaultdict[int, dict[League, Own]] = defaultdict(dict)
    for tally in both.order_by("league__starts_on", "league_id"):
        seasons = series[tally.league.first_season_id or tally.league_id]
        seasons.setdefault(tally.league, {})[tally.player_id] = tally
    met = [seasons for seasons in series.values() if len(set().union(*seasons.values())) == 2]
    return [two for seasons in met for two in _of_series(seasons)]


def rate_as_one(player: Player, leagues: list[TwoRatings]) -> None:
    """Rate the games of both records as those of ``player``, whose name is on all of them now.

    The tallies of ``leagues`` are locked, and hold the sums of both.
    """
    for two in leagues:
        tally = Tally.objects.get(league=two.league, player=player)
        brought = tallies.brought_along(two.league, [player])
        start = two.start or brought.get(player.pk, tally.start)
        tally.start_mu, tally.start_sigma = start
        last = _ratings(two.league, [player.pk]).last()
        tally.rating_mu, tally.rating_sigma = (last.mu, last.sigma) if last else start
        tally.save()
        for number, (game, began) in enumerate(two.rated):
            # Who came second began there as if the first had not played.
            if number or began != start:
                rate(with_table(Game.objects).get(pk=game))


def _of_series(seasons: Mapping[League, Own]) -> Iterator[TwoRatings]:
    earlier: set[int] = set()
    for league, own in seasons.items():
        first: dict[int, tuple[int, RatingValue]] = {}
        for row in _ratings(league, own):
            first.setdefault(row.player_id, (row.game_id, own[row.player_id].start))
        rated = list(first.values())
        yield TwoRatings(league, _start(league, own, earlier, rated), rated)
        earlier |= own.keys()


def _start(
    league: League, own: Own, earlier: set[int], rated: list[tuple[int, RatingValue]]
) -> RatingValue | None:
    """With which rating the one person begins in ``league``, where ``earlier`` have played a season before."""
    if league.closed_on is not None and rated:
        # It stays as it was closed.
        return rated[0][1]
    if len(earlier) == 2 or earlier - own.keys():
        return None
    return own[min(earlier or own)].start


def _ratings(league: League, players: Iterable[int]) -> QuerySet[Rating]:
    """The ratings of ``players`` (ids) after the games of ``league``, in their order."""
    rows = Rating.objects.filter(game__league=league, player__in=players)
    return rows.order_by("game__finished_at", "game_id")
