"""From a hand as it was typed to its scorecard."""

from .cards import DoubleLine, PointLine, Scorecard, Scored
from .hand import Hand
from .rules import CLUB, RuleSet


def score(
    tiles: object,
    seat: object,
    prevailing: object,
    *,
    melds: object = None,
    concealed: bool | None = None,
    self_drawn: bool = False,
    rules: RuleSet = CLUB,
) -> Scorecard:
    """The scorecard of a hand as it was typed.

    :raises HandError: with all that is wrong with tiles, melds or winds.

    >>> card = score("222B 345B 55B 222D GGG", "South", "East")
    >>> card.points, card.doubles, card.total, card.final
    (36, 1, 72, 70)
    >>> [(line.label, line.points) for line in card.point_report][:3]
    [('Winning', 20), ('Pung: 2 of Bamboo', 4), ('Chow: 3B 4B 5B', 0)]
    """
    return Hand.from_notation(tiles, seat, prevailing, melds, concealed, self_drawn).score_card(
        rules
    )


__all__ = ["DoubleLine", "PointLine", "Scorecard", "Scored", "score"]
