"""The two steps between an entry and its hand: validate, then score.

Every service that stores or previews a hand takes both, in this order. Verify and what-if ask the same
function what a stored hand is worth.
"""

from typing import Any, NamedTuple

from scoring.evaluator import scorecard
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard
from scoring.evaluator.win import Win
from scoring.models import Hand

# Decided by the service, not by the person: validated by the database, not by sentences.
# ``concealed`` may still be open: the melds decide it. The length of what was typed is the
# evaluator's to judge: the tiles are kept in their canonical spelling. A claimed score is ``final``
# already: what is wrong with it is said of ``claimed_final``.
NOT_ENTERED = (
    *("game", "round", "winner", "discarder", "dealer", "ruleset_version", "card", "logged_by"),
    *("concealed", "supersedes", "tiles", "final"),
)


class Worth(NamedTuple):
    """What a hand is worth, in whole points. All is empty for a hand that nobody won.

    A score without tiles has neither points nor a scorecard, only ``final``.
    """

    points: int | None = None
    doubles: int | None = None
    total: int | None = None
    final: int | None = None
    limit: bool = False
    card: Scorecard | None = None

    def columns(self) -> dict[str, Any]:
        """The same as a hand keeps it, by column."""
        return {**self._asdict(), "card": self.card and self.card.as_dict()}


def validate(hand: Hand) -> None:
    """Refuse a hand that cannot have been played; keep what was typed in its canonical spelling.

    The constraints are left to the database: each says once more what ``clean()`` or the number of
    the next hand has said already, and asking for it beforehand takes three statements apiece.

    :raises ValidationError: naming every field that is wrong.
    """
    hand.full_clean(exclude=NOT_ENTERED, validate_constraints=False)


def score(hand: Hand) -> None:
    """Fill in the figures of a validated ``hand``: points, doubles, total, final, limit and card."""
    found = worth(hand, hand.seat, hand.prevailing, hand.ruleset_version.rules)
    for column, value in found.columns().items():
        setattr(hand, column, value)


def worth(hand: Hand, seat: object, prevailing: object, rules: RuleSet) -> Worth:
    """What ``hand`` is worth to ``seat`` in the round of ``prevailing``, by ``rules``.

    What the table worked out without tiles stays as it was claimed; a claimed limit hand is worth
    the limit of these rules. Tiles that do not win leave everything empty.

    :param hand: a validated hand, or a row that has the columns of one.
    :raises HandError: if the tiles are none that a wall holds, or the melds do not fit them.
    """
    if hand.outcome != Hand.Outcome.WIN:
        return Worth()
    if hand.claimed_limit:
        return Worth(final=rules.limit, limit=True)
    if not hand.checked:
        return Worth(final=hand.final)
    card = scorecard.score(
        hand.tiles,
        seat,
        prevailing,
        melds=hand.melds or None,
        win=Win.from_columns(hand),
        rules=rules,
    )
    figures = card.points, card.doubles, card.total, card.final
    return Worth(*figures, limit=bool(card.limits), card=card)
