"""The errors with which a book is refused."""

from collections.abc import Iterable, Sequence

from scoring.evaluator.problems import HandError
from scoring.evaluator.text import Text

MOST_WORTH = 100_000
ONE_VALUE = "one_value"  # the code of a list where one value stands: stored books may have it


class BookError(HandError):
    """What is wrong with a book: each problem's field says where, such as ``pattern pung: doubles``."""


def out_of_range(key: str, least: int = 0) -> Text:
    """What to say about a number that is too small or too large, or is none."""
    template = "“{key}” is a whole number from {least} to {most}."
    return Text.of(template, key=key, least=least, most=MOST_WORTH)


def one_of(key: str, choices: Iterable[str]) -> Text:
    """What to say about a value that is none of ``choices``."""
    return Text.of("“{key}” is one of {choices}.", key=key, choices=", ".join(choices))


def found_twice(ids: Sequence[str]) -> list[str]:
    """Those of ``ids`` that are there more than once, each once.

    >>> found_twice(["b", "a", "b"])
    ['b']
    """
    return sorted({one for one in ids if ids.count(one) > 1})


def there_are_two(kind: str, identity: str) -> Text:
    """What to say about two entries of one id: ``kind`` is "pattern", "form" or "set"."""
    if kind == "pattern":
        return Text.of("There are two patterns “{id}”.", id=identity)
    if kind == "form":
        return Text.of("There are two forms “{id}”.", id=identity)
    return Text.of("There are two kinds of sets “{id}”.", id=identity)
