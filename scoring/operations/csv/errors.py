"""Errors of importing hands from CSV."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

COLUMN_TWICE = _("The column “%(name)s” is there twice.")


class SheetRefused(Exception):
    """Nothing was stored. ``sentences`` say why: each begins with its row, if it is about one."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = list(sentences)


class RowRefused(Exception):
    """``str()`` says what is wrong with one row, and the way out."""
