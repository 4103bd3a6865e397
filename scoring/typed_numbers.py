"""Numbers as people type them: marks between thousands are understood, or refused where they are unclear.

Also the ids that a form sends: whoever changed the form may have typed anything.
"""

import re
from fractions import Fraction
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import get_format
from django.utils.translation import gettext as _

# The longest number whose every value fits into the column of an id.
_DIGITS_OF_AN_ID = 18


class WholeNumberField(forms.IntegerField):
    """A whole number without any mark: Django reads "1.000", a thousand in Dutch, as 1, and 2_0 as 20."""

    # What it matches is left out: no digits are left of whatever has an underscore.
    re_decimal = re.compile(r"(?s:.*_.*)|\s*\Z")


class RowField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A row by its id in plain digits: Django takes those of other scripts, and 1_0, for ids, too."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and value and typed_id(value) is None:
            message = self.error_messages["invalid_choice"]
            raise ValidationError(message, code="invalid_choice", params={"value": value})
        return super().to_python(value)


def without_marks(text: str) -> str:
    """``text`` without the marks that the reader's language has between thousands, if they stand right.

    What is no number, or has other marks, stays as it is.
    """
    mark = str(get_format("THOUSAND_SEPARATOR"))
    whole = rf"([+-]?[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+)((?:[.,]\d+)?)"
    grouped = re.fullmatch(whole, text)
    return grouped[1].replace(mark, "") + grouped[2] if grouped else text


def typed_id(text: str) -> int | None:
    """The id, or number of a version, that ``text`` writes in plain digits; None for what no row can have.

    >>> typed_id("12"), typed_id("²"), typed_id("9" * 19), typed_id("")
    (12, None, None, None)
    """
    plain = text.isascii() and text.isdecimal() and len(text) <= _DIGITS_OF_AN_ID
    return int(text) if plain else None


def typed_number(text: str) -> Fraction:
    """The number that ``text`` writes, with a point or a comma for decimals, and thousands as the language has them.

    :raises ValueError: if ``text`` is no number.
    :raises ValidationError: if its mark is one of thousands in another language.
    """
    text = without_marks(text)
    if re.search(r"[.,]\d{3}", text):
        message = _("%(number)s can be read in two ways: write 1000 without a mark.")
        raise ValidationError(message % {"number": text}, code="unclear")
    if not re.fullmatch(r"[+-]?\d+(?:[.,]\d+)?", text):
        raise ValueError(text)
    return Fraction(text.replace(",", "."))
