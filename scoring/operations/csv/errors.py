"""Errors of importing hands from CSV."""

from collections.abc import Sequence


class SheetRefused(Exception):
    """Nothing was stored. ``sentences`` say why: each begins with its row, if it is about one."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = list(sentences)


class RowRefused(Exception):
    """``str()`` says what is wrong with one row, and the way out."""
