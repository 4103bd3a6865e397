"""Events of a hand after it was logged: confirmed, disputed, settled, taken back.

Only ever added. What holds now is what was said last; :class:`Confirmations` reads it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .hands import Hand
from .lengths import LONGEST_REASON
from .people import Player
from .permissions import Reason, is_account_of
from .refusals import REASON_FOR_LATER
from .scorers import entered_by, scorer_of


class HandEvent(models.Model):
    """One thing that somebody said about one version of a hand.

    ``player`` is whose answer it is and ``by`` whose phone it came from: they differ where the
    phone was passed round.
    """

    class Kind(models.TextChoices):
        CONFIRMED = "confirmed", _("confirmed")
        DISPUTED = "disputed", _("disputed")
        SETTLED = "settled", _("settled")
        VOID = "void", _("declared void")
        UNDONE = "undone", _("undone")

    class About(models.TextChoices):
        WINNER = "winner", _("the winner")
        DISCARDER = "discarder", _("who discarded")
        TILES = "tiles", _("the tiles")
        SCORE = "score", _("the score")
        OTHER = "other", _("something else")

    ANSWERS = (Kind.CONFIRMED, Kind.DISPUTED)
    ENDINGS = (Kind.VOID, Kind.UNDONE)

    hand = models.ForeignKey(
        Hand, on_delete=models.PROTECT, related_name="events", verbose_name=_("hand")
    )
    kind = models.CharField(_("what"), max_length=10, choices=Kind)
    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player"),
    )
    # Not always the account of ``player``: an organiser answers for a guest, who has none.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )
    at = models.DateTimeField(_("when"), default=timezone.now)
    about = models.CharField(
        _("about"),
        max_length=10,
        choices=About,
        blank=True,
        help_text=_("What is wrong with the hand, of a dispute."),
    )
    reason = Reason(_("reason"), max_length=LONGEST_REASON, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("answer or decision about a hand")
        verbose_name_plural = _("answers and decisions about hands")
        constraints = [
            # Of two who declare a hand void at once one is refused: its points go out of the sums once.
            models.UniqueConstraint(
                fields=["hand"],
                condition=Q(kind__in=["void", "undone"]),
                name="hand_ends_once",
            ),
            # An answer is one player's; a decision is an organiser's, for all four.
            models.CheckConstraint(
                condition=Q(kind__in=["confirmed", "disputed"], player__isnull=False)
                | Q(kind__in=["settled", "void", "undone"], player__isnull=True),
                name="players_answer",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["settled", "void"], reason=""),
                name="event_has_a_reason",
                violation_error_message=REASON_FOR_LATER,
            ),
            models.CheckConstraint(
                condition=Q(about="")
                | Q(kind="disputed", about__in=["winner", "discarder", "tiles", "score", "other"]),
                name="dispute_is_about_something_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand}: {self.get_kind_display()}"

    def copied_to(self, hand: Hand) -> "HandEvent":
        """The same as it holds for ``hand``, which takes the place of the one it was said about."""
        return HandEvent(
            hand=hand,
            kind=self.kind,
            player_id=self.player_id,
            by_id=self.by_id,
            at=self.at,
            about=self.about,
            reason=self.reason,
        )


class Confirmations:
    """What the others at the table say about one version of a hand, as of ``now``.

    Whoever entered what it says has said it by that (:func:`scoring.models.scorers.entered_by`); where
    that is none of the four, all are asked.
    """

    def __init__(
        self, hand: Hand, events: Iterable[HandEvent], *, now: datetime | None = None
    ) -> None:
        """``hand`` with its game, table and league at hand; ``events`` are its own."""
        self.hand = hand
        # In the order in which they were written: the clocks of two servers may differ.
        self._events = sorted(events, key=lambda event: event.pk)
        self._now = now or timezone.now()

    @property
    def asked(self) -> list[Player]:
        """The players who are asked, in the order of the seats; where a league asks none, those who dispute the hand."""
        if self.hand.game.league.hours_to_answer is None:
            disputing = {event.player_id for event in self.disputes if not self.settled}
            return [one for one in self.hand.game.players if one.pk in disputing]
        author = self.entered_by
        return [one for one in self.hand.game.players if not is_account_of(one, author)]

    @cached_property
    def entered_by(self) -> int | None:
        """The account (its id) that is not asked: it has entered what the hand says."""
        return entered_by(self.hand)

    @cached_property
    def scorer(self) -> int | None:
        """The account (its id) that logged the hand first."""
        return scorer_of(self.hand)

    @property
    def given(self) -> dict[int, HandEvent]:
        """The last answer of each player who gave one, by the player's id."""
        return {
            event.player_id: event
            for event in self._events
            if event.player_id is not None and event.kind in HandEvent.ANSWERS
        }

    @property
    def disputes(self) -> list[HandEvent]:
        """The disputes that nobody has withdrawn."""
        return [event for event in self.given.values() if event.kind == HandEvent.Kind.DISPUTED]

    @property
    def disputed(self) -> bool:
        """Whether somebody disputes the hand and no organiser has settled it: its points wait."""
        return bool(self.disputes) and self.settled is None

    @property
    def etag(self) -> str:
        """A fingerprint of the disputes: settling refuses when it has changed since the person saw them."""
        return " ".join(str(event.pk) for event in self.disputes)

    def phone_of(self, guest: Player) -> int | None:
        """The account (its id) on whose phone ``guest`` answers, who has none.

        Where they disputed the hand, that phone takes it back: else the winner could log it anew, and agree
        for them. Anybody else's answer is given on the phone of the scorer.
        """
        given = self.given.get(guest.pk)
        raised = given is not None and given.kind == HandEvent.Kind.DISPUTED and given.by_id
        return raised or self.scorer

    @property
    def settled(self) -> HandEvent | None:
        """How an organiser settled a dispute: the hand stands as it was logged."""
        return next((one for one in self._events if one.kind == HandEvent.Kind.SETTLED), None)

    @property
    def until(self) -> datetime | None:
        """When silence becomes consent; None where the league asks nobody."""
        hours = self.hand.game.league.hours_to_answer
        return None if hours is None else self.hand.logged_at + timedelta(hours=hours)

    @property
    def open(self) -> bool:
        """Whether somebody may still answer: the hand stands and is neither accepted nor settled."""
        return bool(self.asked) and self.hand.current and not self.accepted

    @property
    def accepted(self) -> bool:
        """Whether the hand can no longer be disputed.

        It was settled or confirmed by all, nobody said anything for long enough, the evening is closed,
        or the season is over.
        """
        if not self.hand.undisputed or self.until is None:
            return False
        game = self.hand.game
        if self.settled or self._now >= self.until or game.evening_closed or game.league.over:
            return True
        confirmed = {
            pk for pk, event in self.given.items() if event.kind == HandEvent.Kind.CONFIRMED
        }
        return {player.pk for player in self.asked} <= confirmed
