"""Whole points as the reader's language writes them: a real minus, a plus where it is won.

Thousands are parted by a comma in English and Chinese, by a point in Dutch. espeak-ng 1.51 (en-gb,
nl, cmn, yue) reads these as one number: "+1,040" is "plus one thousand and forty", "+1.040" "plus
duizend veertig". Parted by a narrow space, "+1 040" was "plus one zero forty" in English and Chinese.
"25%" is "twenty-five percent", with or without a space.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format

from scoring.evaluator.books.counting import MOST_DOUBLES

MINUS = "\N{MINUS SIGN}"


def whole(value: int | None) -> str:
    """A whole number, thousands apart: 12,500, −160; nothing for None."""
    if value is None:
        return ""
    return number_format(value, force_grouping=True).replace("-", MINUS)


def signed(value: int | None) -> str:
    """An amount that was won or paid: +320, −160, 0; nothing for None."""
    return f"+{whole(value)}" if value is not None and value > 0 else whole(value)


def tenths(value: float) -> str:
    """An average to one decimal: 10.4, −0.3."""
    return number_format(f"{value:.1f}", force_grouping=True).replace("-", MINUS)


def percent(share: float | None) -> str:
    """A share of 1 as whole percent: 0.254 is 25%; nothing for None."""
    return "" if share is None else f"{share:.0%}"


def exact(value: Fraction | int | None) -> str:
    """A figure that need not be whole: 1,240 or −0.5; to two decimals where it never ends."""
    if value is None:
        return ""
    value = Fraction(value)
    digits = next((few for few in range(4) if value * 10**few % 1 == 0), 2)
    scaled = round(value * 10**digits)
    text = f"{Decimal(scaled).scaleb(-digits):.{digits}f}"
    return number_format(text, force_grouping=True).replace("-", MINUS)


def signed_exact(value: Fraction | int) -> str:
    """The same with a plus where it is more than nothing: +1,240."""
    return f"+{exact(value)}" if value > 0 else exact(value)


def adds_up(figures: Mapping[str, int]) -> bool:
    """Whether all points of a card, doubled by all its doubles, are its total."""
    return figures["points"] << min(figures["doubles"], MOST_DOUBLES) == figures["total"]
