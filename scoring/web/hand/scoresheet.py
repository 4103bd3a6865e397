"""A hand as its scorecard page shows it: every figure, and the words that explain it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.evaluator.tiles import Wind
from scoring.models import Hand

from ..shared.payments import PlayerShare, shares
from ..shared.score_steps import ScoreStep, steps, why_chosen
from ..shared.sentences import how


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
    shares: list[PlayerShare]
    how: str
    steps: list[ScoreStep]
    others: list[Mapping[str, Any]]
    neighbours: Neighbours
    replaced_by: Hand | None

    @property
    def why_chosen(self) -> str:
        return why_chosen(self.hand.ruleset_version.rules)

    @property
    def rules_url(self) -> str:
        """The rules that scored it, in their very version."""
        version = self.hand.ruleset_version
        return f"{version.ruleset.get_absolute_url()}?version={version.number}"

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
    by_number = {other.number: other for other in current}
    return Neighbours(*(by_number.get(number) for number in beside))


def _replacement(hand: Hand) -> Hand | None:
    if hand.status != Hand.Status.SUPERSEDED:
        return None
    return Hand.objects.filter(supersedes=hand).first()
