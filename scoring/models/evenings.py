"""Evenings: the games of one league that began on one day of the club. An organiser closes them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .leagues import League
from .lengths import LONGEST_REASON
from .permissions import Reason


class EveningClosureQuerySet(models.QuerySet["EveningClosure"]):
    def in_force(self) -> "EveningClosureQuerySet":
        """Those that were not taken back."""
        return self.filter(EveningClosure.IN_FORCE)


class EveningClosure(models.Model):
    """An organiser closed an evening, and perhaps opened it again later, with a reason.

    While it is in force only organisers change what was played. Each closure is a row of its own.
    """

    league = models.ForeignKey(
        League, on_delete=models.PROTECT, related_name="closures", verbose_name=_("league")
    )
    day = models.DateField(_("evening"))
    closed_at = models.DateTimeField(_("closed"), default=timezone.now)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("closed by"),
    )
    reopened_at = models.DateTimeField(_("reopened"), null=True, blank=True)
    reopened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("reopened by"),
    )
    reason = Reason(
        _("reason"), max_length=LONGEST_REASON, blank=True, help_text=_("Why it was reopened.")
    )

    # The condition that it was not taken back.
    IN_FORCE = Q(reopened_at__isnull=True)

    objects = EveningClosureQuerySet.as_manager()

    class Meta:
        # The model was called Closing; its table keeps that name, so that no release touches its rows.
        db_table = "scoring_closing"
        ordering = ["-day", "-pk"]
        verbose_name = _("closed evening")
        verbose_name_plural = _("closed evenings")
        constraints = [
            models.UniqueConstraint(
                fields=["league", "day"],
                condition=Q(reopened_at__isnull=True),
                name="evening_closed_once",
                violation_error_message=_("This evening is closed already."),
            ),
            models.CheckConstraint(
                condition=Q(reopened_at__isnull=True) | ~Q(reason=""),
                name="reopened_for_a_reason",
                violation_error_message=_("Say why the evening is opened again."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.day}"
