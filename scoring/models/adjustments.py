"""Points that move without a hand: a penalty for a false mah jongg, for coming late.

They stand in the same ledger: league tables, tallies and game totals count them like payments.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .games import Game, not_withdrawn
from .leagues import League
from .lengths import LONGEST_REASON
from .people import Player
from .permissions import Reason, User, in_visible_league
from .proposed_reasons import in_words
from .refusals import PAYS_THEMSELVES, TWO_LINES_OF_TWO

# A slip of the finger with a zero too many is refused; no penalty of any club comes near it.
LARGEST_TRANSFER = 100_000
# What a transfer without a payer comes from.
TABLE = _("the table")


class AdjustmentQuerySet(models.QuerySet["Adjustment"]):
    def visible_to(self, user: User) -> "AdjustmentQuerySet":
        """The adjustments of the leagues that ``user`` may see."""
        return self.filter(in_visible_league(user, "league__"))

    def with_people(self) -> "AdjustmentQuerySet":
        """With everybody a page names, and what reverses what."""
        return self.select_related("made_by__player", "reverses", "reversed_by").prefetch_related(
            models.Prefetch("transfers", Transfer.objects.select_related("payer", "payee"))
        )


class Adjustment(models.Model):
    """A booking between players with its reason. Never changed or deleted: another one reverses it."""

    league = models.ForeignKey(
        League, on_delete=models.PROTECT, related_name="adjustments", verbose_name=_("league")
    )
    game = models.ForeignKey(
        Game,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="adjustments",
        verbose_name=_("game"),
        help_text=_("Where it happened; it counts in the totals of this game, too."),
    )
    reason = Reason(_("reason"), max_length=LONGEST_REASON)
    # Accounts are deleted when people leave the club. What they wrote down stays.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("entered by"),
    )
    made_at = models.DateTimeField(_("entered"), default=timezone.now)
    # One to one, so that of two who reverse it at once one is refused.
    reverses = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="reversed_by",
        verbose_name=_("reverses"),
    )

    objects = AdjustmentQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        indexes = [models.Index(fields=["league", "made_at"], name="adjustment_of_league")]
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason=""),
                name="adjustment_has_a_reason",
                violation_error_message=_("Say what the points are for."),
            ),
        ]

    def __str__(self) -> str:
        return self.reason

    @property
    def why(self) -> str:
        """The reason, in the reader's language if a page proposed it."""
        return in_words(self.reason)

    def clean(self) -> None:
        # The constraint takes one space for a reason.
        self.reason = " ".join(self.reason.split())

    @property
    def from_table(self) -> bool:
        """Whether it moves sticks that were left on a table at the end of a game."""
        return any(None in (one.payer_id, one.payee_id) for one in self.transfers.all())

    def amounts(self) -> dict[int, int]:
        """What each player wins or pays by it, in whole points, by id."""
        return points_of((one.payer_id, one.payee_id, one.amount) for one in self.transfers.all())


def points_of(transfers: Iterable[tuple[int | None, int | None, int]]) -> Counter[int]:
    """What ``transfers`` bring each player, in whole points, by id; with what lay on a table, 0 in all.

    :param transfers: of each the ids of payer and payee (None: the table), and the amount.
    """
    won: Counter[int] = Counter()
    for payer, payee, amount in transfers:
        if payer is not None:
            won[payer] -= amount
        if payee is not None:
            won[payee] += amount
    return won


class TransferQuerySet(models.QuerySet["Transfer"]):
    def counted(self) -> "TransferQuerySet":
        """Those that count: not what was booked in a game that was withdrawn."""
        return self.filter(not_withdrawn("adjustment__game__"))

    def from_tables(self) -> "TransferQuerySet":
        """What players got of the sticks that lay on a table at the end of a game."""
        return self.filter(Q(payer__isnull=True) | Q(payee__isnull=True))

    def points(self) -> Counter[int]:
        """What they bring each player, in whole points, by id. One query."""
        return points_of(self.order_by().values_list("payer", "payee", "amount"))

    def points_by_game(self) -> dict[int, Counter[int]]:
        """The same for each game in which they were booked, by the game's id. One query."""
        return {game: points for (game,), points in self._points_by("adjustment__game").items()}

    def points_by_evening(self) -> dict[tuple[Any, ...], Counter[int]]:
        """The same for each evening of such games, by the league's id and the day. One query."""
        return self._points_by("adjustment__game__league", "adjustment__game__evening")

    def _points_by(self, *columns: str) -> dict[tuple[Any, ...], Counter[int]]:
        by_key: defaultdict[tuple[Any, ...], list[Any]] = defaultdict(list)
        # A penalty that was booked in no game belongs to its league alone.
        booked = self.filter(adjustment__game__isnull=False).order_by()
        for *key, payer, payee, amount in booked.values_list(*columns, "payer", "payee", "amount"):
            by_key[tuple(key)].append((payer, payee, amount))
        return {key: points_of(transfers) for key, transfers in by_key.items()}


class Transfer(models.Model):
    """Points from one player to another: whatever is booked sums to zero, by its form.

    What lay on a table at the end of its game goes to a player without a payer, and back without a payee.
    """

    adjustment = models.ForeignKey(
        Adjustment,
        on_delete=models.PROTECT,
        related_name="transfers",
        verbose_name=_("adjustment"),
    )
    # A payer and a payee in place of two signed amounts: no booking can fail to sum to zero.
    payer = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("payer"),
    )
    payee = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("payee"),
    )
    amount = models.PositiveIntegerField(
        _("amount"),
        validators=[
            MinValueValidator(1, _("An amount is 1 point or more.")),
            MaxValueValidator(LARGEST_TRANSFER, _("That is more than anybody owes.")),
        ],
    )

    objects = TransferQuerySet.as_manager()

    class Meta:
        ordering = ["adjustment", "pk"]
        verbose_name = _("line of an adjustment")
        verbose_name_plural = _("lines of adjustments")
        constraints = [
            models.UniqueConstraint(
                fields=["adjustment", "payer", "payee"],
                name="transfer_once",
                violation_error_message=TWO_LINES_OF_TWO,
            ),
            # The other direction is another payer, not less than 0.
            models.CheckConstraint(condition=Q(amount__gte=1), name="transfer_moves_points"),
            models.CheckConstraint(
                condition=~Q(payer=F("payee")),
                name="nobody_pays_themselves",
                violation_error_message=PAYS_THEMSELVES,
            ),
            models.CheckConstraint(
                condition=Q(payer__isnull=False) | Q(payee__isnull=False),
                name="transfer_names_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer_name} → {self.payee_name}: {self.amount}"

    @property
    def payer_name(self) -> str:
        return str(self.payer or TABLE)

    @property
    def payee_name(self) -> str:
        return str(self.payee or TABLE)
