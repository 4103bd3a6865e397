"""Errors of a hand, a wind or a rule set: a field, a code and a sentence each."""

from collections.abc import Iterable
from dataclasses import dataclass

from .text import Text


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where, of which kind, and the way out in words."""

    field: str
    code: str
    message: str


class HandError(ValueError):
    """Something that cannot be. ``problems`` holds all that was found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))


def refuse(field: str, code: str, template: str, **params: object) -> HandError:
    """A :class:`HandError` with a single problem.

    >>> refuse("seat", "unknown_wind", "There is no wind “{name}”.", name="Q").problems
    (Problem(field='seat', code='unknown_wind', message='There is no wind “Q”.'),)
    """
    return HandError([Problem(field, code, Text.of(template, **params))])
