"""Closing a season: its table is final, and stored as it was."""

from fractions import Fraction
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .closures import Closure
from .leagues import League
from .people import Player
from .standing_rules import StandingRules
from .tallies import RatingBand


class SeasonClosure(Closure):
    """An organiser closed a season, and perhaps opened it again later, with a reason.

    While it is in force nobody changes what was played, and ``rows`` are the final tables. Opening the
    season again deletes these.
    """

    league = models.ForeignKey(
        League, on_delete=models.PROTECT, related_name="season_closures", verbose_name=_("league")
    )
    day = models.DateField(_("day of the table"))
    standing_rules = models.ForeignKey(
        StandingRules,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("standing rules"),
        help_text=_("Empty: by the sum of the points."),
    )

    class Meta(Closure.Meta):
        ordering = ["-pk"]
        verbose_name = _("closed season")
        verbose_name_plural = _("closed seasons")
        constraints = [
            # Closures that were taken back stay, with their reasons.
            models.UniqueConstraint(
                fields=["league"],
                condition=Closure.IN_FORCE,
                name="season_closed_once",
                violation_error_message=_("This season is closed already."),
            ),
            models.CheckConstraint(
                condition=Closure.IN_FORCE | ~Q(reason=""),
                name="season_reopened_for_a_reason",
                violation_error_message=_("Say why the season is opened again."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.day}"


class FinalRow(models.Model):
    """A line of a final table: of a player, or of a team. Points in whole points.

    ``table`` counts the tables of the league from 0 on, ``position`` the lines of each. ``value`` is what
    was ranked, exact: "1190" or "47/3". Of a team there is nothing but this.
    """

    closure = models.ForeignKey(
        SeasonClosure, on_delete=models.CASCADE, related_name="rows", verbose_name=_("season")
    )
    table = models.PositiveSmallIntegerField(_("table"))
    position = models.PositiveIntegerField(_("line"))
    rank = models.PositiveIntegerField(_("rank"), null=True, blank=True)
    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="final_rows",
        verbose_name=_("player"),
    )
    team = models.CharField(_("team"), max_length=60, blank=True)
    # From here on figures of that day, copied: the certificate stays as it was printed, also when a later
    # version of the site works out other ones. ``verify`` names the differences.
    # A text: no column of a database holds a fraction exactly, and equal averages share a rank.
    value = models.CharField(_("figure"), max_length=60)
    points = models.BigIntegerField(_("points"), default=0)
    hands = models.PositiveIntegerField(_("hands"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    games = models.PositiveIntegerField(_("games"), default=0)
    best_hand = models.PositiveIntegerField(_("best hand"), default=0)
    rating = models.IntegerField(_("rating"), default=0)
    # None where the table is from before ratings had bands: its ratings are on the scale of that time.
    rating_deviation = models.PositiveIntegerField(
        _("deviation of the rating"), null=True, blank=True
    )
    # What counted towards the minimum (``Standing.towards_minimum``), and the minimum.
    played = models.PositiveIntegerField(_("played"), default=0)
    needed = models.PositiveIntegerField(_("needed"), default=0)

    class Meta:
        ordering = ["closure", "table", "position"]
        verbose_name = _("line of a final table")
        verbose_name_plural = _("lines of final tables")
        constraints = [
            # Two organisers who close a season at once write one table.
            models.UniqueConstraint(
                fields=["closure", "table", "position"], name="final_row_at_one_place"
            ),
            models.UniqueConstraint(
                fields=["closure", "table", "player"],
                condition=Q(player__isnull=False),
                name="final_row_of_a_player_once",
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, team="") | (Q(player__isnull=True) & ~Q(team="")),
                name="final_row_of_a_player_or_team",
            ),
            models.CheckConstraint(
                condition=Q(rank__isnull=True) | Q(rank__gte=1), name="final_rank_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}: {self.player or self.team}"

    def clean_fields(self, exclude: Any = None) -> None:
        super().clean_fields(exclude)
        try:
            _exact = self.figure
        except (ValueError, ZeroDivisionError) as error:
            raise ValidationError({"value": _("This is no number.")}) from error

    @property
    def band(self) -> RatingBand | None:
        """The rating with its band; None in a table from before there were bands."""
        if self.rating_deviation is None:
            return None
        return RatingBand(self.rating, self.rating_deviation)

    @property
    def figure(self) -> Fraction:
        """``value`` as a number.

        :raises ValueError: if it is none.
        """
        return Fraction(self.value)
