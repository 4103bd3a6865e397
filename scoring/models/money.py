"""Amounts of money: whole numbers of a currency's smallest unit, never fractions of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency with ``digits`` after the decimal sign: 2 of the euro, 0 of the yen."""

    name: str | Promise
    symbol: str
    digits: int = 2


# By their codes in ISO 4217. A currency more is a line more.
CURRENCIES: Mapping[str, Currency] = {
    "EUR": Currency(gettext_lazy("Euro"), "€"),
    "GBP": Currency(gettext_lazy("Pound sterling"), "£"),
    "USD": Currency(gettext_lazy("US dollar"), "US$"),
    "AUD": Currency(gettext_lazy("Australian dollar"), "A$"),
    "CAD": Currency(gettext_lazy("Canadian dollar"), "C$"),
    "CHF": Currency(gettext_lazy("Swiss franc"), "CHF"),
    "CNY": Currency(gettext_lazy("Renminbi"), "¥"),
    "DKK": Currency(gettext_lazy("Danish krone"), "DKK"),
    "HKD": Currency(gettext_lazy("Hong Kong dollar"), "HK$"),
    "JPY": Currency(gettext_lazy("Japanese yen"), "¥", digits=0),
    "SGD": Currency(gettext_lazy("Singapore dollar"), "S$"),
    "TWD": Currency(gettext_lazy("New Taiwan dollar"), "NT$"),
}
CURRENCY_CHOICES = [
    (code, format_lazy("{} ({})", currency.name, currency.symbol))
    for code, currency in CURRENCIES.items()
]


def major(amount: int, currency: str) -> Decimal:
    """``amount`` of the smallest units as people write it: 420 cents are 4.20."""
    return Decimal(amount).scaleb(-CURRENCIES[currency].digits)


def minor(amount: Decimal, currency: str) -> int | None:
    """``amount`` in the smallest units; None if it has a fraction of one."""
    units = amount.scaleb(CURRENCIES[currency].digits)
    return int(units) if units == units.to_integral_value() else None


def money(amount: int, currency: str) -> str:
    """``amount`` (0 or more, in the smallest units) with its symbol, in the reader's language: €4.20."""
    known = CURRENCIES[currency]
    figure = number_format(major(amount, currency), known.digits, force_grouping=True)
    # Translators: €4.20 in English, € 4,20 in Dutch. The space does not break.
    return _("%(symbol)s%(amount)s") % {"symbol": known.symbol, "amount": figure}
