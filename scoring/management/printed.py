"""A scorecard on paper: plain text, one line a rule, figures under each other."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.evaluator.notation import format_tiles, parse_tiles
from scoring.evaluator.rules import LIMIT_RULES, RuleSet
from scoring.evaluator.tiles import Wind
from scoring.models.rulesets import version_in_words
from scoring.translation import label_of

Card = Mapping[str, Any]
# What a line says, and the figure at its end; nothing but a space between two parts of the card.
PrintedLine = tuple[str, object]
GAP: PrintedLine = ("", "")
NARROWEST = 40


def heading(rules: RuleSet, *, seat: Wind, prevailing: Wind, self_drawn: bool) -> str:
    """Under which winds and rules the hand counts."""
    words = _("%(seat)s in the %(prevailing)s round, self-drawn. %(rules)s.")
    if not self_drawn:
        words = _("%(seat)s in the %(prevailing)s round. %(rules)s.")
    return words % {
        "seat": seat.label,
        "prevailing": prevailing.label,
        "rules": version_in_words(rules.name, rules.version),
    }


def scorecard(card: Card, rules: RuleSet) -> str:
    """Points, doubles, total and final score of a winning hand, as lines that add up."""
    return columns([*_points(card), GAP, *_doubles(card), GAP, *_score(card, rules)])


def columns(lines: Sequence[PrintedLine]) -> str:
    """Words, and the figures under each other."""
    width = max(NARROWEST, *(len(words) for words, _figure in lines))
    return "\n".join(f"  {words:<{width}} {figure:>6}".rstrip() for words, figure in lines)


def readings(card: Card, rules: RuleSet) -> str:
    """Which reading of the tiles counts, and what the others would have scored."""
    interpretations = card["interpretations"]
    if len(interpretations) < 2:
        return _("The tiles can be read in one way only.") if interpretations else ""
    message = _("The tiles can be read in %(number)s ways; %(which)s:") % {
        "number": len(interpretations),
        "which": _which_counts(interpretations, rules),
    }
    width = max(len(sets(reading)) for reading in interpretations)
    return "\n".join([message, *(_reading(reading, width) for reading in interpretations)])


def _which_counts(interpretations: Sequence[Card], rules: RuleSet) -> str:
    if rules.interpretation != "best":
        return _("the first in the book’s order counts")
    finals = {reading["final"] for reading in interpretations}
    return _("all score the same") if len(finals) == 1 else _("the one that scores most counts")


def sets(card: Card) -> str:
    """The sets of a card or of one reading: ``222B* 345B 55B 222D GGG``, open ones with a star."""
    return " ".join(
        format_tiles(parse_tiles(tile_set["tiles"])) + ("" if tile_set["concealed"] else "*")
        for tile_set in card["sets"]
    )


def _points(card: Card) -> Iterator[PrintedLine]:
    for line in card["point_report"]:
        yield label_of(line), line["points"]
    yield _("Points"), card["points"]


def _doubles(card: Card) -> Iterator[PrintedLine]:
    for line in card["double_report"]:
        yield label_of(line), line["doubles"]
    yield _("Doubles"), card["doubles"]


def _score(card: Card, rules: RuleSet) -> Iterator[PrintedLine]:
    doubled = " × 2" * card["doubles"]
    yield _("Total: %(sum)s") % {"sum": f"{card['points']}{doubled}"}, card["total"]
    yield _final(card, rules), card["final"]


def _final(card: Card, rules: RuleSet) -> str:
    if card["limits"]:
        named = ", ".join(rule.name for rule in LIMIT_RULES if rule.id in card["limits"])
        return _("Final score: the limit, for %(named)s") % {"named": named}
    if card["final"] == card["total"]:
        return _("Final score")
    if card["final"] == rules.limit:
        return _("Final score: no hand scores more than %(limit)s") % {"limit": rules.limit}
    return _("Final score: rounded to the nearest %(step)s") % {"step": rules.rounding}


def _reading(reading: Card, width: int) -> str:
    counts = _("counts") if reading["chosen"] else ""
    return f"  {sets(reading):<{width}}  {reading['final']:>4}  {counts}".rstrip()
