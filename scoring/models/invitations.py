"""Invitations: links with which people make an account of their own."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from .people import Player

MOST_CARDS = 300  # as many as one page invites at once


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def running(self) -> "InvitationQuerySet":
        """Those with which somebody can still join."""
        return self.filter(used_at=None, ends_at__gt=timezone.now(), revoked_at=None)


class Invitation(models.Model):
    """A link for ``player``, once, or for whoever has it. Of its code only a digest is kept.

    :ivar username: the name to sign in with that the page proposes; empty leaves it to the page.
    :ivar used_at: when somebody joined with one that is valid once. It stays when their account goes.
    """

    digest = models.CharField(_("digest"), max_length=64, unique=True, editable=False)
    # Not SET_NULL: without its player it would be a link for whoever has it.
    player = models.ForeignKey(
        Player,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="invitations",
        verbose_name=_("player"),
    )
    once = models.BooleanField(_("valid once"), default=True)
    email = models.EmailField(_("mail address"), blank=True)
    username = models.CharField(_("sign-in name"), max_length=150, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    ends_at = models.DateTimeField(_("ends"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=True) | Q(once=True),
                name="invitation_of_a_player_is_for_once",
                violation_error_message=_("An invitation for one player is valid once."),
            ),
        ]

    def __str__(self) -> str:
        return str(self.player or date_format(timezone.localtime(self.made_at)))

    @property
    def ended(self) -> bool:
        """Whether its day is over."""
        return self.ends_at <= timezone.now()


class InvitationUse(models.Model):
    """An account that was made with an invitation.

    :ivar invitation: None on a site that the club has moved to; no link moves along.
    :ivar claim: the player who its person says to be, until an organiser decides.
    :ivar name: how its person was called.
    """

    invitation = models.ForeignKey(
        Invitation,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="uses",
        verbose_name=_("invitation"),
    )
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="invitation_use",
        verbose_name=_("account"),
    )
    name = models.CharField(_("name"), max_length=80, blank=True)
    claim = models.ForeignKey(
        Player,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitation_claims",
        verbose_name=_("says to be"),
    )
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("use of an invitation")
        verbose_name_plural = _("uses of invitations")

    def __str__(self) -> str:
        return self.name
