"""After an evening: what it is settled by, and what was paid. What is owed is worked out, not stored."""

from datetime import date, timedelta
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.evaluator.transfers import Due
from scoring.models import EveningPayment, EveningTerms, League
from scoring.models.evening_money import in_numbers
from scoring.models.permissions import Permission, User, check_permission
from scoring.models.problems import at_no_field
from scoring.models.refusals import SOMETHING_CHANGED
from scoring.models.settlement import Party, settlement_of

from .audit import log_audit, values_of
from .counting import lock_leagues
from .locks import lock_club

# As long as two taps on one button, or two phones at one table, may be apart.
SAME_FOR = timedelta(seconds=60)
COMPARED = ("currency", "stake", "stake_points", "rounding", "fee", "fee_per")


class Terms(TypedDict, total=False):
    """Stake and fee, as the columns of ``EveningTerms``."""

    effective_from: date
    as_club: bool
    currency: str
    stake: int
    stake_points: int
    rounding: int
    fee: int
    fee_per: str


@transaction.atomic
def change_terms(
    league: League | None, *, by: User, expected_etag: str = "", **terms: Unpack[Terms]
) -> EveningTerms:
    """Settle the evenings of ``league``, or of all leagues without terms of their own, by ``terms``.

    From ``effective_from`` (without it, today) on; evenings before stay as they are. What holds on that
    day already is not said again.

    :param expected_etag: the :func:`terms_etag` of what the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser; for the whole club, unless an owner.
    :raises ValidationError: with what is wrong, by field; with the code ``season_closed`` if evenings of
        a closed season would be settled otherwise, ``moved_on`` if something was set since it was seen.
    """
    if league is None:
        account = check_permission(by, Permission.CHANGE_THE_CLUB)
        lock_club()
    else:
        account = check_permission(by, Permission.RUN_LEAGUES)
        lock_leagues(league.pk)
    if expected_etag and expected_etag != terms_etag(league):
        raise at_no_field(str(SOMETHING_CHANGED), code="moved_on")
    changed = EveningTerms(league=league, made_by=account, **terms)
    changed.full_clean()
    _require_open(changed)
    held = EveningTerms.objects.newest(league, changed.effective_from)
    held = held or EveningTerms(league=league, as_club=league is not None)
    if _same(held, changed):
        return held
    changed.save(force_insert=True)
    log_audit("change_terms", changed, by=account, sentences=str(changed), **_since(changed))
    return changed


def terms_etag(league: League | None) -> str:
    """What was set last for the evenings of ``league``, or of the whole club: another text after each change."""
    last = EveningTerms.objects.filter(league=league).order_by("-pk").first()
    return str(last.pk) if last else "none"


@transaction.atomic
def mark_as_paid(
    league: League, day: date, payer: Party, payee: Party, amount: int, currency: str, *, by: User
) -> EveningPayment:
    """Write down that ``payer`` paid ``payee`` what is owed after the evening of ``day``.

    Marked twice within a minute it is one payment, which is returned.

    :param payer: the id of a player, or None for the club's till; ``payee`` likewise.
    :param amount: in the smallest unit of ``currency``, or whole points where that is "".
    :raises PermissionDenied: unless ``by`` is one of the two, or an organiser.
    :raises ValidationError: with the code ``moved_on`` unless exactly this is owed.
    """
    lock_leagues(league.pk)
    settlement = settlement_of(league, day)
    payment = EveningPayment(
        league=league,
        day=day,
        payer=settlement.players.get(payer or 0),
        payee=settlement.players.get(payee or 0),
        amount=amount,
        currency=currency,
    )
    payment.marked_by = by = check_permission(by, Permission.MARK_AS_PAID, payment)
    sums = settlement.of(currency)
    if sums is None or Due(payer, payee, amount) not in sums.left.transfers:
        if same := _marked_just_now(settlement.paid, payment):
            return same
        message = _("This is not owed any more, or the amount has changed: look at the list again.")
        raise ValidationError(ValidationError(message, code="moved_on"))
    payment.full_clean()
    payment.save(force_insert=True)
    log_audit("mark_as_paid", payment, by=by, **_parties(payment))
    return payment


@transaction.atomic
def undo_payment(payment: EveningPayment, *, by: User) -> EveningPayment:
    """Say that ``payment`` was not made. It stays on record, and is owed again.

    Undone twice, it is undone once.

    :raises PermissionDenied: unless ``by`` is one of the two, or an organiser.
    """
    lock_leagues(payment.league_id)
    rows = EveningPayment.objects.with_people().select_for_update(of=("self",))
    payment = rows.get(pk=payment.pk)
    account = check_permission(by, Permission.MARK_AS_PAID, payment)
    if payment.undone_at is None:
        payment.undone_at, payment.undone_by = timezone.now(), account
        payment.save()
        log_audit("undo_payment", payment, by=account, **_parties(payment))
    return payment


def _require_open(terms: EveningTerms) -> None:
    """:raises ValidationError: if evenings of a closed season would be settled by ``terms``."""
    closed = League.objects.filter(closed_on__isnull=False)
    if terms.league_id:
        if closed.filter(pk=terms.league_id).exists():
            message = _("This season is closed: open it again to change its stake and hall fee.")
            raise ValidationError(message, code="season_closed")
        return
    for league in closed.filter(ends_on__gte=terms.effective_from):
        if last := _last_as_club(league, terms.effective_from):
            message = _(
                "%(league)s is closed: its evenings until %(day)s stay as they are. Give a later day."
            )
            params = {"league": league.name, "day": date_format(last)}
            error = ValidationError(message % params, code="season_closed")
            raise ValidationError({"effective_from": error})


def _last_as_club(league: League, since: date) -> date | None:
    """The last evening of ``league`` from the day ``since`` on that is settled as the club says."""
    games = league.games.played().filter(evening__gte=since)
    days = games.order_by("-evening").values_list("evening", flat=True).distinct()
    own = ((day, EveningTerms.objects.newest(league, day)) for day in days)
    return next((day for day, terms in own if terms is None or terms.as_club), None)


def _same(held: EveningTerms, changed: EveningTerms) -> bool:
    if held.as_club or changed.as_club:
        return held.as_club == changed.as_club
    return values_of(held, COMPARED) == values_of(changed, COMPARED)


def _since(terms: EveningTerms) -> dict[str, Any]:
    """What the audit says besides: since when, and of which league."""
    since = {"effective_from": terms.effective_from.isoformat()}
    return {**since, "league": terms.league_id} if terms.league_id else since


def _marked_just_now(paid: list[EveningPayment], payment: EveningPayment) -> EveningPayment | None:
    """The same payment among those that were ``paid``, if it was marked within a minute."""
    columns = ("payer", "payee", "amount", "currency")
    for one in reversed(paid):
        if one.marked_at > timezone.now() - SAME_FOR and values_of(one, columns) == values_of(
            payment, columns
        ):
            return one
    return None


def _parties(payment: EveningPayment) -> dict[str, Any]:
    """Who paid whom what, for the audit: the till is nobody."""
    return {
        "payer": payment.payer_id,
        "payee": payment.payee_id,
        "amount": in_numbers(payment.amount, payment.currency),
        "currency": payment.currency,
    }
