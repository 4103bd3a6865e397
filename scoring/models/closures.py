"""Evenings and seasons that an organiser closed, and perhaps opened again."""

from typing import Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .lengths import LONGEST_REASON
from .permissions import Reason

ClosureT = TypeVar("ClosureT", bound="Closure")


class ClosureQuerySet(models.QuerySet[ClosureT]):
    def in_force(self) -> Self:
        """Those that were not taken back."""
        return self.filter(Closure.IN_FORCE)


class Closure(models.Model):
    """Who closed something and when; who opened it again, when and why.

    Each closure is a row of its own; at most one of the same thing is in force.
    """

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

    objects = ClosureQuerySet.as_manager()

    class Meta:
        abstract = True
