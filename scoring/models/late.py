"""Hands that came too late: the game was ended, or its evening closed, before a phone could send them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .games import Game, not_withdrawn
from .hands import Hand
from .lengths import LONGEST_REASON
from .permissions import Reason


class LateHandQuerySet(models.QuerySet["LateHand"]):
    def waiting(self) -> "LateHandQuerySet":
        """Those that no organiser has decided, of games that were not withdrawn."""
        return self.filter(LateHand.WAITING)


class LateHand(models.Model):
    """A hand of a game that no longer takes hands. An organiser takes it in or declines it.

    ``entry`` is what the phone sent, by the names of ``HandEntry``; who took the place of a player
    since stands in it instead, and ``entry_fingerprint`` is of what was sent. ``number`` is the position that
    the phone gave it; several late hands of a game are taken in by their numbers.
    """

    class Status(models.TextChoices):
        ASKED = "asked", pgettext_lazy("a late hand", "waiting")
        TAKEN = "taken", _("taken in")
        DECLINED = "declined", _("declined")

    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="late_hands", verbose_name=_("game")
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("logged by"),
    )
    key = models.CharField(
        _("entry key"), max_length=200, help_text=_("The key the phone gave it.")
    )
    number = models.PositiveIntegerField(_("number"))
    entry = models.JSONField(_("entry"))
    entry_fingerprint = models.CharField(
        _("fingerprint of the entry"),
        max_length=64,
        blank=True,
        default="",
        help_text=_("It tells whether a hand that is sent again is the same one."),
    )
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.ASKED)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    reason = Reason(
        _("reason"), max_length=LONGEST_REASON, blank=True, help_text=_("Why it was declined.")
    )
    hand = models.OneToOneField(
        Hand,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="late_hand",
        verbose_name=_("hand"),
    )

    # The condition that no organiser has decided it, and that its game was not withdrawn.
    WAITING = not_withdrawn("game__") & Q(status=Status.ASKED)

    objects = LateHandQuerySet.as_manager()

    class Meta:
        ordering = ["game", "number", "pk"]
        verbose_name = _("late hand")
        verbose_name_plural = _("late hands")
        constraints = [
            # Asked twice, by two tabs or after a lost answer, it is there once.
            models.UniqueConstraint(fields=["game", "by", "key"], name="late_hand_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="late_hand_counts_from_one"),
            # Two organisers who decide at once: what is taken in has its hand, and nothing else has one.
            models.CheckConstraint(
                condition=Q(status="asked", decided_at__isnull=True, hand__isnull=True)
                | Q(status="taken", decided_at__isnull=False, hand__isnull=False)
                | (
                    Q(status="declined", decided_at__isnull=False, hand__isnull=True)
                    & ~Q(reason="")
                ),
                name="late_hand_is_decided_once",
                violation_error_message=_("Say why the hand is declined."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.number}"
