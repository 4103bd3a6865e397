"""Sentences that an interface can translate: English that remembers its template and parameters."""

from collections.abc import Sequence
from typing import Self


class Text(str):
    """A sentence with the template and the parameters that it was made of.

    >>> sentence = Text.of("Five {tile}: a wall has four.", tile="2 of Bamboo")
    >>> sentence, sentence.template
    ('Five 2 of Bamboo: a wall has four.', 'Five {tile}: a wall has four.')
    """

    __slots__ = ("params", "template")
    template: str
    params: dict[str, object]

    @classmethod
    def of(cls, template: str, **params: object) -> Self:
        """``template`` with ``{name}`` fields filled in."""
        text = cls(template.format_map(params))
        text.template = template
        text.params = params
        return text

    @classmethod
    def joined(cls, sentences: Sequence[str]) -> Self:
        """Sentences one after the other, each of them a parameter."""
        text = cls(" ".join(sentences))
        text.template = " ".join(NAMES[: len(sentences)])
        text.params = dict(zip(LETTERS, sentences, strict=False))
        return text


LETTERS = "abcdefghi"
NAMES = tuple(f"{{{letter}}}" for letter in LETTERS)
