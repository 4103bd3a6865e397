"""The errors with which a book is refused."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text

MOST_WORTH = 100_000
MOST_PROBLEMS = 12  # problems of a book at once
NO_ROUNDS = Text("A game has one to four rounds.")
LISTS = ("form", "set", "pattern")  # of tables, each written as [[form]]
ONE_VALUE = "one_value"  # the code of a list where one value stands: stored books may have it


class BookError(HandError):
    """What is wrong with a book: each problem's field says where, such as ``pattern pung: doubles``."""


def first_of(problems: Sequence[Problem]) -> list[Problem]:
    """The first problems, and that there are more, where they are too many to be read."""
    more = len(problems) - MOST_PROBLEMS
    if more <= 0:
        return list(problems)
    message = Text.of("And {count} more, when these are mended.", count=more)
    return [*problems[:MOST_PROBLEMS], Problem("book", "more", message)]


def at_line(line: int, message: str) -> Text:
    """``message`` with the line of the text that it is about."""
    return Text.of("Line {line}: {message}", line=line, message=message)


def out_of_range(key: str, least: int = 0) -> Text:
    """What to say about a number that is too small or too large, or is none."""
    template = "“{key}” is a whole number from {least} to {most}."
    return Text.of(template, key=key, least=least, most=MOST_WORTH)


def figures_out_of_range(key: str) -> Text:
    """What to say about a list of numbers, one of which is too small or too large, or is none."""
    return Text.of(
        "“{key}” is a list of whole numbers from {least} to {most}.",
        key=key,
        least=0,
        most=MOST_WORTH,
    )


def each_in_its_table(key: str) -> Text:
    """What to say about forms, sets or patterns that are no list of tables."""
    return Text.of("Write each as a table of its own: [[{key}]].", key=key)


def a_text(key: str) -> Text:
    """What to say about a value that is no text."""
    return Text.of("“{key}” is a text.", key=key)


def true_or_false(key: str) -> Text:
    """What to say about a flag that is neither."""
    return Text.of("“{key}” is true or false.", key=key)


def one_of(key: str, choices: Iterable[str]) -> Text:
    """What to say about a value that is none of ``choices``."""
    return Text.of("“{key}” is one of {choices}.", key=key, choices=", ".join(choices))


def no_such_book(slug: str, known: Iterable[str]) -> Text:
    """What to say about a short name that no book that ships has."""
    names = ", ".join(known)
    return Text.of("There is no book “{base}”: choose from {known}.", base=slug, known=names)


def no_such(identity: str, known: Sequence[str]) -> Text:
    """What to say where ``identity`` is to be taken away and is none of those ``known`` to the base."""
    near = get_close_matches(identity, known, 1, 0.5)
    if near:
        return Text.of(
            "The base has no “{id}” that could be taken away: is it “{near}”?",
            id=identity,
            near=near[0],
        )
    return Text.of("The base has no “{id}” that could be taken away.", id=identity)


def entry_field(key: str, entry: Mapping[str, object], place: int) -> str:
    """The field of a form, set or pattern: by its id, or by its ``place`` if that is none.

    >>> entry_field("form", {"id": "pairs"}, 2), entry_field("form", {"id": [1]}, 2)
    ('form pairs', 'form 2')
    """
    name = entry.get("id")
    return f"{key} {name if type(name) in (str, int) else place}"


def entries_of(data: Mapping[str, object], key: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each form, set or pattern of ``data`` with its field; what is no table is passed over."""
    listed = data.get(key)
    for place, entry in enumerate(listed if isinstance(listed, list) else (), 1):
        if isinstance(entry, Mapping):
            yield entry_field(key, entry, place), entry


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
