"""The patterns that a library finds, by what the book says of them."""

from scoring.evaluator.books.book import Book, Pattern
from scoring.evaluator.books.expressions import Expression


def pattern_of(book: Book, identity: str, name: str) -> Pattern:
    """The book's pattern; where it has none, one that says only what the library calls it."""
    known = book.by_id.get(identity)
    return known or Pattern(identity, name, "faan", Expression("0"), Expression("1"))
