"""Reasons that a page proposes, so that nobody has to type them: stored in English, said in the reader's language."""

from django.utils.translation import gettext, gettext_noop

SEATS_ENTERED_WRONGLY = gettext_noop("The seats were entered wrongly.")
SOMEBODY_ELSE_SAT_THERE = gettext_noop("Somebody else was sitting there.")
PROPOSED = (SEATS_ENTERED_WRONGLY, SOMEBODY_ELSE_SAT_THERE)


def to_store(reason: str) -> str:
    """``reason`` as it is stored: in English, if it is what the page proposed in the language of whoever gave it."""
    return next((one for one in PROPOSED if gettext(one) == reason), reason)


def in_words(reason: str) -> str:
    """The stored ``reason`` in the reader's language, if a page proposed it; else as it was typed."""
    return gettext(reason) if reason in PROPOSED else reason
