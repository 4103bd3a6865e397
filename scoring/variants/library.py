"""A book whose hands a library judges: hands are checked first, and laid out as the verdict says."""

from collections.abc import Callable

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.compiled import Judged, compiled
from scoring.evaluator.books.counting import BookVerdict
from scoring.evaluator.books.hands import PlayerHand

from .checks import checked

Judge = Callable[[Book, PlayerHand], BookVerdict | None]


class Library:
    """One book, judged by ``judge``, which answers None for a hand that does not win."""

    def __init__(self, book: Book, judge: Judge) -> None:
        self.book = book
        self._judge = judge

    def judged(self, hand: PlayerHand) -> list[Judged]:
        """The hand with its verdict; empty if it does not win.

        :raises HandError: for a hand that cannot be, or says what the book does not know.
        """
        hand = checked(self.book, hand)
        verdict = self._judge(self.book, hand)
        return [] if verdict is None else [self._laid(hand, verdict)]

    def _laid(self, hand: PlayerHand, verdict: BookVerdict) -> Judged:
        """``verdict`` with the arrangement that it fits best: a library does not tell which it took.

        The conditions of the book's patterns say that of what the library found.
        """
        in_verdict = {line.pattern.id for line in verdict.lines}
        ways = compiled(self.book).judged(hand)
        best = max(
            ways, key=lambda way: len(in_verdict & {line.pattern.id for line in way.verdict.lines})
        )
        return best._replace(verdict=verdict)
