"""Evenings: the games of one league that began on one day of the club. An organiser closes them."""

from datetime import date

from django.db import models
from django.db.models import OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from .closures import Closure
from .leagues import League


class EveningClosure(Closure):
    """An organiser closed an evening, and perhaps opened it again later, with a reason.

    While it is in force only organisers change what was played. It ends the games that are in play, also one
    that is withdrawn then, once that is restored. None goes on by itself after that; an organiser may open
    one there, let one go on, or move one there that goes on.
    """

    league = models.ForeignKey(
        League, on_delete=models.PROTECT, related_name="closures", verbose_name=_("league")
    )
    day = models.DateField(_("evening"))

    class Meta(Closure.Meta):
        # The model was called Closing; its table keeps that name, so that no release touches its rows.
        db_table = "scoring_closing"
        ordering = ["-day", "-pk"]
        verbose_name = _("closed evening")
        verbose_name_plural = _("closed evenings")
        constraints = [
            models.UniqueConstraint(
                fields=["league", "day"],
                condition=Closure.IN_FORCE,
                name="evening_closed_once",
                violation_error_message=_("This evening is closed already."),
            ),
            models.CheckConstraint(
                condition=Closure.IN_FORCE | ~Q(reason=""),
                name="reopened_for_a_reason",
                violation_error_message=_("Say why the evening is opened again."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.day}"


def closure_of(
    league: League | int | OuterRef, day: date | OuterRef
) -> QuerySet[EveningClosure, EveningClosure]:
    """What keeps the evening of ``league`` (or its id) on ``day`` closed: one closure, or none if it is open."""
    return EveningClosure.objects.in_force().filter(league=league, day=day)


def is_evening_closed(league: League, day: date) -> bool:
    """Whether the evening of ``league`` on ``day`` is closed now."""
    return closure_of(league, day).exists()
