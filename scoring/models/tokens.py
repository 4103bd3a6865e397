"""Tokens: what a program signs in with, in the name of a member."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .permissions import Scope
from .refusals import NAMELESS_TOKEN, TOKEN_FOR_NOTHING


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def ended(self) -> "ApiTokenQuerySet":
        """Those that have ended, by their date or with another password."""
        return self.filter(models.Q(ends_at__lte=timezone.now()) | models.Q(password_changed=True))


class ApiToken(models.Model):
    """The right of a program to act as ``user``, within its scopes, until it ends.

    Only a digest of the token is kept: whoever reads the database cannot sign in with it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="api_tokens",
        verbose_name=_("account"),
    )
    name = models.CharField(_("name"), max_length=80)
    digest = models.CharField(_("digest"), max_length=64, unique=True, editable=False)
    password_changed = models.BooleanField(_("the password changed since"), default=False)
    # A column for each scope, so that a constraint can ask for one of them.
    may_read = models.BooleanField(Scope.READ.label, default=True)
    may_log = models.BooleanField(Scope.LOG.label, default=False)
    may_organise = models.BooleanField(Scope.ORGANISE.label, default=False)
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    ends_at = models.DateTimeField(_("ends"))
    # A day, and no time: a program that asks each second would write each second.
    last_used_on = models.DateField(_("last used"), null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(name=""),
                name="api_token_has_a_name",
                violation_error_message=NAMELESS_TOKEN,
            ),
            models.CheckConstraint(
                condition=models.Q(may_read=True)
                | models.Q(may_log=True)
                | models.Q(may_organise=True),
                name="api_token_may_do_something",
                violation_error_message=TOKEN_FOR_NOTHING,
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scopes(self) -> frozenset[Scope]:
        """What it may do."""
        given = {
            Scope.READ: self.may_read,
            Scope.LOG: self.may_log,
            Scope.ORGANISE: self.may_organise,
        }
        return frozenset(scope for scope, granted in given.items() if granted)

    @property
    def ended_by_date(self) -> bool:
        return self.ends_at <= timezone.now()

    def clean(self) -> None:
        self.name = " ".join(self.name.split())
