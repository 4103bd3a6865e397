"""Many hands at once: nothing but final scores, as fast as plain Python allows.

A hand is its counts here (:func:`scoring.evaluator.counts.counts_of`), concealed and without melds.
The answers are those of :meth:`scoring.evaluator.hand.Hand.final_score`.
"""

from collections.abc import Iterable

from .counts import EVERYTHING, has_five, size_of, tiles_of
from .notation import FEWEST_TILES, MOST_TILES, check, parse_wind
from .problems import HandError, Problem, refuse
from .readings import only_traits, readings, winds_key
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

    :raises HandError: for what is no wind, and for the first of ``hands`` that cannot be: a fifth
        copy, a wrong number of tiles, anything that is no counts. It says which one.

    >>> from scoring.evaluator.counts import counts_of
    >>> from scoring.evaluator.notation import parse_tiles
    >>> texts = ["222B 345B 55B 222D GGG", "222B 345B 55B 222D GG9C"]
    >>> hands = [counts_of(parse_tiles(text)) for text in texts]
    >>> final_scores(hands, seat_wind=Wind.SOUTH, prevailing_wind=Wind.EAST)
    [70, 0]
    """
    winds = winds_key(
        parse_wind(prevailing_wind, "prevailing_wind"), parse_wind(seat_wind, "seat_wind")
    )
    judged = judge_of(rules)
    first = rules.interpretation == "first"
    finals: list[int] = []
    for counts in hands:
        try:
            traits = only_traits(counts, winds)
        except (TypeError, ValueError, OverflowError):  # no counts of tiles
            traits = None
        if traits is None:
            require_hand(counts, len(finals))
            ways = readings(counts, (), winds, CONCEALED)
            counted = ways[:1] if first else ways
            finals.append(max([judged(reading.traits).final for reading in counted], default=0))
        elif traits & FIVE_SETS_MASK == FIVE_SETS:
            finals.append(judged(traits + CONCEALED).final)
        else:
            # Five sets have their number of tiles; only others can have a wrong one.
            require_hand(counts, len(finals))
            finals.append(0)
    return finals


def require_hand(counts: object, row: int) -> None:
    """Let the counts of a hand pass.

    :raises HandError: naming the row, for any others.

    >>> require_hand(3, 7)
    Traceback (most recent call last):
    scoring.evaluator.problems.HandError: hands[7]: 3 tiles: a winning hand has 14, and one more for \
each kong (at most 18).
    """
    try:
        if type(counts) is not int or not 0 <= counts <= EVERYTHING:
            raise refuse(
                "hands", "not_counts", "A hand is given by its counts, as one whole number."
            )
        if has_five(counts):
            check(len(tiles_of(counts)), counts)
        elif not FEWEST_TILES <= (size := size_of(counts)) <= MOST_TILES:
            check(size, counts)
    except HandError as error:
        raise at_row(row, error) from error


def at_row(row: int, error: HandError) -> HandError:
    """The same refusal with the row that it is about, counted from 0; said once, before all of it.

    >>> from .problems import refuse
    >>> print(at_row(7, refuse("hands", "not_counts", "A hand is given by its counts.")))
    hands[7]: A hand is given by its counts.
    """
    place = f"hands[{row}]"
    first, *others = error.problems
    named = Problem(place, first.code, f"{place}: {first.message}")
    return HandError(
        [named, *[Problem(place, problem.code, problem.message) for problem in others]]
    )
