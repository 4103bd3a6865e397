"""Answers kept for a while, so that a request sent twice is carried out once."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class IdempotencyKey(models.Model):
    """The answer to one writing call of one user under one key."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("user")
    )
    key = models.CharField(_("key"), max_length=200)
    fingerprint = models.CharField(
        _("fingerprint"), max_length=64, help_text=_("Digest of the call and its body.")
    )
    status = models.PositiveSmallIntegerField(_("status"), default=0)
    answer = models.JSONField(_("answer"), default=dict)
    created_at = models.DateTimeField(_("made"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("idempotency key")
        verbose_name_plural = _("idempotency keys")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
