"""From the lines of a hand to its score, in words, by the counting of a rule book."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.counting import MOST_DOUBLES, doubled, share_of
from scoring.evaluator.rounding import nearest
from scoring.figures import adds_up, faan_in_words, whole

Card = Mapping[str, Any]
Step = tuple[str, int]  # the words, and the figure that stands after them


def steps_of(card: Card, book: Book) -> list[Step]:
    """The steps to the final score of ``card``; the last one leads to it."""
    steps = list(STEPS[book.counting.kind](card, book))
    if steps[-1][1] != card["final"]:
        steps.append((_("By these rules"), card["final"]))
    return steps


def notes_of(card: Card, book: Book) -> list[Step]:
    """The steps that must be said beside the figures of ``card`` in one line, such as 36 × 2 = 72."""
    steps = steps_of(card, book)
    if card["faan_report"]:
        return steps[:-1]
    return steps if _is_limited(card, book) or not adds_up(card) else steps[1:]


def _is_limited(card: Card, book: Book) -> bool:
    """Whether the hand is worth a share of the limit; stored books may have shares of none."""
    return bool(card["limit_report"] and book.counting.limit)


def _points(card: Card, book: Book) -> Iterator[Step]:
    counting, final, total = book.counting, card["final"], card["total"]
    if _is_limited(card, book):
        yield from _limit(card, book)
        return
    if apart := _apart(card, book):
        yield from _with_apart(card, book, apart)
    else:
        product = _product(card["points"], card["doubles"])
        yield product if card["doubles"] else _("No double"), total
    paid = nearest(total, counting.rounding)
    if paid != total:
        yield _("Rounded to the nearest %(step)s") % {"step": counting.rounding}, paid
    if paid > final:
        yield _most(final), final


def _with_apart(card: Card, book: Book, apart: int) -> Iterator[Step]:
    """The sum where ``apart`` doubles are the only ones of all points but those beside a limit hand."""
    points, _doubles = _beside(card, book)
    rest = card["points"] - points
    yield _product(rest, apart), doubled(rest, apart)
    if points:
        yield _added(card, book), card["total"]


def _limit(card: Card, book: Book) -> Iterator[Step]:
    percent = max(line["limit"] for line in card["limit_report"])
    share = share_of(book.counting, percent)
    words = _("The limit") if percent == 100 else _("%(share)s %% of the limit")
    yield words % {"share": percent}, share
    if card["total"] != share:
        yield _added(card, book), card["total"]
    if card["total"] > card["final"]:
        yield _most(card["final"]), card["final"]


def _apart(card: Card, book: Book) -> int:
    """The doubles that are the only ones; 0 where all are added up."""
    apart = {pattern.line for pattern in book.patterns if pattern.apart}
    return max(
        (line["doubles"] for line in card["double_report"] if line["rule"] in apart), default=0
    )


def _beside(card: Card, book: Book) -> tuple[int, int]:
    """The points, and their doubles, that are counted beside a limit hand."""
    beside = {pattern.line for pattern in book.patterns if pattern.beside_limit}
    points, doubles = (
        sum(line[unit] for line in card[report] if line["rule"] in beside)
        for report, unit in (("point_report", "points"), ("double_report", "doubles"))
    )
    return points, doubles


def _added(card: Card, book: Book) -> str:
    return _("Bonus tiles, with their own doubles: %(sum)s more") % {
        "sum": _product(*_beside(card, book))
    }


def _product(points: int, doubles: int) -> str:
    return f"{whole(points)}{' × 2' * min(doubles, MOST_DOUBLES)}"


def _faan(card: Card, book: Book) -> Iterator[Step]:
    counting = book.counting
    faan = card["faan"]
    counted = min(card["total"], counting.maximum) if counting.maximum else card["total"]
    if counting.maximum and counted != faan:
        words = (
            _("A limit hand counts as %(most)s faan")
            if faan < counted
            else _("No more than %(most)s faan count")
        )
        yield words % {"most": counted}, counted
    if not counting.table and counted == faan:
        yield faan_in_words(faan, book.engine), faan
    elif book.settlement.kind == "costs":
        yield _("By the table of han and fu"), card["final"]
    elif counting.table or not counting.maximum:
        yield _("By the table of faan"), card["final"]


def _sum(card: Card, book: Book) -> Iterator[Step]:
    points, total = card["points"], card["total"]
    yield _("The points are added up"), points
    if total != points:
        yield _("A hand is worth at least %(least)s") % {"least": whole(book.counting.least)}, total
    if total > card["final"]:
        yield _most(card["final"]), card["final"]


def _card(card: Card, _book: Book) -> Iterator[Step]:
    product = _product(card["points"], card["doubles"])
    yield product if card["doubles"] else _("The value of the line"), card["total"]


def _most(limit: int) -> str:
    return _("No hand scores more than %(limit)s") % {"limit": whole(limit)}


STEPS: dict[str, Callable[[Card, Book], Iterator[Step]]] = {
    "points": _points,
    "faan": _faan,
    "sum": _sum,
    "card": _card,
}
