"""Whole points as people write them: a real minus, a plus where it is won, thin thousands."""

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

MINUS = "\N{MINUS SIGN}"
THIN = "\N{NARROW NO-BREAK SPACE}"


@register.filter
def whole(value: int | None) -> str:
    """A whole number, thousands apart: 12 500, −160; nothing for None."""
    if value is None:
        return ""
    return f"{value:,}".replace(",", THIN).replace("-", MINUS)


@register.filter
def signed(value: int | None) -> str:
    """An amount that was won or paid: +320, −160, 0; nothing for None."""
    return f"+{whole(value)}" if value is not None and value > 0 else whole(value)


@register.filter
def tenths(value: float) -> str:
    """An average to one decimal, as the reader's language writes it: 10.4, −0.3."""
    return floatformat(value, 1).replace("-", MINUS)


@register.filter
def percent(share: float | None) -> str:
    """A share of 1 as whole percent: 0.254 is 25 %; nothing for None."""
    return "" if share is None else f"{share:.0%}".replace("%", f"{THIN}%")


@register.simple_tag
def amount(value: int | None) -> SafeString:
    """A signed amount, with its colour beside its sign."""
    side = "" if not value else " amount--plus" if value > 0 else " amount--minus"
    return format_html('<span class="amount{}">{}</span>', side, signed(value))


@register.filter
def times(doubles: int) -> int:
    """What so many doubles multiply by: 3 is 8."""
    return 2**doubles
