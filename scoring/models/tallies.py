"""Stored sums, so that no page adds up a season: a tally a player and league, ratings a game."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.rounding import nearest
from scoring.figures import rounded

from .games import Game
from .leagues import League
from .people import Player

RATING_MU = 25.0
RATING_SIGMA = 25.0 / 3
# How much luck is in one game, as a deviation.
RATING_BETA = 25.0 / 6

# Mean and uncertainty of a rating.
RatingValue = tuple[float, float]
NEWCOMER_RATING: RatingValue = (RATING_MU, RATING_SIGMA)


# Points of a rating for one of the model. A newcomer has 1000, with a deviation of 200.
MIDDLE, POINTS = 1000, 24

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
        return cls(nearest(MIDDLE + POINTS * (mu - RATING_MU)), nearest(POINTS * sigma))

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


NEWCOMER = RatingBand.of(*NEWCOMER_RATING)


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
    return float(rounded(Fraction(points, hands), 1)) if hands else 0.0


class Tally(models.Model):
    """What one player has gathered in one league, kept by increments with every hand."""

    # The sums go with their league, which is deleted only while nobody has played in it. A player who has
    # played is merged or made anonymous, and never deleted.
    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="tallies", verbose_name=_("league")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="tallies", verbose_name=_("player")
    )
    # Whole points of hands that count and of bookings. ``verify`` adds them up anew and compares.
    points = models.BigIntegerField(_("points"), default=0)
    hands = models.PositiveIntegerField(_("hands"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    self_drawn = models.PositiveIntegerField(_("self-drawn wins"), default=0)
    discards = models.PositiveIntegerField(_("winning discards"), default=0)
    games = models.PositiveIntegerField(_("games"), default=0)
    # A maximum cannot be taken back by subtracting: it is looked up anew when its hand no longer counts.
    best_hand = models.PositiveIntegerField(_("best hand"), default=0)
    # As of the last finished game of the league; ``Rating`` has every step that led there.
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
            # Two tables log the first hand of a newcomer at once: one row for both.
            models.UniqueConstraint(fields=["league", "player"], name="tally_once"),
            # An increment that is lost, or made twice, is refused here before a page shows it.
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
    def band(self) -> RatingBand:
        return RatingBand.of(self.rating_mu, self.rating_sigma)

    @property
    def start(self) -> RatingValue:
        """Mean and uncertainty before the first game."""
        return self.start_mu, self.start_sigma


class RatingColumns(models.Model):
    """A rating as the model has it: a mean and its uncertainty."""

    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))

    class Meta:
        abstract = True

    @property
    def band(self) -> RatingBand:
        return RatingBand.of(self.mu, self.sigma)


class Rating(RatingColumns):
    """A player's rating after one finished game, so that every rating can be traced back."""

    # Worked out from the games, and made anew when an earlier hand is corrected: they go with theirs.
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="ratings", verbose_name=_("game")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="ratings", verbose_name=_("player")
    )

    class Meta:
        ordering = ["game", "player"]
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.band.rating}"


class ClubRating(RatingColumns):
    """The same for the ratings across leagues, of a club that wishes them."""

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="club_ratings", verbose_name=_("game")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="club_ratings", verbose_name=_("player")
    )

    class Meta:
        ordering = ["game", "player"]
        verbose_name = _("rating across leagues")
        verbose_name_plural = _("ratings across leagues")
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="club_rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.band.rating}"


class ClubTally(RatingColumns):
    """The rating of a player across leagues as it stands now, after so many rated ``games``."""

    player = models.OneToOneField(
        Player,
        on_delete=models.PROTECT,
        related_name="club_tally",
        verbose_name=_("player"),
    )
    games = models.PositiveIntegerField(_("games"), default=0)

    class Meta:
        ordering = ["player"]
        verbose_name = _("present rating across leagues")
        verbose_name_plural = _("present ratings across leagues")

    def __str__(self) -> str:
        return f"{self.player}: {self.band.rating}"


def first_ratings(league: League) -> dict[int, RatingValue]:
    """With which rating each player (id) began in ``league`` who brought one along; who is not named was a newcomer."""
    if league.first_season_id is None:
        return {}
    return {tally.player_id: tally.start for tally in Tally.objects.filter(league=league)}


def present_ratings(
    league: League | None, players: Iterable[Player | int]
) -> dict[int, RatingValue]:
    """The rating of each of ``players``, by id, after the games so far; who is not named is a newcomer.

    :param league: None for the ratings across leagues.
    """
    if league is None:
        across = ClubTally.objects.filter(player__in=players)
        return {tally.player_id: (tally.mu, tally.sigma) for tally in across}
    tallies = Tally.objects.filter(league=league, player__in=players)
    # Whose rating was carried over may be as unsure as a newcomer, but has another mean.
    rated = tallies.filter(Q(rating_sigma__lt=RATING_SIGMA) | ~Q(rating_mu=RATING_MU))
    return {tally.player_id: (tally.rating_mu, tally.rating_sigma) for tally in rated}
