"""What is kept so that no page adds up a season: a tally a player and league, ratings a game."""

import math
from dataclasses import dataclass

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .games import Game
from .leagues import League
from .people import Player

RATING_MU = 25.0
RATING_SIGMA = 25.0 / 3


def shown_rating(mu: float, sigma: float) -> int:
    """A rating as a whole number, 1000 for a newcomer: 1000 + 24 × (mu − 3 sigma)."""
    return round(1000 + 24 * (mu - 3 * sigma))


NEWCOMER = shown_rating(RATING_MU, RATING_SIGMA)

# Points of a rating for one of the model. A newcomer has 1000, with a deviation of 200.
POINTS = 24

# From this deviation on (whole points) a rating is provisional. About 15 games of four lead below it.
PROVISIONAL_FROM = 150


@dataclass(frozen=True, slots=True)
class RatingBand:
    """How strong somebody is, and how sure that is, in whole points.

    The strength lies between ``low`` and ``high`` with a probability of 95 %.

    :ivar deviation: the standard deviation of ``rating``.
    """

    rating: int
    deviation: int

    @classmethod
    def of(cls, mu: float, sigma: float) -> "RatingBand":
        """The band of a rating of the model."""
        return cls(round(1000 + POINTS * (mu - RATING_MU)), round(POINTS * sigma))

    @property
    def margin(self) -> int:
        """Two standard deviations."""
        return 2 * self.deviation

    @property
    def low(self) -> int:
        return self.rating - self.margin

    @property
    def high(self) -> int:
        return self.rating + self.margin

    @property
    def provisional(self) -> bool:
        """Whether too little was played to be sure."""
        return self.deviation >= PROVISIONAL_FROM


# How much less a rating says after a season: Glickman's rule for a player who does not play, which adds
# the variance WIDENING² for each period up to that of a newcomer ("The Glicko system", 1999, step 1). A
# player rated three times as surely as a newcomer is as unknown as one after ten seasons without a game.
SEASONS_TO_FORGET = 10
WIDENING = math.sqrt((RATING_SIGMA**2 - (RATING_SIGMA / 3) ** 2) / SEASONS_TO_FORGET)


def widened(sigma: float, seasons: int = 1) -> float:
    """The uncertainty with which somebody begins who had ``sigma`` so many ``seasons`` ago."""
    return min(math.hypot(sigma, WIDENING * math.sqrt(seasons)), RATING_SIGMA)


def average(points: int, hands: int) -> float:
    """Points a hand, to one decimal; 0 without a hand."""
    return round(points / hands, 1) if hands else 0.0


class Tally(models.Model):
    """What one player has gathered in one league, kept by increments with every hand."""

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="tallies", verbose_name=_("league")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="tallies", verbose_name=_("player")
    )
    points = models.BigIntegerField(_("points"), default=0)
    hands = models.PositiveIntegerField(_("hands"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    self_drawn = models.PositiveIntegerField(_("self-drawn wins"), default=0)
    discards = models.PositiveIntegerField(_("winning discards"), default=0)
    games = models.PositiveIntegerField(_("games"), default=0)
    best_hand = models.PositiveIntegerField(_("best hand"), default=0)
    rating_mu = models.FloatField(_("rating, mean"), default=RATING_MU)
    rating_sigma = models.FloatField(_("rating, uncertainty"), default=RATING_SIGMA)
    # What the player brought along from an earlier season; else that of a newcomer.
    start_mu = models.FloatField(_("first rating, mean"), default=RATING_MU)
    start_sigma = models.FloatField(_("first rating, uncertainty"), default=RATING_SIGMA)

    class Meta:
        ordering = ["league", "-points", "player"]
        verbose_name = _("result in a league")
        verbose_name_plural = _("results by league")
        constraints = [
            models.UniqueConstraint(fields=["league", "player"], name="tally_once"),
            models.CheckConstraint(
                condition=Q(wins__lte=F("hands")), name="tally_wins_within_hands"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}, {self.league}: {self.points}"

    @property
    def average(self) -> float:
        return average(self.points, self.hands)

    @property
    def rating(self) -> int:
        return shown_rating(self.rating_mu, self.rating_sigma)

    @property
    def start(self) -> tuple[float, float]:
        """Mean and uncertainty before the first game."""
        return self.start_mu, self.start_sigma


class Rating(models.Model):
    """A player's rating after one finished game, so that every rating can be traced back."""

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="ratings", verbose_name=_("game")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="ratings", verbose_name=_("player")
    )
    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))

    class Meta:
        ordering = ["game", "player"]
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.shown}"

    @property
    def shown(self) -> int:
        return shown_rating(self.mu, self.sigma)

    @property
    def band(self) -> RatingBand:
        return RatingBand.of(self.mu, self.sigma)
