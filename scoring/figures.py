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
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evaluator.books.counting import doubled
from scoring.evaluator.books.libraries import faan_of
from scoring.evaluator.rounding import nearest

MINUS = "\N{MINUS SIGN}"
MOST_COUNTED = 1_000_000  # of which something is a share, such as hands


def whole(value: int | None) -> str:
    """A whole number, thousands apart: 12,500, −160; nothing for None."""
    if value is None:
        return ""
    return number_format(value, force_grouping=True).replace("-", MINUS)


def signed(value: int | None) -> str:
    """An amount that was won or paid: +320, −160, 0; nothing for None."""
    return f"+{whole(value)}" if value is not None and value > 0 else whole(value)


def rounded(value: Fraction | float, decimals: int | None = None) -> Decimal:
    """``value`` to so many ``decimals``: a half away from 0, and never −0. Pages, sheets and API round by this alone.

    :param decimals: None for as many as it has, to three; two where there are more.

    >>> rounded(Fraction(15, 8)), rounded(Fraction(-2, 3)), rounded(Fraction(-1, 4), 1)
    (Decimal('1.875'), Decimal('-0.67'), Decimal('-0.3'))
    """
    value = Fraction(value)
    if decimals is None:
        decimals = next((few for few in range(4) if value * 10**few % 1 == 0), 2)
    return Decimal(nearest(value * 10**decimals)).scaleb(-decimals)


def tenths(value: Fraction | float) -> str:
    """An average to one decimal: 10.4, −0.3."""
    return _written(rounded(value, 1))


def percent(share: float | None) -> str:
    """A share of 1 as whole percent: 0.254 is 25%, 1 of 8 is 13%; nothing for None."""
    if share is None:
        return ""
    # 29 of 200, which is 14.5 percent, is a little less as a number of the machine.
    return f"{nearest(100 * Fraction(share).limit_denominator(MOST_COUNTED))}%"


def exact(value: Fraction | int | None) -> str:
    """A figure that need not be whole: 1,240 or −0.5; to two decimals where it never ends."""
    if value is None:
        return ""
    return _written(rounded(value))


def signed_exact(value: Fraction | int) -> str:
    """The same with a plus where it is more than nothing: +1,240."""
    return f"+{exact(value)}" if rounded(value) > 0 else exact(value)


def mixed(value: Fraction) -> str:
    """The same, but for what :func:`exact` would round: −2 2/3. So the parts of a sum add up to it."""
    if rounded(value) == value:
        return exact(value)
    number, rest = divmod(abs(value), 1)
    parts = [whole(number)] if number else []
    sign = MINUS if value < 0 else ""
    return sign + " ".join([*parts, f"{rest.numerator}/{rest.denominator}"])


def _written(value: Decimal) -> str:
    return number_format(f"{value:f}", force_grouping=True).replace("-", MINUS)


def faan_in_words(faan: int, engine: str) -> str:
    """So many faan, as the books of the library ``engine`` call them."""
    words = {
        "faan": ngettext("%(count)s faan", "%(count)s faan", faan),
        "fan": ngettext("%(count)s fan", "%(count)s fan", faan),
        "han": ngettext("%(count)s han", "%(count)s han", faan),
    }
    return words[faan_of(engine)] % {"count": faan}


def faan_title(engine: str) -> str:
    """The heading of a list of faan, as the books of the library ``engine`` call them."""
    return {"faan": _("Faan"), "fan": _("Fan"), "han": _("Han")}[faan_of(engine)]


def worth_in_words(unit: str, text: str, engine: str = "") -> str:
    """What a value, as a rule book writes it, is worth in its ``unit``; an expression stays as it is.

    :param engine: the library that judges the hands of the book.
    """
    if not text.isdecimal():
        return text
    value = int(text)
    if unit == "limit":
        return _("the limit") if value == 100 else _("%(share)s %% of the limit") % {"share": value}
    if unit == "faan":
        return faan_in_words(value, engine)
    if unit == "doubles":
        return ngettext("%(count)s double", "%(count)s doubles", value) % {"count": value}
    return ngettext("%(count)s point", "%(count)s points", value) % {"count": whole(value)}


def adds_up(figures: Mapping[str, int]) -> bool:
    """Whether all points of a card, doubled by all its doubles, are its total."""
    return doubled(figures["points"], figures["doubles"]) == figures["total"]
