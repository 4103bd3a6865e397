"""Many hands at once: nothing but final scores, as fast as plain Python allows.

A hand is its counts here (:func:`scoring.evaluator.counts.counts_of`), concealed and without melds.
The answers are those of :meth:`scoring.evaluator.hand.Hand.final_score`.
"""

from collections.abc import Iterable

from .counts import HONORS_MASK, SUIT_MASKS
from .readings import parts_of_honors, parts_of_suit, readings, winds_key
from .rules import CLUB, RuleSet, judge_of
from .tiles import Wind
from .traits import CONCEALED, FIVE_SETS, FIVE_SETS_MASK


def final_scores(
    hands: Iterable[int],
    *,
    seat_wind: Wind,
    prevailing_wind: Wind,
    rules: RuleSet = CLUB,
) -> list[int]:
    """The final score of each hand in whole points; 0 for one that does not win.

    >>> from scoring.evaluator.counts import counts_of
    >>> from scoring.evaluator.notation import parse_tiles
    >>> texts = ["222B 345B 55B 222D GGG", "222B 345B 55B 222D GG9C"]
    >>> hands = [counts_of(parse_tiles(text)) for text in texts]
    >>> final_scores(hands, seat_wind=Wind.SOUTH, prevailing_wind=Wind.EAST)
    [70, 0]
    """
    bamboo, characters, dots = SUIT_MASKS
    winds = winds_key(prevailing_wind, seat_wind)
    judged = judge_of(rules)
    first = rules.interpretation == "first"
    finals = []
    for counts in hands:
        try:
            # Most hands have one way a suit; where one has more, or none (as those of thirteen
            # orphans), unpacking says so.
            (b,), (c,) = parts_of_suit(counts & bamboo), parts_of_suit(counts & characters)
            (d,), (h,) = parts_of_suit(counts & dots), parts_of_honors(counts & HONORS_MASK | winds)
        except ValueError:
            found = readings(counts, (), winds, CONCEALED)
            counted = found[:1] if first else found
            finals.append(max([judged(each.traits).final for each in counted], default=0))
            continue
        traits = b.traits + c.traits + d.traits + h.traits
        wins = traits & FIVE_SETS_MASK == FIVE_SETS
        finals.append(judged(traits + CONCEALED).final if wins else 0)
    return finals
