"""A league from nothing: what its players have gathered, and how they are rated."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import isclose

from scoring.models import Hand, League, Player, Tally
from scoring.models.tallies import NEWCOMER_RATING, RatingValue
from scoring.services.ratings import rated
from scoring.services.tallies import Gain

from .differences import Difference
from .reading import GameData, Rated

COUNTED = ("points", "hands", "wins", "self_drawn", "discards", "games", "best_hand")


class Ledger:
    """The tallies and ratings of one league, as its games are added in their order."""

    def __init__(self, league: League) -> None:
        self.gains: defaultdict[int, Gain] = defaultdict(Gain)
        # With what somebody begins follows from another season, as it was then.
        # Read of every league: a start that is stored where nothing was brought along is to be noticed.
        self.ratings: Rated = {
            tally.player_id: tally.start for tally in Tally.objects.filter(league=league)
        }

    def add(
        self, data: GameData, hands: Iterable[tuple[Hand, Mapping[int, int]]], *, finished: bool
    ) -> Rated:
        """Count the ``hands`` of a game that count, with their payments (whole points by player).

        The ratings after it, mean and uncertainty by player; empty for a game that rates nobody.
        """
        if data.game.withdrawn:
            return {}
        # Who sits down has a tally, even before the first hand.
        for seat in data.game.table:
            self.gains.setdefault(seat.player_id, Gain())
        totals: dict[int, int] = defaultdict(int)
        for position, (hand, payments) in enumerate(hands):
            for player, amount in payments.items():
                self.gains[player].add(hand, player, amount, first_of_game=position == 0)
                totals[player] += amount
        self.post(data.booked)
        if not (finished and totals):
            return {}
        for player in totals:
            totals[player] += data.booked[player]
        after = rated({player: self.rating(player) for player in totals}, totals)
        self.ratings.update(after)
        return after

    def post(self, amounts: Mapping[int, int]) -> None:
        """Add points that no hand brought."""
        for player, amount in amounts.items():
            self.gains[player].points += amount

    def rating(self, player: int) -> RatingValue:
        """Mean and uncertainty of ``player`` after the games so far, or before any."""
        return self.ratings.get(player, NEWCOMER_RATING)

    def columns(self, player: int) -> dict[str, int | float]:
        """What the tally of ``player`` holds."""
        gains, (mu, sigma) = self.gains.get(player, Gain()), self.rating(player)
        counted = {column: getattr(gains, column) for column in COUNTED}
        return {**counted, "rating_mu": mu, "rating_sigma": sigma}


def same(stored: float, computed: float) -> bool:
    """Whether two figures are one: the last bits of a rating differ between machines."""
    return isclose(stored, computed, rel_tol=1e-9, abs_tol=1e-9)


def tally_differences(league: League, ledger: Ledger) -> Iterator[Difference]:
    """The tallies of ``league`` that hold something else than ``ledger``, or are missing."""
    differs = partial(Difference, league.slug)
    missing = set(ledger.gains)
    for tally in Tally.objects.filter(league=league).select_related("player").order_by("player"):
        missing.discard(tally.player_id)
        for column, computed in ledger.columns(tally.player_id).items():
            stored = getattr(tally, column)
            if not same(stored, computed):
                yield differs(f"tally.{column}", stored, computed, player=tally.player.name)
    for player in Player.objects.filter(pk__in=missing).order_by("pk"):
        yield differs("tally", None, ledger.columns(player.pk), player=player.name)


def rating_differences(data: GameData, after: Rated) -> Iterator[Difference]:
    """The ratings after a game that are others than ``after``, are missing, or are too many."""
    if data.ratings == after:
        return
    differs = partial(Difference, data.game.league.slug, game=data.game.pk)
    names = {seat.player_id: seat.player.name for seat in data.game.table}
    for player in {**after, **data.ratings}:
        of_player = partial(differs, player=names.get(player, f"#{player}"))
        stored, computed = data.ratings.get(player), after.get(player)
        if stored is None or computed is None:
            yield of_player("rating", stored, computed)
            continue
        for column, there, figure in zip(("mu", "sigma"), stored, computed, strict=True):
            if not same(there, figure):
                yield of_player(f"rating.{column}", there, figure)
