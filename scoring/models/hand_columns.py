"""The columns of a hand, and the constraints by which the database refuses one."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.books.vocabulary import DRAWN, WON_BY
from scoring.evaluator.win import PLAIN_WAYS

from .games import Game, Round, Wind
from .lengths import LONGEST_REASON
from .people import Player
from .permissions import Reason
from .refusals import WINNER_IS_LIABLE
from .rulesets import RuleSetVersion

SPECIAL_DRAWN = [name for name in WON_BY if name in DRAWN and name not in PLAIN_WAYS]
SPECIAL_CLAIMED = [name for name in WON_BY if name not in DRAWN and name not in PLAIN_WAYS]


class HandColumns(models.Model):
    """The columns and constraints of :class:`scoring.models.hands.Hand`."""

    class Status(models.TextChoices):
        # Stored, and said by the API, as "live"; "counts" is what people read of it.
        COUNTED = "live", _("counts")
        DISPUTED = "disputed", _("disputed")
        SUPERSEDED = "superseded", _("corrected")
        VOID = "void", _("void")

    class Outcome(models.TextChoices):
        WIN = "win", _("win")
        DRAW = "draw", _("draw")

    CURRENT = (Status.COUNTED, Status.DISPUTED)
    # What a version ``follows`` that a change to the game brought about: no hand has this number.
    THE_GAME = 0

    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="hands", verbose_name=_("game")
    )
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, related_name="hands", verbose_name=_("round")
    )
    number = models.PositiveIntegerField(_("number"))
    version = models.PositiveIntegerField(_("version"), default=1)
    # One to one: of two corrections of one version at the same moment the second is refused.
    supersedes = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
        verbose_name=_("corrects"),
    )
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.COUNTED)

    outcome = models.CharField(_("outcome"), max_length=4, choices=Outcome)
    winner = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="won_hands",
        verbose_name=_("winner"),
    )
    discarder = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="discarded_hands",
        verbose_name=_("discarder"),
    )
    # Not worked out of the discarder: where all pay alike, nobody has to remember who that was.
    self_drawn = models.BooleanField(_("self-drawn"), default=False)
    concealed = models.BooleanField(_("concealed"), default=False)
    won_by = models.CharField(
        _("how it was won"), max_length=20, blank=True, default="",
        help_text=_("In which special way; empty for a discard or a drawn tile."),
    )  # fmt: skip
    winning_tile = models.CharField(_("winning tile"), max_length=2, blank=True, default="")
    bonus = models.CharField(
        _("bonus tiles"), max_length=30, blank=True, default="",
        help_text=_("The winner’s flowers and seasons."),
    )  # fmt: skip
    flags = models.CharField(_("what else was so"), max_length=120, blank=True, default="")
    value = models.PositiveIntegerField(_("value of the card’s line"), default=0)
    dora_indicators = models.CharField(_("dora indicators"), max_length=30, blank=True, default="")
    liable = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=_("pays for everybody"),
    )  # fmt: skip

    # The table as it was dealt. All of it follows from the hands before; it is kept so that a scorecard can
    # be shown without them, and a hand that is changed finds those whose winds it moves.
    prevailing = models.CharField(_("prevailing wind"), max_length=1, choices=Wind)
    dealer = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", verbose_name=_("dealer")
    )
    seat = models.CharField(_("winner's wind"), max_length=1, choices=Wind, blank=True)
    counters = models.PositiveSmallIntegerField(_("counters on the table"), default=0)
    sticks = models.PositiveSmallIntegerField(_("sticks on the table"), default=0)
    on_table = models.IntegerField(
        _("put on the table"), default=0,
        help_text=_("In points; less than 0 where the winner took them. With the payments, 0 in all."),
    )  # fmt: skip

    ruleset_version = models.ForeignKey(
        RuleSetVersion, on_delete=models.PROTECT, related_name="hands", verbose_name=_("rule set")
    )
    # What scoring worked out; nothing of it for a draw, and only the final score of a claimed hand.
    points = models.PositiveIntegerField(_("points"), null=True, blank=True)
    doubles = models.PositiveSmallIntegerField(_("doubles"), null=True, blank=True)
    # Before the limit cuts it off: points doubled a dozen times leave 32 bits behind.
    total = models.PositiveBigIntegerField(_("total"), null=True, blank=True)
    final = models.PositiveIntegerField(_("final score"), null=True, blank=True)
    limit = models.BooleanField(_("limit hand"), default=False)
    checked = models.BooleanField(
        _("checked"),
        default=True,
        help_text=_("Unchecked: the table worked out the score, no tiles were entered."),
    )
    claimed_limit = models.CharField(
        _("claimed limit hand"),
        max_length=40,
        blank=True,
        default="",
        help_text=_("The limit hand that the table says it was, where no tiles were entered."),
    )

    # Accounts are deleted when people leave the club. What they wrote down stays.
    logged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("logged by"),
    )
    # Two times: a hand that waited on a phone, or is corrected, is logged later than it was played.
    logged_at = models.DateTimeField(_("logged"), default=timezone.now)
    played_at = models.DateTimeField(
        _("played"), default=timezone.now, help_text=_("Kept when a hand is corrected.")
    )
    # With these a phone that got no answer sends the same hand again, and it is stored once.
    entry_key = models.CharField(
        _("entry key"), max_length=200, blank=True, help_text=_("The key the phone gave it.")
    )
    entry_fingerprint = models.CharField(
        _("fingerprint of the entry"),
        max_length=64,
        blank=True,
        default="",
        help_text=_("It tells whether a hand that is sent again is the same one."),
    )
    reason = Reason(_("reason"), max_length=LONGEST_REASON, blank=True)
    follows = models.PositiveIntegerField(
        _("follows hand"),
        null=True,
        blank=True,
        help_text=_(
            "The number of the hand that was changed, when this one only follows from it; 0 for a "
            "change to the game."
        ),
    )

    # The wide columns come last: a query over the figures never reads them.
    tiles = models.CharField(_("tiles"), max_length=120, blank=True)
    melds = models.JSONField(_("melds"), default=list, blank=True)
    card = models.JSONField(_("scorecard"), null=True, blank=True)
    others = models.JSONField(
        _("hands of the others"), null=True, blank=True,
        help_text=_("Of players who did not win: what was entered, the score, the scorecard."),
    )  # fmt: skip
    calls = models.JSONField(
        _("sticks and calling"), null=True, blank=True,
        help_text=_("Who staked a stick, who was calling at a draw, whether it was broken off."),
    )  # fmt: skip

    class Meta:
        abstract = True
        ordering = ["game", "number", "version"]
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        indexes = [
            models.Index(fields=["game", "status", "number"], name="hand_of_game"),
            models.Index(fields=["played_at"], name="hand_played"),
            models.Index(fields=["winner", "-final"], name="hand_best"),
            # The few limit hands among all, the newest first.
            models.Index(
                fields=["status", "-played_at", "-id"],
                condition=Q(limit=True),
                name="hand_limit",
            ),
        ]
        constraints = [
            # Two phones save the same hand at once: one of them is told of the other's. The values are
            # written out, as in each constraint here: a migration has them for ever.
            models.UniqueConstraint(
                fields=["game", "number"],
                condition=Q(status__in=["live", "disputed"]),
                name="one_live_hand_a_position",
                violation_error_message=_("Another hand already stands at this position."),
            ),
            models.UniqueConstraint(fields=["game", "number", "version"], name="version_once"),
            # A key is one account's: nobody else can take it first, or learn by it what was logged.
            models.UniqueConstraint(
                fields=["game", "logged_by", "entry_key"],
                condition=~Q(entry_key=""),
                name="entry_key_once",
                violation_error_message=_("This entry is already logged: reload the table."),
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="hand_counts_from_one"),
            # Whoever reads the history later asks why, of every version but the first.
            models.CheckConstraint(
                condition=Q(supersedes__isnull=True) | (Q(version__gte=2) & ~Q(reason="")),
                name="correction_has_a_reason",
                violation_error_message=_("Say why the hand is corrected."),
            ),
            models.CheckConstraint(
                condition=Q(status__in=["live", "superseded", "void", "disputed"]),
                name="hand_status_known",
            ),
            # Validating does not score: this keeps a win from being stored before its score is worked out.
            models.CheckConstraint(
                condition=Q(
                    outcome="draw",
                    winner__isnull=True,
                    discarder__isnull=True,
                    final__isnull=True,
                    seat="",
                )
                | Q(
                    outcome="win",
                    winner__isnull=False,
                    final__isnull=False,
                    seat__in=list("ESWN"),
                ),
                name="a_win_has_winner_and_score",
                violation_error_message=_(
                    "A win has a winner and a score; a drawn hand has neither."
                ),
            ),
            models.CheckConstraint(
                condition=Q(discarder__isnull=True)
                | (Q(self_drawn=False) & ~Q(discarder=F("winner"))),
                name="discarder_is_another",
                violation_error_message=_("Nobody discards the tile of a self-drawn win."),
            ),
            # Else a win that is corrected into a draw would go on counting as self-drawn.
            models.CheckConstraint(
                condition=Q(outcome="win") | Q(self_drawn=False, concealed=False),
                name="a_draw_has_no_winning_tiles",
                violation_error_message=_(
                    "A hand without a winner is not self-drawn or concealed."
                ),
            ),
            models.CheckConstraint(
                condition=Q(outcome="win")
                | Q(
                    won_by="",
                    winning_tile="",
                    bonus="",
                    flags="",
                    value=0,
                    dora_indicators="",
                    liable__isnull=True,
                    others__isnull=True,
                ),
                name="a_draw_was_won_in_no_way",
                violation_error_message=_("A hand without a winner was won in no way."),
            ),
            models.CheckConstraint(
                condition=Q(won_by="")
                | Q(won_by__in=SPECIAL_DRAWN, self_drawn=True)
                | Q(won_by__in=SPECIAL_CLAIMED, self_drawn=False),
                name="way_of_winning_known",
                violation_error_message=_("This contradicts how the last tile came to the winner."),
            ),
            models.CheckConstraint(
                condition=Q(liable__isnull=True) | ~Q(liable=F("winner")),
                name="liable_is_another",
                violation_error_message=WINNER_IS_LIABLE,
            ),
            # Hands follow from those before them; a change to the game is number 0, before all.
            models.CheckConstraint(
                condition=Q(follows__isnull=True)
                | Q(supersedes__isnull=False, follows__lt=F("number")),
                name="follows_an_earlier_hand",
            ),
            # Tiles that were entered are always scored: a table cannot claim another score for them.
            models.CheckConstraint(
                condition=Q(checked=True) | Q(tiles=""), name="unchecked_without_tiles"
            ),
            models.CheckConstraint(
                condition=Q(claimed_limit="") | Q(outcome="win", checked=False, limit=True),
                name="claimed_limit_is_an_unchecked_win",
                violation_error_message=_(
                    "Only a win without tiles is claimed as one of the known limit hands."
                ),
            ),
        ]
