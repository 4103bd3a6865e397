"""Notices: what somebody should hear of, and each way on which it is sent to them."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# A notice is deleted when it is older, read or not.
KEPT_FOR = timedelta(days=90)


class NoticeKind(models.TextChoices):
    """What a notice is about. The texts stand in ``scoring.queries.notice_texts``."""

    INVITATION = "invitation", _("an invitation")
    RESET = "reset", _("a link to a new password")
    DISPUTED = "disputed", _("a hand of yours is disputed")
    SETTLED = "settled", _("a dispute about a hand of yours is settled")
    CORRECTED = "corrected", _("a hand of yours is corrected")
    DISPUTE = "dispute", _("a dispute waits for an organiser")
    LATE_HAND = "late_hand", _("a late hand waits for an organiser")
    RECAP = "recap", _("your evening, when it is closed")
    ROLE = "role", _("a role is given to you, or taken away")
    GUEST = "guest", _("hands that you played as a guest become yours")
    CLAIM = "claim", _("somebody says who they are, and asks you whether it is so")
    ACCOUNT = "account", _("your account: its mail address, password or second step")


class Channel(models.TextChoices):
    """How a notice reaches somebody besides the list on the site, which has all of them."""

    MAIL = "mail", _("mail")
    PUSH = "push", _("on your devices")


BOTH = frozenset(Channel)
MAIL_ONLY = frozenset({Channel.MAIL})
PUSH_ONLY = frozenset({Channel.PUSH})

# The channels of who has chosen none.
DEFAULTS: Mapping[NoticeKind, frozenset[Channel]] = {
    NoticeKind.INVITATION: MAIL_ONLY,
    NoticeKind.RESET: MAIL_ONLY,
    NoticeKind.DISPUTED: BOTH,
    NoticeKind.SETTLED: PUSH_ONLY,
    NoticeKind.CORRECTED: PUSH_ONLY,
    NoticeKind.DISPUTE: BOTH,
    NoticeKind.LATE_HAND: BOTH,
    NoticeKind.RECAP: PUSH_ONLY,
    NoticeKind.ROLE: BOTH,
    NoticeKind.GUEST: BOTH,
    NoticeKind.CLAIM: BOTH,
    NoticeKind.ACCOUNT: MAIL_ONLY,
}
# Sent because somebody asked for them, or for the safety of the account: nobody chooses.
ALWAYS_SENT = frozenset({NoticeKind.INVITATION, NoticeKind.RESET, NoticeKind.ACCOUNT})
FOR_ORGANISERS = frozenset({NoticeKind.DISPUTE, NoticeKind.LATE_HAND})
# These do not wait behind three hundred invitations.
URGENT = frozenset({NoticeKind.RESET, NoticeKind.ACCOUNT, NoticeKind.DISPUTED, NoticeKind.DISPUTE})


def new_key() -> str:
    """A key of 24 letters, as a push service takes it for a topic."""
    return secrets.token_urlsafe(18)


class Notice(models.Model):
    """One thing that one person should hear of.

    Names nobody: ``params`` are numbers and keys of rows, and the text is made from them for its reader.

    :ivar recipient: None for who is invited, and has no account.
    """

    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="notices",
        verbose_name=_("for"),
    )
    kind = models.CharField(_("about"), max_length=12, choices=NoticeKind)
    params = models.JSONField(_("details"), default=dict, blank=True)
    made_at = models.DateTimeField(_("made"), default=timezone.now, db_index=True)
    read_at = models.DateTimeField(_("read"), null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            # Partial, and so small: every page counts the unread ones, and nearly all are read.
            models.Index(
                fields=["recipient"], condition=Q(read_at__isnull=True), name="notice_unread"
            )
        ]

    def __str__(self) -> str:
        return self.get_kind_display()


class NoticeChoice(models.Model):
    """Whether somebody wants notices of a kind on a channel, where they have said so."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="notice_choices",
        verbose_name=_("account"),
    )
    kind = models.CharField(_("about"), max_length=12, choices=NoticeKind)
    channel = models.CharField(_("channel"), max_length=4, choices=Channel)
    wanted = models.BooleanField(_("wanted"))

    class Meta:
        verbose_name = _("choice about notices")
        verbose_name_plural = _("choices about notices")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "channel"], name="notice_chosen_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.channel}: {self.wanted}"


def require_push_service(endpoint: str) -> None:
    """:raises ValidationError: unless ``endpoint`` is an https address with a public name.

    Where the name leads is checked when something is sent there.
    """
    try:
        parts = urlsplit(endpoint)
        fine = parts.scheme == "https" and parts.port in (None, 443) and not parts.username
        host = parts.hostname or ""
    except ValueError:
        fine, host = False, ""
    if not fine or "." not in host or host.endswith((".local", ".localhost", ".internal", ".")):
        raise ValidationError(_("This is no address of a push service."), code="endpoint")
    try:
        ip_address(host)
    except ValueError:
        return
    raise ValidationError(_("This is no address of a push service."), code="endpoint")


class PushSubscription(models.Model):
    """A browser that shows notices of ``user``: where to send them, and its keys."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="push_subscriptions",
        verbose_name=_("account"),
    )
    endpoint = models.CharField(
        _("address"), max_length=1000, unique=True, validators=[require_push_service]
    )
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("secret"), max_length=40)
    device = models.CharField(_("device"), max_length=60, blank=True)
    made_at = models.DateTimeField(_("made"), default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("device for notices")
        verbose_name_plural = _("devices for notices")

    def __str__(self) -> str:
        return self.device or urlsplit(self.endpoint).hostname or ""


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self) -> "DeliveryQuerySet":
        """Those whose time has come, what is urgent first."""
        waiting = self.filter(state=Delivery.State.WAITING, next_try_at__lte=timezone.now())
        return waiting.order_by("-urgent", "next_try_at", "pk")


class Delivery(models.Model):
    """A notice on its way through one channel. A worker sends it (``scoring.operations.outbox``).

    :ivar next_try_at: when it is due. Whoever takes it puts this off first: if they die, another one
        takes it then.
    :ivar key: stays the same for every try, so that the receiver recognises a repetition.
    :ivar address: where a mail goes; empty for that of the account.
    :ivar link: a secret path, until it is sent.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given_up", _("given up")

    notice = models.ForeignKey(
        Notice, on_delete=models.CASCADE, related_name="deliveries", verbose_name=_("notice")
    )
    channel = models.CharField(_("channel"), max_length=4, choices=Channel)
    subscription = models.ForeignKey(
        PushSubscription,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="deliveries",
        verbose_name=_("device"),
    )
    address = models.EmailField(_("address"), blank=True)
    # Whoever has it can set a password: it is emptied once it was sent.
    link = models.CharField(max_length=500, blank=True, editable=False)
    urgent = models.BooleanField(_("urgent"), default=False)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    next_try_at = models.DateTimeField(_("next try"), default=timezone.now)
    key = models.CharField(_("key"), max_length=24, unique=True, default=new_key, editable=False)
    reason = models.CharField(_("why not"), max_length=300, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes = [
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="delivery_due")
        ]
        constraints = [
            # A device that signs off takes what is on its way to it along; a mail needs none.
            models.CheckConstraint(
                condition=Q(channel="push", subscription__isnull=False)
                | Q(channel="mail", subscription__isnull=True),
                name="delivery_knows_its_device",
            )
        ]

    def __str__(self) -> str:
        return f"{self.notice}, {self.get_channel_display()}"
