"""The card of a rule book on paper: plain text, one line a pattern, figures under each other."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from scoring.evaluator.books.cards import BookCard
from scoring.figures import faan_title
from scoring.translation import label_in_book, translate

from .printed import GAP, Card, PrintedLine, columns, sets


def card(of: BookCard) -> str:
    """The sets, what they and the hand are worth, and the score; or why it does not win."""
    if of.why:
        return translate(of.why)
    shown = of.as_dict()
    hand, book = of.hand, of.book
    heading = _("%(seat)s in the %(prevailing)s round. %(book)s.") % {
        "seat": translate(hand.seat.label),
        "prevailing": translate(hand.prevailing.label),
        "book": book.name,
    }
    tiles = " ".join(filter(None, [sets(shown), *shown["bonus"]]))
    return f"{tiles}\n{heading}\n\n{columns(list(_lines(shown, book.engine)))}"


def _lines(shown: Card, engine: str) -> Iterator[PrintedLine]:
    """Points, doubles, faan and shares of the limit, each with its sum, as far as there are such."""
    reports = {
        "point_report": ("points", _("Points")),
        "double_report": ("doubles", _("Doubles")),
        "faan_report": ("faan", faan_title(engine)),
    }
    for report, (unit, name) in reports.items():
        if shown[report]:
            yield from ((label_in_book(line), line[unit]) for line in shown[report])
            yield name, shown[unit]
            yield GAP
    for line in shown["limit_report"]:
        yield label_in_book(line), _("%(share)s %% of the limit") % {"share": line["limit"]}
    if shown["final"] != shown["total"]:
        yield _("Total"), shown["total"]
    yield _("Final score"), shown["final"]
