"""Work out from ratings the chances of four people to finish first."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.evaluator.rounding import nearest
from scoring.evaluator.transfers import apportion
from scoring.models import League, Player
from scoring.models.club import rates_across_leagues
from scoring.models.tallies import RATING_BETA, RatingBand, RatingValue, present_ratings

# Of fewer nothing is said: their ratings come from games of at least so many.
LEAST_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of a player to finish first, in whole percent.

    :ivar low: if the player is as weak as the band allows; ``high``: as strong.
    """

    player: Player
    band: RatingBand
    percent: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Seating:
    """The chances of those who sit down together; together 100 percent.

    :ivar chances: in the order of the seats; empty if somebody is unknown, or they are too few.
    :ivar unknown: who has no rating yet.
    :ivar across_leagues: whether the ratings across leagues were taken.
    """

    chances: list[Chance]
    unknown: list[Player]
    across_leagues: bool

    @property
    def provisional(self) -> bool:
        """Whether one of the ratings is."""
        return any(chance.band.provisional for chance in self.chances)


def seating_chances(league: League, players: Sequence[Player]) -> Seating:
    """The chance of each of ``players`` to finish first in a game of ``league``. Two queries.

    The ratings across leagues are taken where the club has them, else those of the league.
    """
    across = rates_across_leagues()
    known = present_ratings(None if across else league, players)
    unknown = [player for player in players if player.pk not in known]
    if unknown or len(players) < LEAST_PLAYERS:
        return Seating([], unknown, across)
    estimates = [known[player.pk] for player in players]
    whole = percents(first_chances(estimates))
    chances = []
    for place, player in enumerate(players):
        mu, sigma = estimates[place]
        low, high = (_percent(estimates, place, mu + side * 2 * sigma) for side in (-1, 1))
        # What is rounded to add up to 100 may leave the band by one.
        low, high = min(low, whole[place]), max(high, whole[place])
        chances.append(Chance(player, RatingBand.of(mu, sigma), whole[place], low, high))
    return Seating(chances, [], across)


def first_chances(
    estimates: Sequence[RatingValue], strengths: Sequence[float] | None = None
) -> list[float]:
    """The chance of each to be first: exp(mu / c) over the sum of all, c² = the sum of sigma² + beta².

    That is what the ratings themselves suppose before a game (Weng and Lin, "A Bayesian approximation
    method for online ranking", JMLR 12, 2011, algorithm 4).

    :param strengths: in place of the means.
    """
    c = math.sqrt(sum(sigma**2 + RATING_BETA**2 for _mu, sigma in estimates))
    means = [mu for mu, _sigma in estimates] if strengths is None else strengths
    most = max(means)
    weights = [math.exp((mean - most) / c) for mean in means]
    return [weight / sum(weights) for weight in weights]


def percents(shares: Sequence[float]) -> list[int]:
    """Shares of 1 as whole percent that add up to 100: the largest remainders are rounded up.

    >>> percents([1 / 3, 1 / 3, 1 / 3])
    [34, 33, 33]
    """
    return list(apportion(dict(enumerate(Fraction(share * 100) for share in shares))).values())


def _percent(estimates: Sequence[RatingValue], place: int, strength: float) -> int:
    """The chance in ``place`` with that ``strength`` against the means of the others."""
    strengths = [mu for mu, _sigma in estimates]
    strengths[place] = strength
    return nearest(100 * first_chances(estimates, strengths)[place])
