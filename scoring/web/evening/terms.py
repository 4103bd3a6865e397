"""Stake and hall fee: of the club, for owners, and of a league, for organisers."""

from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.models import EveningTerms, League, club_day
from scoring.models.evening_money import MOST_MONEY
from scoring.models.money import CURRENCIES, CURRENCY_CHOICES, major, minor, money
from scoring.models.permissions import Permission, check_permission
from scoring.models.refusals import SOMETHING_CHANGED
from scoring.services.idempotency import StoredResponse
from scoring.services.settlements import change_terms, terms_etag
from scoring.typed_numbers import WholeNumberField

from ..account.drafts import member_or_form_later, typed_before
from ..idempotent_form import idempotent_post, say_done
from ..shared.refusals import Refusable
from ..shared.requests import visible_league

COLUMNS = ("currency", "stake_points", "rounding", "fee_per")
AMOUNTS = ("stake", "fee")


def _amount(label: Any, help_text: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        help_text=help_text,
        required=False,
        min_value=0,
        max_digits=9,
        decimal_places=2,
        widget=forms.NumberInput({"step": "any", "inputmode": "decimal"}),
    )


class TermsForm(Refusable, forms.Form):
    """Amounts as people write them; ``terms`` has them in the smallest unit."""

    as_club = forms.TypedChoiceField(
        label=gettext_lazy("How evenings are settled"),
        coerce=lambda value: value == "True",
        widget=forms.RadioSelect,
    )
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=CURRENCY_CHOICES)
    stake = _amount(
        gettext_lazy("Stake"),
        gettext_lazy("Money for the points below. Empty: nobody plays for money."),
    )
    stake_points = WholeNumberField(
        label=gettext_lazy("For how many points"),
        help_text=gettext_lazy("So many points, chips or faan are worth the stake."),
    )
    rounding = forms.TypedChoiceField(
        label=gettext_lazy("Amounts are rounded"),
        coerce=int,
        choices=EveningTerms.Rounding,
        help_text=gettext_lazy(
            "All still adds up: who loses most by rounding gets what is left over. In a currency "
            "without cents, read its unit in place of a cent."
        ),
    )
    fee = _amount(
        gettext_lazy("Hall fee"),
        gettext_lazy(
            "Paid to the club’s till, once for each league that is played that evening. Empty: none."
        ),
    )
    fee_per = forms.ChoiceField(
        label=gettext_lazy("The fee is"),
        choices=EveningTerms.FeePer,
        widget=forms.RadioSelect,
    )
    effective_from = forms.DateField(
        label=gettext_lazy("From the evening of"),
        help_text=gettext_lazy("Evenings before this day stay as they are."),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )

    fields: dict[str, Any]

    def __init__(self, *args: Any, league: League | None, **kwargs: Any) -> None:
        now = EveningTerms.objects.newest(league, club_day())
        self.club_terms = EveningTerms.objects.newest(None, club_day()) or EveningTerms()
        shown = now if now and not now.as_club else self.club_terms
        typed = kwargs.get("initial", {})
        kwargs["initial"] = {**_initial(shown), "as_club": now is None or now.as_club, **typed}
        super().__init__(*args, **kwargs)
        if league is None:
            del self.fields["as_club"]
        else:
            self.fields["as_club"].choices = [
                ("True", _("As in the club: %(terms)s") % {"terms": self.club_terms}),
                ("False", _("As this league says")),
            ]

    def clean(self) -> dict[str, Any]:
        """Amounts in the smallest unit of the currency."""
        data = super().clean() or self.cleaned_data
        currency = data.get("currency")
        for name in AMOUNTS:
            amount = data.get(name) or Decimal(0)
            units = minor(amount, currency) if currency else 0
            if units is None:
                message = _("%(currency)s has no such fraction: give a whole number.")
                named = {"currency": CURRENCIES[str(currency)].name}
                self.add_error(name, ValidationError(message % named, code="fraction"))
            elif units > MOST_MONEY:
                message = _("At most %(money)s.") % {"money": money(MOST_MONEY, str(currency))}
                self.add_error(name, ValidationError(message, code="max_value"))
            data[name] = units
        return data


def _initial(terms: EveningTerms) -> dict[str, Any]:
    return {
        **{name: getattr(terms, name) for name in COLUMNS},
        **{name: major(getattr(terms, name), terms.currency) or None for name in AMOUNTS},
        "effective_from": club_day(),
    }


@member_or_form_later
@require_http_methods(["GET", "HEAD", "POST"])
def of_club(request: HttpRequest) -> HttpResponse:
    """What holds in each league that says nothing else."""
    check_permission(request.user, Permission.CHANGE_THE_CLUB)
    return _answer(request, None)


@member_or_form_later
@require_http_methods(["GET", "HEAD", "POST"])
def of_league(request: HttpRequest, slug: str) -> HttpResponse:
    """What holds in one league."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    return _answer(request, visible_league(request, slug))


def _saved(league: League | None, day: date) -> str:
    """That terms from ``day`` on are saved, and until when they hold."""
    later = EveningTerms.objects.next_after(league, day)
    if later is None:
        return _("Saved.")
    message = _("Saved. What was set for evenings from %(day)s on still holds: %(terms)s")
    return message % {"day": date_format(later.effective_from), "terms": later}


def _change(request: HttpRequest, league: League | None, form: TermsForm) -> StoredResponse:
    seen = request.POST.get("seen", "")
    terms = change_terms(league, **form.cleaned_data, by=request.user, expected_etag=seen)
    return StoredResponse(200, {"id": terms.pk})


def _answer(request: HttpRequest, league: League | None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = TermsForm(sent, league=league, initial=typed_before(request))
    is_typed_wrongly = form.is_bound and not form.is_valid()
    if form.is_bound and form.is_valid():
        try:
            answer = idempotent_post(request, lambda: _change(request, league, form))
            say_done(request, answer, _saved(league, form.cleaned_data["effective_from"]))
            return redirect("club") if league is None else redirect(league)
        except ValidationError as error:
            form.refuse(error)
    seen = terms_etag(league)
    if is_typed_wrongly and request.POST.get("seen", "") not in ("", seen):
        messages.info(request, SOMETHING_CHANGED)
    versions = EveningTerms.objects.filter(league=league).select_related("made_by__player")[:20]
    context = {"form": form, "league": league, "versions": versions, "seen": seen}
    status = 422 if form.is_bound else 200
    return render(request, "evening/terms.html", context, status=status)
