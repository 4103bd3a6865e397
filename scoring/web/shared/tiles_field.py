"""The field for tiles: codes, or the names that they have in a language of the site."""

from typing import Any

from django import forms

from scoring.evaluator import notation
from scoring.translation import typed_tiles

# Tiles are no words: phones and browsers must not correct, capitalise or complete them.
NO_WORDS = {
    "autocapitalize": "none",
    "autocomplete": "off",
    "autocorrect": "off",
    "spellcheck": "false",
}


class TypedTilesField(forms.CharField):
    """Tiles as they were typed, in the spelling that the evaluator reads. It does not say if they are any."""

    def __init__(self, *, max_length: int = notation.LONGEST, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, widget=forms.TextInput(NO_WORDS), **kwargs)

    def to_python(self, value: Any) -> str:
        return typed_tiles(super().to_python(value) or "")
