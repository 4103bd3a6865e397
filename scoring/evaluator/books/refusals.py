"""Why a book is refused."""

from collections.abc import Sequence

from scoring.evaluator.problems import HandError
from scoring.evaluator.text import Text

MOST_WORTH = 100_000


class BookError(HandError):
    """What is wrong with a book: each problem's field says where, such as ``pattern pung: doubles``."""


def out_of_range(key: str) -> Text:
    """What to say about a number that is too large, or is none."""
    return Text.of("“{key}” is a whole number from 0 to {most}.", key=key, most=MOST_WORTH)


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
