"""Errors of importing a dump."""

from django.utils.translation import gettext as _


class TransferRefused(Exception):
    """``str()`` says why, and what to do. Nothing was stored."""


def at_line(number: int, sentence: str) -> TransferRefused:
    """The refusal of one line of a file, counted from 1."""
    return TransferRefused(
        _("Line %(number)s: %(sentence)s") % {"number": number, "sentence": sentence}
    )
