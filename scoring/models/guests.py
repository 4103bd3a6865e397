"""Claims of members to the games that they played as guests."""

from collections import defaultdict

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .events import HandEvent
from .hands import Hand
from .people import Player
from .permissions import User, is_organiser


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

    def may_be_answered_by(self, user: User) -> bool:
        """Whether ``user`` played with the guest or is an organiser, and is not who asks."""
        if not user.is_authenticated or user.pk == self.by_id:
            return False
        return is_organiser(user) or self.seen_by(user)

    def seen_by(self, user: User) -> bool:
        """Whether ``user`` had played with the guest when this was asked, and somebody else wrote it down.

        A hand counts that a third account has logged or confirmed: two who agree on a claim cannot make
        up a game between them.
        """
        return user.pk in self.witnesses()

    def witnesses(self) -> set[int]:
        """The accounts (ids) that it is :meth:`seen_by`."""
        writers = self._writers()
        players = Player.objects.filter(seats__game__in=writers, user__isnull=False)
        return {
            account
            for game, account in players.values_list("seats__game", "user")
            if writers.get(game, set()) - {account, self.by_id}
        }

    def _writers(self) -> dict[int, set[int]]:
        """Who logged and confirmed hands, by the game in which the guest had played them."""
        # A hand that is disputed was played all the same.
        hands = (
            Hand.objects.current()
            .played()
            .filter(played_at__lt=self.asked_at, game__seats__player=self.player_id)
        )
        confirmed = HandEvent.objects.filter(hand__in=hands, kind=HandEvent.Kind.CONFIRMED)
        writers: defaultdict[int, set[int]] = defaultdict(set)
        for game, *accounts in (
            *hands.values_list("game", "logged_by"),
            *confirmed.values_list("hand__game", "by", "player__user"),
        ):
            writers[game].update(account for account in accounts if account is not None)
        return writers
