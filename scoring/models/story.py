"""Stored sums of the story of a league, so that no page reads all of its hands."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from .leagues import League
from .people import Player


class StorySum(models.Model):
    """What the hands of one ``span`` of a league say about one player: worked out, never entered.

    :ivar span: a day, month or year as ISO 8601 writes it; "all" for all that was played.
    :ivar within: the next longer span; empty for all that was played.
    :ivar figures: as :mod:`scoring.story.figures` adds them up.
    :ivar version: by which ``VERSION`` of :mod:`scoring.story.evenings` it was worked out.
    """

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="+", verbose_name=_("league")
    )
    span = models.CharField(_("day, month or year"), max_length=10)
    within = models.CharField(_("part of"), max_length=7, blank=True)
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="+", verbose_name=_("player")
    )
    version = models.PositiveSmallIntegerField(_("version"))
    figures = models.JSONField(_("figures"))

    class Meta:
        ordering = ["league", "span", "player"]
        verbose_name = _("figures of a player")
        verbose_name_plural = _("figures of players")
        indexes = [models.Index(fields=["league", "within"], name="story_within")]
        constraints = [
            models.UniqueConstraint(fields=["league", "span", "player"], name="story_once")
        ]

    def __str__(self) -> str:
        return f"{self.player}, {self.league}: {self.span}"


class StoryChange(models.Model):
    """What counts on an evening has changed since its sums were worked out.

    Each change adds a row, so nobody who logs a hand waits for another table.
    """

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="+", verbose_name=_("league")
    )
    evening = models.DateField(_("evening"))

    class Meta:
        ordering = ["pk"]
        verbose_name = _("evening to be worked out")
        verbose_name_plural = _("evenings to be worked out")

    def __str__(self) -> str:
        return f"{self.league}, {self.evening}"
