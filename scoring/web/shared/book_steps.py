"""From the lines of a hand to its score, in words, by the counting of a rule book."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evaluator.books.book import Counting
from scoring.figures import whole

Card = Mapping[str, Any]
Step = tuple[str, int]  # the words, and the figure that stands after them


def steps_of(card: Card, counting: Counting) -> list[Step]:
    """The steps to the final score of ``card``; the last one leads to it."""
    steps = list(STEPS[counting.kind](card, counting))
    if steps[-1][1] != card["final"]:
        steps.append((_("By these rules"), card["final"]))
    return steps


def _points(card: Card, counting: Counting) -> Iterator[Step]:
    final, total = card["final"], card["total"]
    if card["limit_report"]:
        yield from _limit(card, counting)
        return
    points, doubles = card["points"], card["doubles"]
    if points << doubles == total:
        yield (f"{whole(points)}{' × 2' * doubles}" if doubles else _("No double")), total
    else:
        yield _("Bonus tiles are doubled by their own doubles only"), total
    paid = (total + counting.rounding // 2) // counting.rounding * counting.rounding
    if paid != total:
        yield _("Rounded to the nearest %(step)s") % {"step": counting.rounding}, paid
    if paid > final:
        yield _most(final), final


def _limit(card: Card, counting: Counting) -> Iterator[Step]:
    percent = max(line["limit"] for line in card["limit_report"])
    share = counting.limit * percent // 100
    words = _("The limit") if percent == 100 else _("%(share)s %% of the limit")
    yield words % {"share": percent}, share
    if card["total"] != share:
        yield _("With its bonus tiles"), card["total"]
    if card["total"] > card["final"]:
        yield _most(card["final"]), card["final"]


def _faan(card: Card, counting: Counting) -> Iterator[Step]:
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
        yield ngettext("%(count)s faan", "%(count)s faan", faan) % {"count": faan}, faan
    elif counting.table or not counting.maximum:
        yield _("The table says how much that is"), card["final"]


def _sum(card: Card, counting: Counting) -> Iterator[Step]:
    points, total = card["points"], card["total"]
    yield _("The points are added up"), points
    if total != points:
        yield _("A hand is worth at least %(least)s") % {"least": whole(counting.least)}, total
    if total > card["final"]:
        yield _most(card["final"]), card["final"]


def _card(card: Card, _counting: Counting) -> Iterator[Step]:
    twice = " × 2" * card["doubles"]
    yield f"{whole(card['points'])}{twice}" if twice else _("The value of the line"), card["total"]


def _most(limit: int) -> str:
    return _("No hand scores more than %(limit)s") % {"limit": whole(limit)}


STEPS: dict[str, Callable[[Card, Counting], Iterator[Step]]] = {
    "points": _points,
    "faan": _faan,
    "sum": _sum,
    "card": _card,
}
