"""From the points of a hand to its final score, and why its reading counts, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from django.utils.translation import gettext as _

from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import RuleSet, rounded
from scoring.evaluator.table_rules import TableRules
from scoring.figures import faan_in_words, whole
from scoring.variants.book_rules import BookTableRules

from .book_steps import notes_of, steps_of


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """One line between the points and the final score; ``figure`` is what stands after it."""

    words: str
    figure: int


@singledispatch
def steps_by(rules: TableRules, card: Mapping[str, Any]) -> list[ScoreStep]:
    """How ``rules`` come to the final score of ``card``; the last step leads to it."""
    raise NotImplementedError(rules)


@steps_by.register
def _steps_by_options(rules: OptionTableRules, card: Mapping[str, Any]) -> list[ScoreStep]:
    return steps(card, rules.rules)


@steps_by.register
def _steps_by_book(rules: BookTableRules, card: Mapping[str, Any]) -> list[ScoreStep]:
    return [ScoreStep(*step) for step in steps_of(card, rules.book)]


@singledispatch
def notes_by(rules: TableRules, card: Mapping[str, Any]) -> list[ScoreStep]:
    """Of the steps to the final score of ``card`` those that a sum in one line leaves out."""
    raise NotImplementedError(rules)


@notes_by.register
def _notes_by_options(rules: OptionTableRules, card: Mapping[str, Any]) -> list[ScoreStep]:
    cut = card["total"] > card["final"] == rules.rules.limit
    return steps(card, rules.rules)[1:] if cut else []


@notes_by.register
def _notes_by_book(rules: BookTableRules, card: Mapping[str, Any]) -> list[ScoreStep]:
    return [ScoreStep(*step) for step in notes_of(card, rules.book)]


def faan_by(rules: TableRules, card: Mapping[str, Any]) -> str:
    """The faan of ``card``, as ``rules`` call them; empty where nothing is counted in faan."""
    if not isinstance(rules, BookTableRules) or not card["faan_report"]:
        return ""
    return faan_in_words(card["faan"], rules.book.engine)


@singledispatch
def why_chosen_by(rules: TableRules) -> str:
    """Why, of several readings of the same tiles, the one that counts is the one that counts."""
    raise NotImplementedError(rules)


@why_chosen_by.register
def _chosen_by_options(rules: OptionTableRules) -> str:
    return why_chosen(rules.rules)


@why_chosen_by.register
def _chosen_by_book(rules: BookTableRules) -> str:
    if rules.book.counting.best:
        return _("The reading with the highest final score counts.")
    return _("By these rules the first reading counts.")


def why_chosen(rules: RuleSet) -> str:
    """Why, of several readings of the same tiles, the one that counts is the one that counts."""
    if rules.interpretation == "first":
        return _(
            "By these rules the first reading counts: fours of a kind before threes, threes "
            "before chows, the pair last, from the lowest tile."
        )
    return _(
        "The reading with the highest final score counts; of two with the same, the one with "
        "the higher total, then with more points."
    )


def steps(card: Mapping[str, Any], rules: RuleSet) -> list[ScoreStep]:
    """How the final score comes from the points: doubled, rounded once, held at the limit."""
    final = card["final"]
    if card["limits"]:
        return [ScoreStep(_("A limit hand, whatever the points"), final)]
    points, doubles, total = card["points"], card["doubles"], card["total"]
    twice = " × 2" * doubles
    lines = (
        [ScoreStep(f"{whole(points)}{twice}", total)]
        if doubles
        else [ScoreStep(_("No double"), total)]
    )
    paid = rounded(total, rules)
    if paid != total:
        words = _("Rounded to the nearest %(step)s") % {"step": rules.rounding}
        lines.append(ScoreStep(words, paid))
    if paid > rules.limit:
        words = _("No hand scores more than %(limit)s") % {"limit": whole(rules.limit)}
        lines.append(ScoreStep(words, final))
    return lines
