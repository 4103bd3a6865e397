"""The examples of a rule book, tried against the book itself."""

from scoring.evaluator.books.book import Book, Example, Pattern
from scoring.evaluator.books.examples import Judge, has


def wrong_examples(book: Book, judge: Judge | None = None) -> list[tuple[Pattern, Example]]:
    """The examples that do not show what they should: hands that have not, or have, their pattern.

    :raises HandError: as :func:`lines_of`.
    """
    return [
        (pattern, example)
        for pattern in book.patterns
        for examples, should in ((pattern.has, True), (pattern.nearly, False))
        for example in examples
        if has(book, pattern, example, judge) != should
    ]
