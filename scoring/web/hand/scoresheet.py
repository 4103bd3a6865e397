"""A hand as its scorecard page shows it: every figure, and the words that explain it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.evaluator.rules import RuleSet
from scoring.evaluator.tiles import Wind
from scoring.figures import whole
from scoring.models import Hand

from ..table.board import how
from .payments import Share, shares


@dataclass(frozen=True, slots=True)
class Step:
    """One line between the points and the final score; ``figure`` is what stands after it."""

    words: str
    figure: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The hands that stand before and after in the game, where there are any."""

    before: Hand | None
    after: Hand | None


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """What the page says about ``hand``; without a ``card`` for a draw or a score without tiles."""

    hand: Hand
    card: Mapping[str, Any] | None
    shares: list[Share]
    how: str
    steps: list[Step]
    others: list[Mapping[str, Any]]
    neighbours: Neighbours
    replaced_by: Hand | None

    @property
    def why_chosen(self) -> str:
        return why_chosen(self.hand.ruleset_version.rules)

    @property
    def seat(self) -> Wind | None:
        return Wind(self.hand.seat) if self.hand.seat else None

    @property
    def prevailing(self) -> Wind:
        return Wind(self.hand.prevailing)


def scoresheet_of(hand: Hand) -> Scoresheet:
    """The page about ``hand`` (fetched ``with_people()`` and its game)."""
    paid = [(payment.player, payment.amount) for payment in hand.payments.all()]
    interpretations = (hand.card or {}).get("interpretations", [])
    return Scoresheet(
        hand=hand,
        card=hand.card,
        shares=shares(hand, paid),
        how=how(hand),
        steps=steps(hand.card, hand.ruleset_version.rules) if hand.card else [],
        others=[other for other in interpretations if not other.get("chosen")],
        neighbours=_neighbours(hand),
        replaced_by=_replacement(hand),
    )


def _neighbours(hand: Hand) -> Neighbours:
    beside = (hand.number - 1, hand.number + 1)
    current = hand.game.hands.current().filter(number__in=beside).only("number", "game")
    found = {other.number: other for other in current}
    return Neighbours(*(found.get(number) for number in beside))


def _replacement(hand: Hand) -> Hand | None:
    if hand.status != Hand.Status.SUPERSEDED:
        return None
    return Hand.objects.filter(supersedes=hand).first()


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


def steps(card: Mapping[str, Any], rules: RuleSet) -> list[Step]:
    """How the final score comes from the points: doubled, rounded once, held at the limit."""
    final = card["final"]
    if card["limits"]:
        return [Step(_("A limit hand, whatever the points"), final)]
    points, doubles, total = card["points"], card["doubles"], card["total"]
    twice = " × 2" * doubles
    found = [Step(f"{whole(points)}{twice}", total)] if doubles else [Step(_("No double"), total)]
    rounded = _rounded(total, rules.rounding)
    if rounded != total:
        words = _("Rounded to the nearest %(step)s") % {"step": rules.rounding}
        found.append(Step(words, rounded))
    if rounded > rules.limit:
        words = _("No hand scores more than %(limit)s") % {"limit": whole(rules.limit)}
        found.append(Step(words, final))
    return found


def _rounded(total: int, step: int) -> int:
    """``total`` to the nearest ``step``, half up."""
    return (total + step // 2) // step * step
