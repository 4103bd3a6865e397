"""Events of a game: changes after it was opened. Rows are only added."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .games import Game
from .lengths import LONGEST_REASON
from .permissions import Reason
from .proposed_reasons import in_words
from .refusals import REASON_FOR_LATER


class GameEvent(models.Model):
    """One change to a game as a whole, by whom and why.

    ``before`` is how the game was before a change of seats or a move: ``seats`` (the ids of the four
    players), ``league`` and ``ruleset_version`` (ids) and ``evening``. Versions of hands up to
    ``last_hand`` were played like that.
    """

    class Kind(models.TextChoices):
        REOPENED = "reopened", _("opened again")
        SEATS = "seats", _("seats changed")
        MOVED = "moved", _("moved")
        WITHDRAWN = "withdrawn", _("withdrawn")
        RESTORED = "restored", _("restored")

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="events", verbose_name=_("game")
    )
    kind = models.CharField(_("what"), max_length=10, choices=Kind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )
    at = models.DateTimeField(_("when"), default=timezone.now)
    reason = Reason(_("reason"), max_length=LONGEST_REASON)
    before = models.JSONField(_("before"), default=dict, blank=True)
    last_hand = models.PositiveBigIntegerField(_("last hand before"), default=0)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("change to a game")
        verbose_name_plural = _("changes to games")
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason=""),
                name="game_event_has_a_reason",
                violation_error_message=REASON_FOR_LATER,
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["reopened", "seats", "moved", "withdrawn", "restored"]),
                name="game_event_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.get_kind_display()}"

    @property
    def why(self) -> str:
        """The reason, in the reader's language if a page proposed it."""
        return in_words(self.reason)
