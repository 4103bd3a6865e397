"""A member says: that guest was me."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .hands import Hand
from .people import Player
from .permissions import User


class GuestClaim(models.Model):
    """That the account ``by`` says to have been the guest ``player``, and what was answered.

    :ivar agreed: None while nobody has answered.
    """

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="claims", verbose_name=_("player")
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("account"),
    )
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)
    agreed = models.BooleanField(_("agreed"), null=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    answered_at = models.DateTimeField(_("answered"), null=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("claim to a guest’s games")
        verbose_name_plural = _("claims to guests’ games")
        constraints = [
            models.UniqueConstraint(
                fields=["player", "by"],
                condition=Q(agreed__isnull=True),
                name="guest_claimed_once_by_each",
            ),
            models.CheckConstraint(
                condition=Q(agreed__isnull=True, answered_at__isnull=True)
                | Q(agreed__isnull=False, answered_at__isnull=False),
                name="guest_claim_answered_with_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.by}"

    def seen_by(self, user: User) -> bool:
        """Whether ``user`` had played with the guest when this was asked: a hand of theirs stands.

        A game that is opened for the sake of the claim tells nothing of who the guest was.
        """
        return self._together().filter(game__seats__player__user=user.pk).exists()

    def witnesses(self) -> set[int]:
        """The accounts (ids) that it is :meth:`seen_by`."""
        games = self._together().values("game")
        players = Player.objects.filter(seats__game__in=games, user__isnull=False)
        return set(players.values_list("user_id", flat=True))

    def _together(self) -> models.QuerySet[Hand]:
        # A hand that is disputed was played all the same.
        hands = Hand.objects.current().played().filter(played_at__lt=self.asked_at)
        return hands.filter(game__seats__player=self.player_id)
