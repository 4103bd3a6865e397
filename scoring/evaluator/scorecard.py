"""From a hand as it was typed to its scorecard."""

from typing import Any

from .cards import Scorecard, Scored
from .hand import Hand
from .reports import DoubleLine, PointLine
from .rules import CLUB, RuleSet
from .win import USUAL, Win


def score(
    tiles: object,
    seat: object,
    prevailing: object,
    *,
    melds: object = None,
    win: Win = USUAL,
    rules: RuleSet = CLUB,
    **how_won: Any,
) -> Scorecard:
    """The scorecard of a hand as it was typed.

    :param how_won: fields of ``win``, such as ``self_drawn=True``. The club's own rules read whether it is
        concealed and self-drawn, nothing else.
    :raises HandError: with all that is wrong with tiles, melds or winds; for a field of another kind.
    :raises TypeError: for a name that is no field of ``win``.

    >>> card = score("222B 345B 55B 222D GGG", "South", "East")
    >>> card.points, card.doubles, card.total, card.final
    (36, 1, 72, 70)
    >>> [(line.label, line.points) for line in card.point_report][:3]
    [('Winning', 20), ('Pung: 2 of Bamboo', 4), ('Chow: 3B 4B 5B', 0)]
    """
    hand = Hand.from_notation(tiles, seat, prevailing, melds, win=win, **how_won)
    return hand.score_card(rules)


__all__ = ["DoubleLine", "PointLine", "Scorecard", "Scored", "score"]
