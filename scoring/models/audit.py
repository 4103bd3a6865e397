"""The audit: one row for each call that writes, with who did what and when. Rows are only added."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """One call that wrote something, in the transaction that wrote it.

    Only ever added: a trigger in the database refuses any change. ``by`` keeps the id of an account
    that is deleted later; it is empty for what was done on the server. What was written stands in
    the row that ``subject`` and ``subject_id`` name; ``details`` hold what that row no longer says.
    """

    at = models.DateTimeField(_("when"), default=timezone.now, db_index=True)
    # The number stays when its account is deleted. To empty it, the database would change a row that the
    # trigger keeps from any change.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who"),
    )
    action = models.CharField(_("what"), max_length=40)
    # No foreign key: the entries of a row outlive it.
    subject = models.CharField(_("kind of row"), max_length=40)
    subject_id = models.PositiveBigIntegerField(_("its number"))
    details = models.JSONField(_("details"), default=dict, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["subject", "subject_id"], name="audit_of_a_row")]
        verbose_name = _("entry of the audit")
        verbose_name_plural = _("audit")

    def __str__(self) -> str:
        return f"{self.action}: {self.subject} {self.subject_id}"
