"""Pages of the settlement of an evening: the list, marking what is paid, undoing that, files of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from scoring.models import EveningPayment, League, Player
from scoring.models.evening_money import in_figures, in_numbers
from scoring.models.letters import plain_letters
from scoring.models.people import person_name
from scoring.models.permissions import Permission, User, can, check_permission
from scoring.models.settlement import Party, Settlement, settlement_of
from scoring.operations.sheets import Cell, Sheet
from scoring.queries import ranking
from scoring.queries.evenings import GameCount, game_count
from scoring.services.errors import KeyReused
from scoring.services.idempotency import StoredResponse
from scoring.services.settlements import mark_as_paid, undo_payment
from scoring.typed_numbers import typed_id

from ..idempotent_form import idempotent_form, say_done_before, say_key_reused
from ..shared.reason_form import ConfirmForm
from ..shared.requests import members_post, visible_league
from ..shared.sheet_file import sheet_file

INCOMPLETE = gettext_lazy("This form is not complete: look at the list again.")


class PartyField(forms.Field):
    """The id of a player; empty is the till. It must be sent."""

    widget = forms.HiddenInput

    def to_python(self, value: str | None) -> Party:
        pk = typed_id(value or "")
        if value is None or (value and pk is None):
            raise ValidationError(INCOMPLETE, code="invalid")
        return pk


class PaymentForm(ConfirmForm):
    """What is marked as paid: exactly what is owed, as the page says it."""

    payer = PartyField(required=False)
    payee = PartyField(required=False)
    amount = forms.IntegerField(widget=forms.HiddenInput)
    currency = forms.CharField(widget=forms.HiddenInput, required=False, max_length=3)


@dataclass(frozen=True, slots=True)
class SettlementLine:
    """One payment that is owed, or was made: without a payer or a payee it is the till of the club.

    :ivar may_mark: whether the reader may mark it as paid, or take that back.
    """

    payment: EveningPayment
    figure: str
    may_mark: bool

    @property
    def form(self) -> PaymentForm:
        """What the button *Mark as paid* of this line sends."""
        payment = self.payment
        initial = {
            "payer": payment.payer_id,
            "payee": payment.payee_id,
            "amount": payment.amount,
            "currency": payment.currency,
        }
        return PaymentForm(initial=initial, auto_id=False)


@dataclass(frozen=True, slots=True)
class Won:
    """What somebody won or lost: in points, and with stake and fee in money (as text) if there are any."""

    player: Player
    points: int
    money: str


@login_required
@require_safe
def settlement(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """The page of one evening."""
    check_permission(request.user, Permission.SEE_WHO_PAYS)
    return _page(request, visible_league(request, slug), day)


@members_post()
def mark(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """What stands in one line of the page was paid."""
    league = visible_league(request, slug)
    form = PaymentForm(request.POST)
    if not form.is_valid():
        messages.error(request, INCOMPLETE)
        return _page(request, league, day, status=422)
    try:
        answer = idempotent_form(request, form, lambda: _mark(request, league, day, form))
        if answer.replayed:
            say_done_before(request)
    except KeyReused:
        say_key_reused(request)
    except ValidationError as error:
        messages.warning(request, " ".join(error.messages))
        return _page(request, league, day, status=409)
    return redirect("settlement", slug, day)


def _mark(request: HttpRequest, league: League, day: date, form: PaymentForm) -> StoredResponse:
    columns = ("payer", "payee", "amount", "currency")
    payment = mark_as_paid(
        league, day, *(form.cleaned_data[name] for name in columns), by=request.user
    )
    return StoredResponse(201, {"id": payment.pk})


@members_post("../../..")
def undo(request: HttpRequest, slug: str, day: date, pk: int) -> HttpResponse:
    """It was not paid after all."""
    league = visible_league(request, slug)
    undo_payment(get_object_or_404(EveningPayment, league=league, day=day, pk=pk), by=request.user)
    return redirect("settlement", slug, day)


@login_required
@require_safe
def as_sheet(request: HttpRequest, slug: str, day: date, kind: str) -> HttpResponse:
    """The same for a spreadsheet: what everybody won or lost, what is due, owed and paid."""
    check_permission(request.user, Permission.SEE_WHO_PAYS)
    _games, shown = _evening(visible_league(request, slug), day)
    headings = ["what", "from", "to", "amount", "currency", "marked", "by"]
    sheet = Sheet(headings, list(_rows(shown, request.user)))
    return sheet_file(sheet, f"{slug}-{day}-payments", kind)


def _evening(league: League, day: date) -> tuple[GameCount, Settlement]:
    """:raises Http404: for a day on which nobody played and nothing was paid."""
    games, shown = game_count(league, day), settlement_of(league, day)
    if not games.all and not shown.payments:
        raise Http404
    return games, shown


def _page(request: HttpRequest, league: League, day: date, *, status: int = 200) -> HttpResponse:
    games, shown = _evening(league, day)
    context = {
        "league": league,
        "day": day,
        "games": games,
        "settlement": shown,
        "won": _won(shown),
        "owed": list(_owed(shown, request.user)),
        "paid": [_line(payment, request.user) for payment in shown.paid],
        "fewest": all(sums.left.fewest for sums in shown.sums),
        "changes_terms": can(request.user, Permission.RUN_LEAGUES),
    }
    return render(request, "evening/settlement.html", context, status=status)


def _won(shown: Settlement) -> list[Won]:
    by_name = sorted(shown.points, key=lambda pk: plain_letters(shown.players[pk].name))
    ranked = ranking.rank(by_name, lambda pk: shown.points[pk])
    return [Won(shown.players[pk], shown.points[pk], _due(shown, pk)) for _rank, pk in ranked]


def _due(shown: Settlement, player: int) -> str:
    """What ``player`` gets or pays in money; empty where no money is paid."""
    sums = shown.of(shown.terms.currency) if shown.terms.in_money else None
    if sums is None:
        return ""
    due = sums.due.get(player, 0)
    if not due:
        return in_figures(0, sums.currency)
    sentence = _("gets %(money)s") if due > 0 else _("pays %(money)s")
    return sentence % {"money": in_figures(abs(due), sums.currency)}


def _owed(shown: Settlement, reader: User) -> Iterator[SettlementLine]:
    for sums in shown.sums:
        for due in sums.left.transfers:
            payment = EveningPayment(
                league=shown.league,
                day=shown.day,
                payer=shown.players.get(due.payer or 0),
                payee=shown.players.get(due.payee or 0),
                amount=due.amount,
                currency=sums.currency,
            )
            yield _line(payment, reader)


def _line(payment: EveningPayment, reader: User) -> SettlementLine:
    figure = in_figures(payment.amount, payment.currency)
    if not payment.currency:
        figure = _("%(points)s points") % {"points": figure}
    return SettlementLine(payment, figure, payment.may_be_marked_by(reader))


def _rows(shown: Settlement, reader: User) -> Iterator[list[Cell]]:
    for pk, points in shown.points.items():
        yield ["total", None, shown.players[pk].name, points, "points", None, None]
    for sums in shown.sums:
        for party, due in sums.due.items() if sums.currency else ():
            name = shown.players[party].name if party else "till"
            amount = Decimal(in_numbers(due, sums.currency))
            yield ["due", None, name, amount, sums.currency, None, None]
    for line in _owed(shown, reader):
        yield [*_payment_row("owed", line.payment), None, None]
    for payment in shown.paid:
        at = timezone.localtime(payment.marked_at).isoformat(sep=" ", timespec="seconds")
        yield [*_payment_row("paid", payment), at, person_name(payment.marked_by, reader=reader)]


def _payment_row(what: str, payment: EveningPayment) -> list[Cell]:
    parties = (payment.payer, payment.payee)
    payer, payee = (party.name if party else "till" for party in parties)
    amount = Decimal(in_numbers(payment.amount, payment.currency))
    return [what, payer, payee, amount, payment.currency or "points"]
