"""One line of a file of hands, by a rule book: what its cells say, and the hands of those who lost."""

from collections.abc import Iterator, Mapping

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.circumstances import refuse_contradiction
from scoring.evaluator.problems import refuse
from scoring.evaluator.table import TableState
from scoring.evaluator.win import Win
from scoring.operations.csv.others import others_entered
from scoring.services.book_scores import card_by_book

LOSER = "loser"  # in the column won_by: the hand of somebody who did not win


def card_of_row(entered: Mapping[str, str], win: Win, book: Book) -> BookCard:
    """What the hand of one line is worth by ``book``.

    :raises HandError: for a hand that cannot be, and what the book does not know.
    """
    refuse_contradiction(win)
    card = card_by_book(
        book,
        entered["tiles"],
        entered["seat"],
        entered["prevailing"],
        melds=(entered.get("melds") or "").split() or None,
        bonus=win.names("bonus"),
        winning_tile=win.winning_tile,
        won_by="" if win.way == LOSER else win.way,
        flags=win.names("flags"),
        value=win.value,
    )
    closed = all(meld.concealed for meld in card.hand.melds)
    if win.concealed is not None and win.concealed is not closed:
        raise refuse("concealed", "contradiction", "“concealed” contradicts the declared sets.")
    return card


def loser_rows(cell: str, state: TableState) -> Iterator[dict[str, str]]:
    """A line for each hand with tiles of the players who lost, under the winds of ``state``.

    :raises ValueError: with a sentence for what cannot be read.
    """
    for entry in others_entered(cell, range(4)):
        if entry.tiles:
            yield {
                "tiles": str(entry.tiles),
                "seat": state.seat_wind(entry.player).value,
                "prevailing": state.round.value,
                "bonus": entry.bonus,
                "flags": entry.flags,
                "won_by": LOSER,
            }
