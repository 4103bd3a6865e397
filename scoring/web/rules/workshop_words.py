"""The words of the workshop: what each key of a book asks, in the reader's language."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.libraries import faan_of
from scoring.evaluator.books.meanings import meanings
from scoring.figures import faan_title
from scoring.translation import translate

WHO = {"winner": _("the winner"), "losers": _("the losers"), "all": _("everybody")}
MINIMUM = {
    "points": _("A hand needs at least so many doubles to win"),
    "sum": _("A hand needs at least so many points to win"),
}
COUNTING = {
    "limit": _("Limit, in points (0: none)"),
    "rounding": _("Round to the nearest (1: not at all)"),
    "roof": _("The limit is the highest score of every hand"),
    "minimum": MINIMUM["points"],
    "maximum": _("At most so much counts (0: no maximum)"),
    "least": _("The lowest score"),
    "table": _("Points for 0, 1, 2 … faan"),
}
# What is said otherwise of a book that counts faan, by what its library calls them.
COUNTING_FAAN = {
    "faan": {"minimum": _("A hand needs at least so many faan to win")},
    "fan": {
        "minimum": _("A hand needs at least so many fan to win"),
        "table": _("Points for 0, 1, 2 … fan"),
    },
    "han": {
        "minimum": _("A hand needs at least so many han to win"),
        "table": _("Points for 0, 1, 2 … han"),
    },
}
OF_A_TABLE = {"maximum": _("At most so many faan count (1 up to the last of the table)")}
SETTLEMENT = {
    "discarder": _("Who discarded the winning tile pays"),
    "dealer_doubles": _("The dealer pays double, and is paid double"),
    "losers_settle": _("The losers settle among themselves, too"),
    "liability": _("A player may have to pay for everybody"),
    "threshold": _("Up to so many points, all pay alike"),
    "base": _("The base"),
    "counter": _("What each counter adds for each who pays"),
    "stick": _("What a riichi stick is worth (0: there are none)"),
    "draw": _("What those who do not call pay at a draw, in all"),
    "left_to_first": _("Sticks that are left at the end go to the first"),
}
DISCARDER_NAMES = {
    "equal": _("as much as the others"),
    "double": _("double"),
    "pays_for_all": _("for all three"),
    "alone": _("alone"),
    "full": _("for all"),
    "half": _("for half, the others the rest"),
}
DEAL = {
    "stays_on_win": _("The dealer deals again after winning"),
    "stays_on_draw": _("The dealer deals again after a drawn hand"),
    "only_calling": _("After a drawn hand the dealer deals again only while calling"),
    "abortive": _("A hand may be broken off; the dealer deals again"),
    "rounds": _("Rounds of a game, one to four"),
}
OPTIONS = {
    "open_tanyao": _("All simples counts in an open hand, too"),
    "double_yakuman": _("Some hands count as two yakuman"),
    "kazoe": _("A hand of 13 han and more counts as"),
    "kiriage": _("4 han 30 fu and 3 han 60 fu count as a mangan"),
    "open_pinfu_fu": _("An open pinfu has 2 fu besides"),
    "drawn_pinfu_fu": _("A drawn pinfu has 2 fu for the draw"),
}
OPTION_VALUES = {
    "yakuman": _("a yakuman"),
    "sanbaiman": _("a sanbaiman"),
    "unlimited": _("a yakuman for every 13 han"),
}
WHOLE = {"bonus": _("Flowers and seasons count"), "losers_score": _("The losers’ hands score, too")}
KINDS = {
    "pattern": _("a pattern of any winning hand"),
    "tiles": _("a hand of certain tiles"),
    "pairs": _("a hand of seven pairs"),
    "knitted_pairs": _("a hand of pairs of one rank in two suits"),
    "knitted_triples": _("a hand of triples of one rank in three suits"),
    "knitted_straight": _("a hand with 1 4 7, 2 5 8, 3 6 9 of three suits"),
    "knitted_singles": _("fourteen different tiles of these runs and honors"),
}


def counting_labels(book: Book) -> dict[str, Promise]:
    """What each key of the counting of ``book`` asks."""
    counting = book.counting
    of_a_table = OF_A_TABLE if counting.table else {}
    if counting.kind == "faan":
        return {**COUNTING, **COUNTING_FAAN[faan_of(book.engine)], **of_a_table}
    minimum = MINIMUM.get(counting.kind, MINIMUM["points"])
    return {**COUNTING, "minimum": minimum, **of_a_table}


def unit_names(book: Book) -> dict[str, str]:
    """What a pattern of ``book`` may be worth, by the key that says it."""
    return {
        "points": str(_("Points")),
        "doubles": str(_("Doubles")),
        "faan": faan_title(book.engine),
        "limit": str(_("Percent of the limit")),
    }


class Meaning(NamedTuple):
    """A word of expressions, and what it means: in the reader's language, or the ``expression`` that it is short for."""

    word: str
    meaning: str
    expression: bool = False


def words() -> list[tuple[str, list[Meaning]]]:
    """The words of expressions and what they mean, in groups."""
    known = meanings()
    short = [Meaning(word, expression, expression=True) for word, expression in known.short.items()]
    return [
        (str(_("Questions")), _translated(known.questions)),
        (str(_("About the hand")), short + _translated(known.hand)),
        (str(_("About a set")), _translated(known.sets)),
        (str(_("About a tile, or a set of such")), _translated(known.tiles)),
    ]


def _translated(known: dict[str, str]) -> list[Meaning]:
    return [Meaning(word, translate(meaning)) for word, meaning in known.items()]
