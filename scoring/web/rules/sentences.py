"""Say in sentences what a rule book decides of scores, payments and the deal."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evaluator.books.book import Book
from scoring.figures import faan_in_words, faan_title, whole
from scoring.translation import listed, translate

Sentences = Iterator[str]


# --- from the lines of a hand to its score -------------------------------------------------------------


def counting(book: Book) -> Sentences:
    """From the lines of a hand to its score."""
    yield from COUNTINGS[book.counting.kind](book)


def _of_tiles(book: Book) -> Sentences:
    """Which arrangement of the tiles counts, which patterns of a group, and what bonus tiles do."""
    if not book.counting.best:
        yield _(
            "If the tiles can be arranged in several ways, the first counts in the order of the book, "
            "not the best."
        )
    if book.counting.first_of_group:
        yield _("Of patterns that do not count together, the first in the book counts.")
    yield _("Flowers and seasons count.") if book.bonus else _("Flowers and seasons do not count.")
    if book.replaces_bonus and book.bonus and "replacement" in book.circumstances:
        yield _("A win on the replacement of a flower or season counts as one after a kong.")


def _points(book: Book) -> Sentences:
    counting = book.counting
    yield _("The points are doubled as often as the hand has doubles.")
    if counting.rounding > 1:
        yield _("The result is rounded to the nearest %(step)s.") % {"step": counting.rounding}
    if not counting.limit:
        yield _("There is no limit.")
    else:
        yield _("The limit is %(limit)s.") % {"limit": whole(counting.limit)}
        if not counting.roof:
            yield _("Hands that are no limit hands may score more than the limit.")
    if counting.minimum:
        yield _("A hand needs at least %(least)s doubles to win.") % {"least": counting.minimum}
    yield from _of_tiles(book)


def _faan(book: Book) -> Sentences:
    counting = book.counting
    if counting.table:
        yield _("The faan are added up, and a table says how many points they are.")
    elif book.settlement.kind == "costs":
        yield _("The han are added up; a table of han and fu says what the winner gets.")
    else:
        yield _("%(unit)s are added up.") % {"unit": faan_title(book.engine)}
    if counting.minimum:
        least = faan_in_words(counting.minimum, book.engine)
        yield _("A hand needs at least %(least)s to win.") % {"least": least}
    if counting.maximum:
        yield _("No more than %(most)s count.") % {
            "most": faan_in_words(counting.maximum, book.engine)
        }
    if counting.table:
        most = counting.maximum or len(counting.table) - 1
        rows = [f"{faan}: {whole(points)}" for faan, points in enumerate(counting.table)]
        yield _("Faan and points: %(rows)s.") % {
            "rows": ", ".join(rows[counting.minimum : most + 1])
        }
    yield from _of_tiles(book)


def _sum(book: Book) -> Sentences:
    counting = book.counting
    yield _("The points are added up.")
    if counting.minimum:
        yield _("A hand needs at least %(least)s points to win.") % {"least": counting.minimum}
    if counting.least:
        yield _("The lowest score is %(least)s.") % {"least": whole(counting.least)}
    if counting.maximum:
        yield _("The highest score of patterns that are added up is %(most)s.") % {
            "most": whole(counting.maximum)
        }
    yield from _of_tiles(book)


def _card(_book: Book) -> Sentences:
    yield _("The value of the line, as the card says it, is doubled as often as listed here.")


COUNTINGS: dict[str, Callable[[Book], Sentences]] = {
    "points": _points,
    "faan": _faan,
    "sum": _sum,
    "card": _card,
}


# --- who pays whom ------------------------------------------------------------------------------------


def settlement(book: Book) -> Sentences:
    """Who pays whom."""
    yield from SETTLEMENTS[book.settlement.kind](book)
    if book.settlement.losers_settle and book.losers_score:
        yield _("The losers settle among themselves, too: each pair pays the difference.")
        if book.settlement.liability:
            yield _("Where somebody pays for everybody, the losers do not settle.")


def _shares(book: Book) -> Sentences:
    discarders = {
        "double": _("Who discarded the winning tile pays double."),
        "pays_for_all": _("Who discarded the winning tile pays for all three."),
        "alone": _("Only who discarded the winning tile pays."),
    }
    yield _("Each loser pays the winner’s score.")
    if book.settlement.discarder in discarders:
        yield discarders[book.settlement.discarder]
    if book.settlement.dealer_doubles:
        yield dealer_doubles()
    yield from _liability(book)


def _portions(book: Book) -> Sentences:
    base = book.settlement.base
    if base == 1:
        yield _("Each loser pays the winner’s score when the winning tile was drawn.")
    else:
        yield _("A portion is %(base)s times the winner’s score.") % {"base": base}
        yield _("Each loser pays a portion when the winning tile was drawn.")
    if book.settlement.discarder == "half":
        yield _("On a discard, who discarded it pays all of it, and the others half.")
    else:
        yield _("On a discard, who discarded it pays two portions, and the others nothing.")
    yield from _liability(book)


def _threshold(book: Book) -> Sentences:
    yield _("Each loser pays the winner’s score up to a threshold.")
    yield _("Who discarded the winning tile pays what lies above %(threshold)s for all.") % {
        "threshold": whole(book.settlement.threshold)
    }


def _base(book: Book) -> Sentences:
    yield _(
        "Each loser pays %(base)s. Who discarded the winning tile pays the winner’s score besides; "
        "when it was drawn, each loser does."
    ) % {"base": book.settlement.base}


def _costs(book: Book) -> Sentences:
    """Counters and sticks, and who is paid after a draw."""
    settlement = book.settlement
    yield _(
        "On a discard, only who discarded pays. When the winning tile was drawn, each loser pays a "
        "share; the dealer pays and gets more."
    )
    if settlement.counter:
        yield _(
            "Each counter adds %(all)s: from who discarded, or %(each)s from each when self-drawn. "
            "There is one more after a draw and after a win of the dealer; another win takes them away."
        ) % {"all": whole(3 * settlement.counter), "each": whole(settlement.counter)}
    if settlement.stick:
        yield _(
            "Who declares riichi puts a stick of %(stick)s on the table. The next winner takes all "
            "sticks that lie there."
        ) % {"stick": whole(settlement.stick)}
    if settlement.left_to_first:
        yield _("Sticks that are left at the end of the game go to the first player.")
    if settlement.draw:
        yield _(
            "After a draw, those who were not calling for a winning tile pay %(draw)s in all to those who were."
        ) % {"draw": whole(settlement.draw)}
    yield _(
        "In leagues one player wins: of several on one discard, the nearest after who discarded."
    )
    yield from _liability(book)


def _liability(book: Book) -> Sentences:
    settlement = book.settlement
    if not settlement.liability:
        return
    if settlement.liable_for:
        names = (translate(book.by_id[name].name) for name in settlement.liable_for)
        yield _(
            "Who let somebody complete one of these hands may have to pay for everybody: %(hands)s."
        ) % {"hands": listed(names)}
    else:
        yield _(
            "Who discarded a dangerous tile, or let somebody complete a limit hand, may have to pay "
            "for everybody."
        )


SETTLEMENTS: dict[str, Callable[[Book], Sentences]] = {
    "shares": _shares,
    "portions": _portions,
    "threshold": _threshold,
    "base": _base,
    "costs": _costs,
}


def left_to_leagues(book: Book) -> Sentences:
    """What the book says and the site does not work out by it: places, start and target, false wins."""
    settlement = book.settlement
    if settlement.places or settlement.target != settlement.start:
        yield _(
            "Places worth %(places)s, %(start)s points at the start and %(target)s to hand in are "
            "standing rules: they count only in a league that has them."
        ) % {
            "start": whole(settlement.start),
            "target": whole(settlement.target),
            "places": _(" and ").join(map(whole, settlement.places)) or whole(0),
        }
    if settlement.false_win:
        yield ngettext(
            "Who declares a win without having one pays each of the others the highest score: a table "
            "enters that as other points.",
            "Who declares a win without having one pays each of the others %(times)s times the highest "
            "score: a table enters that as other points.",
            settlement.false_win,
        ) % {"times": settlement.false_win}


# --- the deal -----------------------------------------------------------------------------------------


def deal(book: Book) -> Sentences:
    """When the dealer deals again, and how long a game is."""
    deal = book.deal
    yield staying(deal.stays_on_win, "calling" if deal.only_calling else deal.stays_on_draw)
    if deal.abortive:
        yield _("A hand may be broken off before the wall runs out; then the dealer deals again.")
    yield ngettext("A game has %(count)s round.", "A game has %(count)s rounds.", deal.rounds) % {
        "count": deal.rounds
    }


def dealer_doubles() -> str:
    return _("The dealer pays double, and is paid double.")


def staying(after_a_win: bool, after_a_draw: bool | str) -> str:
    """When the dealer deals again, in a sentence.

    :param after_a_draw: ``calling``: only while calling for a winning tile.
    """
    return {
        (True, "calling"): _(
            "The dealer deals again after winning, and after a draw while calling for a winning tile; "
            "otherwise the deal passes on, and the seat winds with it."
        ),
        (False, "calling"): _(
            "The dealer deals again after a draw while calling for a winning tile; otherwise the deal "
            "passes on, and the seat winds with it."
        ),
        (True, True): _(
            "The dealer deals again after winning and after a drawn hand; otherwise the deal passes on, and the seat winds with it."
        ),
        (True, False): _(
            "The dealer deals again after winning; otherwise the deal passes on, and the seat winds with it."
        ),
        (False, True): _(
            "The dealer deals again after a drawn hand; otherwise the deal passes on, and the seat winds with it."
        ),
        (False, False): _("After every hand the deal passes on, and the seat winds with it."),
    }[after_a_win, after_a_draw]
