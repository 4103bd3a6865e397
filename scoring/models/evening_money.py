"""Stakes and hall fees of evenings, and payments from person to person.

Not to be taken for a ``Payment``, which is what a hand brought in points.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.figures import whole

from .days import club_day
from .leagues import FIRST_DAY, LAST_DAY, League
from .money import CURRENCY_CHOICES, major, minor, money
from .people import Player
from .permissions import Permission, User, can
from .refusals import DAY_OUT_OF_RANGE, PAYS_THEMSELVES

# In the smallest unit of a currency: 10,000 euros.
MOST_MONEY = 1_000_000
MOST_POINTS = 1_000_000
# What is owed in points has no currency.
POINTS = ""


class EveningTermsQuerySet(models.QuerySet["EveningTerms"]):
    def newest(self, league: League | None, day: date) -> "EveningTerms | None":
        """What was said last of ``league``, or without one of the club, for the evening of ``day``."""
        versions = self.filter(league=league, effective_from__lte=day)
        return versions.order_by("effective_from", "pk").last()

    def next_after(self, league: League | None, day: date) -> "EveningTerms | None":
        """What was said of ``league``, or of the club, for the evenings from some later day on."""
        later = self.filter(league=league, effective_from__gt=day)
        return later.order_by("effective_from", "-pk").first()

    def in_force(self, league: League, day: date) -> "EveningTerms":
        """By what the evening of ``day`` is settled: as the league says, else as the club does."""
        versions = self.filter(Q(league=league) | Q(league=None), effective_from__lte=day)
        by_league = {terms.league_id: terms for terms in versions.order_by("effective_from", "pk")}
        # Sorted by their day, so that of each the last one that holds is left in the mapping.
        own = by_league.get(league.pk)
        if own is not None and not own.as_club:
            return own
        return by_league.get(None) or EveningTerms()


class EveningTerms(models.Model):
    """Stake and hall fee of a league, or of the club, for its evenings from ``effective_from`` on.

    A row never changes; a later one holds in its place. Money is in the currency's smallest unit:
    ``stake`` of it for each ``stake_points`` whole points. 0 is none.
    """

    class FeePer(models.TextChoices):
        PERSON = "person", _("for each person")
        EVENING = "evening", _("for the evening, shared by everybody")

    class Rounding(models.IntegerChoices):
        """Of whose multiple every amount is, in the smallest unit of the currency."""

        ONE = 1, _("not at all: to the cent")
        FIVE = 5, _("to 5 cents")
        TEN = 10, _("to 10 cents")
        FIFTY = 50, _("to 50 cents")
        HUNDRED = 100, _("to whole units (100 cents)")

    league = models.ForeignKey(
        League,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="evening_terms",
        verbose_name=_("league"),
    )
    effective_from = models.DateField(
        _("holds from"),
        default=club_day,
        help_text=_("Evenings before this day stay as they are."),
    )
    as_club = models.BooleanField(_("as in the club"), default=False)
    currency = models.CharField(
        _("currency"), max_length=3, choices=CURRENCY_CHOICES, default="EUR"
    )
    stake = models.PositiveIntegerField(
        _("stake"), default=0, validators=[MaxValueValidator(MOST_MONEY)]
    )
    stake_points = models.PositiveIntegerField(
        _("for so many points"),
        default=100,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_POINTS)],
    )
    rounding = models.PositiveSmallIntegerField(
        _("amounts are rounded"),
        choices=Rounding,
        default=Rounding.ONE,
    )
    fee = models.PositiveIntegerField(
        _("hall fee"), default=0, validators=[MaxValueValidator(MOST_MONEY)]
    )
    fee_per = models.CharField(_("the fee is"), max_length=8, choices=FeePer, default=FeePer.PERSON)
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )

    objects = EveningTermsQuerySet.as_manager()

    class Meta:
        ordering = ["-effective_from", "-pk"]
        verbose_name = _("stake and fee")
        verbose_name_plural = _("stakes and fees")
        constraints = [
            models.CheckConstraint(
                condition=Q(stake_points__gte=1), name="stake_is_for_some_points"
            ),
            models.CheckConstraint(
                condition=Q(rounding__in=[1, 5, 10, 50, 100]), name="known_rounding"
            ),
            models.CheckConstraint(
                condition=Q(fee_per__in=["person", "evening"]), name="known_payer_of_the_fee"
            ),
            models.CheckConstraint(
                condition=Q(as_club=False) | Q(league__isnull=False),
                name="only_a_league_does_as_the_club",
            ),
        ]

    def __str__(self) -> str:
        return " ".join(self.in_words())

    def clean(self) -> None:
        if not FIRST_DAY <= self.effective_from <= LAST_DAY:
            raise ValidationError(
                {"effective_from": ValidationError(DAY_OUT_OF_RANGE, code="invalid")}
            )

    @property
    def in_money(self) -> bool:
        """Whether anybody pays any money."""
        return bool(self.stake or self.fee)

    def in_words(self) -> Iterator[str]:
        """What they say, sentence by sentence."""
        if self.as_club:
            yield gettext("As in the club.")
            return
        if self.stake:
            words = {"money": money(self.stake, self.currency), "points": whole(self.stake_points)}
            yield gettext("%(points)s points are %(money)s.") % words
            if self.rounding > 1:
                step = money(self.rounding, self.currency)
                yield gettext("Amounts are rounded to %(step)s.") % {"step": step}
        else:
            yield gettext("No stake: what is owed are points.")
        if self.fee:
            sentence = gettext("Hall fee: %(money)s for each person.")
            if self.fee_per == self.FeePer.EVENING:
                sentence = gettext("Hall fee: %(money)s for the evening, shared by everybody.")
            yield sentence % {"money": money(self.fee, self.currency)}


class EveningPaymentQuerySet(models.QuerySet["EveningPayment"]):
    def in_force(self) -> "EveningPaymentQuerySet":
        """Those that were not undone."""
        return self.filter(undone_at__isnull=True)

    def with_people(self) -> "EveningPaymentQuerySet":
        """With everybody a page names."""
        return self.select_related("payer", "payee", "marked_by__player", "undone_by__player")


class EveningPayment(models.Model):
    """Somebody paid somebody after an evening. It stays true whatever is corrected later.

    Without a payer or without a payee it is the club's till that paid or was paid. Only its being undone
    is ever added.

    ``amount`` is in the smallest unit of ``currency``, or in whole points where that is empty.
    """

    league = models.ForeignKey(
        League,
        on_delete=models.PROTECT,
        related_name="evening_payments",
        verbose_name=_("league"),
    )
    day = models.DateField(_("evening"))
    payer = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("payer"),
        help_text=_("Empty: the club’s till."),
    )
    payee = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("payee"),
        help_text=_("Empty: the club’s till."),
    )
    amount = models.PositiveBigIntegerField(_("amount"))
    currency = models.CharField(
        _("currency"), max_length=3, blank=True, choices=CURRENCY_CHOICES, default=POINTS
    )
    marked_at = models.DateTimeField(_("marked as paid"), default=timezone.now)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("marked by"),
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("undone by"),
    )

    objects = EveningPaymentQuerySet.as_manager()

    class Meta:
        ordering = ["marked_at", "pk"]
        verbose_name = _("payment after an evening")
        verbose_name_plural = _("payments after evenings")
        indexes = [models.Index(fields=["league", "day"], name="payments_of_evening")]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=1), name="evening_payment_is_something"),
            # The till is at one end at most: what it pays itself is nothing.
            models.CheckConstraint(
                condition=Q(payer__isnull=True, payee__isnull=False)
                | Q(payer__isnull=False, payee__isnull=True)
                | (Q(payer__isnull=False, payee__isnull=False) & ~Q(payer=F("payee"))),
                name="evening_payment_between_two",
                violation_error_message=PAYS_THEMSELVES,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer or '–'} → {self.payee or '–'}: {self.amount} {self.currency}".strip()

    def may_be_marked_by(self, user: User) -> bool:
        """Whether ``user`` says that it was paid, or that it was not: one of the two, or an organiser."""
        return can(user, Permission.MARK_AS_PAID, self)

    # ``can`` asks a payment what it asks a game (``permissions.Table``). What bars the players of a game from
    # their hands bars nobody from paying: so nothing is withdrawn or closed here.
    withdrawn = False
    evening_closed = False

    @property
    def evening(self) -> date:
        return self.day

    @property
    def players(self) -> list[Player]:
        """The two, without the till."""
        return [player for player in (self.payer, self.payee) if player is not None]


def in_figures(amount: int, currency: str) -> str:
    """What somebody owes or paid: €4.20, or 420 where it is points."""
    return money(amount, currency) if currency else whole(amount)


def in_numbers(amount: int, currency: str) -> str:
    """The same for programs and sheets: 4.20, or 420 where it is points."""
    return str(major(amount, currency)) if currency else str(amount)


def in_units(number: Decimal, currency: str) -> int | None:
    """The way back from :func:`in_numbers`; None if it has a fraction of the smallest unit."""
    if currency:
        return minor(number, currency)
    return int(number) if number == number.to_integral_value() else None
