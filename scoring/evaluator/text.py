"""Sentences that a face can translate: English that remembers its template and parameters."""

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
        text = cls(template.format(**params))
        text.template = template
        text.params = params
        return text
